/** The stored form of each kind. */

import { kinds } from '../../../src/kinds/knownKinds.ts';
import type { AnyKind } from '../../../src/kinds/seam/kind.ts';
import { storedManagerSettings } from './managerSettings.ts';
import { storedRegistration } from './storedRegistration.ts';
import { completeStored, type DeclaredStored, type StoredResource } from './storedResource.ts';
import { storedAllocation } from './zoneIpAllocation.ts';

/** By the name of the kind. A kind is only ever passed specs and states of its own. */
const byName = new Map<string, StoredResource<unknown, unknown>>(
  Object.entries<DeclaredStored<unknown, unknown>>({
    ZoneIpAllocation: storedAllocation,
    ManagerSettings: storedManagerSettings,
    WebhookDelivery: storedRegistration,
    CollectorSchedule: storedRegistration,
  }).map(([name, stored]) => [name, completeStored(stored)]),
);

/** @throws TypeError for a kind without a stored form */
export function storedOf({ name }: AnyKind): StoredResource<unknown, unknown> {
  const stored = byName.get(name);
  if (stored === undefined) throw new TypeError(`${name} has no stored form`);
  return stored;
}

/** Returns the registered kinds that can be resources of a front with a state of its own. */
export function storedKinds(): readonly AnyKind[] {
  return kinds.filter(({ name }) => byName.has(name));
}

/** Adds the stored form of a kind that was added. Returns a function that removes it. */
export function addStored<Spec, State>({ name }: { name: string }, stored: DeclaredStored<Spec, State>): () => void {
  byName.set(name, completeStored(stored as DeclaredStored<unknown, unknown>));
  return () => byName.delete(name);
}
