/** The kinds that provide the capability of this feature. */
import '../../kinds/collectorSchedule/show.ts';
import '../../kinds/managerSettings/show.ts';

export { showing } from './capability.ts';
