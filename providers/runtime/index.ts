/** What the serialized provider loads at run time: the handlers of each kind, as this version of the package has them. */
import { type Handlers, handlersFor } from './handlers.ts';
import { managerSettingsAdapter } from './managerSettings.ts';
import { collectorScheduleAdapter, webhookDeliveryAdapter } from './registered.ts';
import { zoneIpAllocationAdapter } from './zoneIpAllocation.ts';

/** A new kind is an adapter of its own, and a line here. */
const kinds: Readonly<Record<string, Handlers>> = {
  ZoneIpAllocation: handlersFor(zoneIpAllocationAdapter),
  ManagerSettings: handlersFor(managerSettingsAdapter),
  WebhookDelivery: handlersFor(webhookDeliveryAdapter),
  CollectorSchedule: handlersFor(collectorScheduleAdapter),
};

/** @throws TypeError for a kind of a newer version of the package */
export function handlersOf(kind: string): Handlers {
  const handlers = kinds[kind];
  if (handlers) return handlers;
  throw new TypeError(
    `this version of pulumi-webdata knows no ${kind}: install the version that made this stack, or a newer one`,
  );
}
