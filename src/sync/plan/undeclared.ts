/** What is registered in the trigger service under the owner of a declaration, and declared no more: shown, or removed. */
import { ProblemError } from '../../diagnostics/problem.ts';
import { concurrencyKeys } from '../../kinds/concurrencyKey.ts';
import type { Kind, Note } from '../../kinds/kind.ts';
import { type FoundRecord, removalDiff } from '../../kinds/registered/registration.ts';
import type { RegisteredRecords } from '../../kinds/registered/view.ts';
import { kinds } from '../../kinds/registry.ts';
import { type Config, noOwner, reachableOwner } from '../config/config.ts';
import type { Session } from '../session.ts';
import type { Planned } from './planned.ts';

/** `show` names them; `prune` removes them. */
export type UndeclaredFate = 'show' | 'prune';

/**
 * Schedules before the deliveries that they name. Nobody is asked where no trigger service is configured, or where the declared
 * resources have told already that it can't be asked. @throws ProblemError, ServiceError
 */
export async function undeclaredIn(
  config: Config,
  session: Session,
  fate: UndeclaredFate,
  planned: readonly Planned[],
): Promise<Planned[]> {
  if (planned.some(({ unread, declared }) => unread !== undefined && declared.definition.record !== undefined))
    return [];
  const owner = fate === 'prune' ? ownerOf(config) : reachableOwner(config);
  if (owner === undefined) return [];
  const { url } = session.triggers();
  const found = recordsIn(await session.registered.of(owner), url, owner);
  const isDeclared = ({ kind, record }: Found) =>
    config.declared.some(({ definition, name }) => definition === kind && name === record.name);
  return found.filter((each) => !isDeclared(each)).map((each) => plannedFor(each, fate, url));
}

function ownerOf({ name }: Config): string {
  if (name === undefined) throw new ProblemError([noOwner]);
  return name;
}

interface Found {
  kind: Kind<unknown, unknown>;
  record: FoundRecord;
}

function recordsIn({ schedules, deliveries }: RegisteredRecords, triggers: string, owner: string): Found[] {
  const recordsOf = (record: FoundRecord['record'], names: Iterable<[string, { spec: object }]>) =>
    kinds
      .filter((kind) => kind.record === record)
      .flatMap((kind) =>
        [...names].map(([name, { spec }]) => ({ kind, record: { triggers, record, owner, name, registered: spec } })),
      );
  return [...recordsOf('schedule', schedules), ...recordsOf('delivery', deliveries)];
}

function plannedFor({ kind, record }: Found, fate: UndeclaredFate, url: string): Planned {
  const { collection, name: kindName } = kind;
  const id = { kind: kindName, collection, name: record.name };
  const shown = { changes: [], calls: [], notes: [notDeclared(record)], problems: [] };
  return {
    declared: { ...id, definition: kind, spec: undefined },
    intent: 'delete',
    plan: { ...id, ...(fate === 'prune' ? removalDiff(record) : shown), fingerprints: {} },
    state: undefined,
    concurrencyKey: concurrencyKeys.triggers(url),
  };
}

function notDeclared({ record, owner }: FoundRecord): Note {
  return {
    code: 'not-declared',
    text: `the ${record} is registered for ${owner}, and not declared: it stays, unless \`--prune\` removes it`,
  };
}
