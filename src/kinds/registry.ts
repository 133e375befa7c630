/** The kinds there are. A new kind is a file of its own, and a line here. */
import { collectorSchedule } from './collectorSchedule/kind.ts';
import type { Kind } from './kind.ts';
import { managerSettings } from './managerSettings/kind.ts';
import { webhookDelivery } from './webhookDelivery/kind.ts';
import { zoneIpAllocation } from './zoneIpAllocation/kind.ts';

/** In the order in which they are handled: deliveries before the schedules that name them. */
export const kinds: readonly Kind<unknown, unknown>[] = [
  zoneIpAllocation,
  managerSettings,
  webhookDelivery,
  collectorSchedule,
];
