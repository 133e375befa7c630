/** The kinds that the program comes with, and the capabilities that each provides. The playground of the site is built with those that need no trigger service. */
import './collectorSchedule/provides.ts';
import './managerSettings/provides.ts';
import './managerSettings/pull.ts';
import './webhookDelivery/provides.ts';
import './zoneIpAllocation/provides.ts';
import './zoneIpAllocation/pull.ts';
import { collectorSchedule } from './collectorSchedule/kind.ts';
import { managerSettings } from './managerSettings/kind.ts';
import type { Kind } from './seam/kind.ts';
import { webhookDelivery } from './webhookDelivery/kind.ts';
import { zoneIpAllocation } from './zoneIpAllocation/kind.ts';

/** In the order in which they are handled: deliveries before the schedules that name them. */
export const builtInKinds: readonly Kind<unknown, unknown>[] = [
  zoneIpAllocation,
  managerSettings,
  webhookDelivery,
  collectorSchedule,
];
