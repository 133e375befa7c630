/** Resources that are registered for the owner of a declaration and are not declared: printed as notes, or removed. */

import { ProblemError } from '../../base/diagnostics/problem.ts';
import { kinds } from '../../kinds/knownKinds.ts';
import type { AnyKind } from '../../kinds/seam/kind.ts';
import { type OwnedResource, ownership } from '../../kinds/seam/ownership.ts';
import { type Config, noOwner } from '../declaration/config.ts';
import { reachableOwner } from '../declaration/connection.ts';
import type { Session } from '../run/session.ts';
import type { ResourceId } from './plan.ts';
import type { Planned } from './resources.ts';

/** `show` names them; `prune` removes them. */
export type UndeclaredFate = 'show' | 'prune';

/**
 * Kinds are in reverse order, so that schedules come before the deliveries that they name. Reads nothing if no trigger service is
 * configured, or if a declared registration could not be read. `patience` ends a read. @throws ProblemError, ServiceError
 */
export async function undeclaredIn(
  config: Config,
  session: Session,
  fate: UndeclaredFate,
  planned: readonly Planned[],
  { patience, declaredBy = () => undefined }: { patience?: AbortSignal; declaredBy?: DeclaredBy | undefined } = {},
): Promise<Planned[]> {
  if (planned.some(({ unread, declared }) => unread !== undefined && ownership.of(declared.definition) !== undefined))
    return [];
  const owner = fate === 'prune' ? ownerOf(config) : reachableOwner(config);
  if (owner === undefined) return [];
  const reading = { fate, patience, declaredBy };
  const found = await Promise.all(
    kinds.toReversed().map((kind) => undeclaredOf(kind, owner, reading, config, session)),
  );
  return found.flat();
}

function ownerOf({ name }: Config): string {
  if (name === undefined) throw new ProblemError([noOwner]);
  return name;
}

/** Returns the name of another declaration of the account that registered a resource of this owner, which stays. */
export type DeclaredBy = (resource: Pick<ResourceId, 'collection' | 'name'>) => string | undefined;

interface Reading {
  fate: UndeclaredFate;
  patience: AbortSignal | undefined;
  declaredBy: DeclaredBy;
}

async function undeclaredOf(
  kind: AnyKind,
  owner: string,
  { fate, patience, declaredBy }: Reading,
  { declared }: Config,
  session: Session,
): Promise<Planned[]> {
  const owned = ownership.of(kind);
  if (owned === undefined) return [];
  const names = new Set(declared.filter(({ definition }) => definition === kind).map(({ name }) => name));
  const known = session.contextFor({ definition: kind, name: '' });
  const signals = [known.signal, patience].filter((signal) => signal !== undefined);
  const context = { ...known, signal: AbortSignal.any(signals) };
  const concurrencyKey = kind.concurrencyKey(undefined, context);
  const undeclared = (await owned.registered(owner, context)).filter(({ name }) => !names.has(name));
  return undeclared.map((resource) => {
    const by = declaredBy({ collection: kind.collection, name: resource.name });
    if (by === undefined) return plannedFor(kind, resource, fate, concurrencyKey);
    const note = { ...resource.note, text: `${resource.note.text}; declared by ${by}` };
    return plannedFor(kind, { ...resource, note }, 'show', concurrencyKey);
  });
}

function plannedFor(kind: AnyKind, resource: OwnedResource, fate: UndeclaredFate, concurrencyKey: string): Planned {
  const id = { kind: kind.name, collection: kind.collection, name: resource.name };
  const shown = { changes: [], calls: [], notes: [resource.note], problems: [] };
  return {
    declared: { ...id, definition: kind, spec: undefined },
    intent: 'delete',
    plan: { ...id, ...(fate === 'prune' ? resource.removal : shown) },
    state: undefined,
    concurrencyKey,
  };
}
