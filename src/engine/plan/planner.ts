/** Plans all declared resources. Reads only. Resources with the same concurrency key are planned one after the other. */

import pLimit from 'p-limit';
import { mergeByItem, type Problem } from '../../base/diagnostics/problem.ts';
import { ServiceError } from '../../client/errors.ts';
import type { Config } from '../declaration/config.ts';
import type { InFlight } from '../run/inFlight.ts';
import type { Session } from '../run/session.ts';
import type { Plan } from './plan.ts';
import { planInRounds, planResource, problemsOfError } from './planResource.ts';
import type { Declared, Intent, Planned } from './resources.ts';
import { type DeclaredBy, type UndeclaredFate, undeclaredIn } from './undeclared.ts';

interface PlanOptions {
  intent?: Intent;
  parallelism?: number;
  select?: (resource: Declared) => boolean;
  /** The treatment of undeclared registrations of this owner. By default, they are not read. */
  undeclared?: UndeclaredFate | undefined;
  /** Names the other declaration of a registration. */
  declaredBy?: DeclaredBy | undefined;
  /** Receives problems that block nothing and belong to no resource. */
  warn?: ((problem: Problem) => void) | undefined;
  /** The session whose views the plan uses. By default, one with new views. */
  planning?: Session;
  /** The calls that may be on their way: they are not planned again. */
  inFlight?: Pick<InFlight, 'problems'> | undefined;
}

export function planOf(planned: readonly Planned[]): Plan {
  return { resources: planned.map(({ plan }) => plan) };
}

export async function planAll(config: Config, session: Session, options: PlanOptions = {}): Promise<Planned[]> {
  const { intent = 'update', parallelism = defaultParallelism, select = () => true, undeclared } = options;
  const { planning = session.withFreshAccount() } = options;
  const groups = Map.groupBy(config.declared.filter(select), (declared) => concurrencyKeyOf(declared, planning));
  const limit = pLimit(parallelism);
  const planned = await Promise.all(
    [...groups].map(([concurrencyKey, group]) =>
      limit(() =>
        planInRounds(
          group,
          (declared) =>
            planOne(declared, concurrencyKey, intent, config, { session: planning, inFlight: options.inFlight }),
          ({ plan }) => plan.problems.length > 0,
        ),
      ),
    ),
  );
  const all = planned.flatMap(({ done, left }) => [...done, ...left].map((each) => each.planned));
  if (undeclared === undefined || intent === 'delete') return all;
  if (undeclared === 'prune') return [...all, ...(await undeclaredIn(config, planning, undeclared, all, options))];
  return [...all, ...(await undeclaredOrWarning(config, planning, all, options))];
}

/** The longest wait for an answer that only names leftovers: a change of zones does not wait for a trigger service that hangs. */
const leftoversMs = 5000;

/** A trigger service that cannot be read costs a warning, because nothing that is declared depends on its answer. */
async function undeclaredOrWarning(
  config: Config,
  planning: Session,
  planned: readonly Planned[],
  { warn, declaredBy }: Pick<PlanOptions, 'warn' | 'declaredBy'>,
): Promise<Planned[]> {
  const patience = AbortSignal.timeout(leftoversMs);
  try {
    return await undeclaredIn(config, planning, 'show', planned, { patience, declaredBy });
  } catch (error) {
    const isInterrupted = error instanceof ServiceError && error.code === 'aborted' && !patience.aborted;
    if (isInterrupted) throw error;
    const [cause] = problemsOfError(error);
    warn?.(leftoversNotRead(patience.aborted ? `no answer within ${leftoversMs / 1000} s` : cause?.found));
    return [];
  }
}

function leftoversNotRead(cause = 'no answer'): Problem {
  return {
    code: 'undeclared-not-read',
    found: `undeclared deliveries and schedules were not looked for, because the trigger service cannot be read: ${cause}`,
    fix: 'see `webdata doctor`; the resources of this plan do not depend on it',
    affects: [],
  };
}

export const defaultParallelism = 10;

/** Returns the concurrency key. If there is none, such as without a URL, uses a key of its own; reading the resource reports the cause. */
export function concurrencyKeyOf(declared: Declared, session: Session): string {
  try {
    return declared.definition.concurrencyKey(declared.spec, session.contextFor(declared));
  } catch {
    return `${declared.collection} ${declared.name}`;
  }
}

async function planOne(
  declared: Declared,
  concurrencyKey: string,
  intent: Intent,
  config: Config,
  { session, inFlight }: { session: Session; inFlight: PlanOptions['inFlight'] },
): Promise<Planned> {
  const { definition, spec, kind, collection, name } = declared;
  const locate = (problem: Problem) => config.locate(problem, [collection, name]);
  const placeOf = (path?: PropertyKey[]) => locate({ code: '', found: '', ...(path && { path }), at: 'key' }).place;
  const compare = async () => {
    const state = await definition.observe(spec, session.contextFor(declared));
    return { state, diff: intent === 'delete' ? definition.removal.diff(spec, state) : definition.diff(spec, state) };
  };
  const { diff, state, unread, ...found } = await planResource(compare, { views: session, inFlight });
  const inventory = diff?.inventory?.map((zone) => ({ ...zone, place: zone.path && placeOf(zone.path) }));
  const withheld = found.withheld.map((problem) => ({ ...problem, at: 'key' as const }));
  const own = found.problems.filter((problem) => !found.withheld.includes(problem));
  const problems = [...mergeByItem(own.map(locate)), ...withheld.map(locate)];
  const nothing = { kind, collection, name, place: placeOf(), changes: [], calls: [], notes: [] };
  return { declared, intent, plan: { ...nothing, ...diff, inventory, problems }, state, concurrencyKey, unread };
}
