/** Plans all declared resources. Reads only. Resources with the same concurrency key are planned one after the other. */

import pLimit from 'p-limit';
import { mergeByItem, type Problem, ProblemError } from '../../base/diagnostics/problem.ts';
import { isKeyRefusal, ServiceError } from '../../client/errors.ts';
import { callTypeOf } from '../../kinds/knownCalls.ts';
import type { Call } from '../../kinds/seam/call.ts';
import type { Views } from '../../kinds/seam/views.ts';
import type { Config } from '../declaration/config.ts';
import type { Session } from '../run/sessionViews.ts';
import type { Plan } from './plan.ts';
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
        planGroup(group, (declared) => planOne(declared, concurrencyKey, intent, config, planning), planning),
      ),
    ),
  );
  const all = planned.flat();
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

/**
 * Plans each resource as if those before it were applied. Retries resources with problems after the others, because they may need IPs
 * that others release. Does not retry after the API key was refused.
 */
async function planGroup(
  group: readonly Declared[],
  planDeclared: (declared: Declared) => Promise<Planned>,
  session: Session,
): Promise<Planned[]> {
  const done: Planned[] = [];
  let waiting = group;
  for (;;) {
    const postponed: Planned[] = [];
    for (const declared of waiting) {
      const planned = await planDeclared(declared);
      if (planned.plan.problems.length > 0) postponed.push(planned);
      else {
        for (const call of planned.plan.calls) expectDone(call, session);
        done.push(planned);
      }
    }
    const isRefused = postponed.some(({ unread }) => isKeyRefusal(unread));
    if (isRefused || postponed.length === 0 || postponed.length === waiting.length) return [...done, ...postponed];
    waiting = postponed.map(({ declared }) => declared);
  }
}

/** Changes the views as if the call were sent, for the resources that are planned after it. */
export function expectDone(call: Call, session: Views): void {
  callTypeOf(call).expect?.(call, session);
}

async function planOne(
  declared: Declared,
  concurrencyKey: string,
  intent: Intent,
  config: Config,
  session: Session,
): Promise<Planned> {
  const { definition, spec, kind, collection, name } = declared;
  const locate = (problem: Problem) => config.locate(problem, [collection, name]);
  const { place } = locate({ code: '', found: '', at: 'key' });
  const nothing = { kind, collection, name, place, changes: [], calls: [], notes: [] };
  try {
    const state = await definition.observe(spec, session.contextFor(declared));
    const diff = intent === 'delete' ? definition.removal.diff(spec, state) : definition.diff(spec, state);
    const inventory = diff.inventory?.map((zone) => {
      return { ...zone, place: zone.path && locate({ code: '', found: '', path: zone.path, at: 'key' }).place };
    });
    const plan = { ...nothing, ...diff, inventory, problems: mergeByItem(diff.problems.map(locate)) };
    return { declared, intent, plan, state, concurrencyKey };
  } catch (error) {
    const problems = mergeByItem(problemsOfError(error).map(locate));
    const unread = error instanceof ServiceError ? error : undefined;
    return { declared, intent, plan: { ...nothing, problems }, state: undefined, concurrencyKey, unread };
  }
}

/** Turns expected errors into problems. @throws other errors, which are bugs */
export function problemsOfError(error: unknown): Problem[] {
  if (error instanceof ProblemError) return [...error.problems];
  if (error instanceof ServiceError) return [{ code: error.code, found: error.message, fix: error.fix, affects: [] }];
  throw error;
}
