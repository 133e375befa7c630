/** The kinds that provide the capability of this feature. */
import '../../kinds/collectorSchedule/accept.ts';
import '../../kinds/managerSettings/accept.ts';
import '../../kinds/webhookDelivery/accept.ts';
import '../../kinds/zoneIpAllocation/accept.ts';

export { accepting } from './capability.ts';
