/** Plans for plan, apply, drift and destroy. */
import { nearest } from '../../diagnostics/nearest.ts';
import { ProblemError } from '../../diagnostics/problem.ts';
import type { PlanMode } from '../../kinds/callType.ts';
import type { PlanReport } from '../../report/model/report.ts';
import { withCauses } from '../../sync/baseline/compare.ts';
import type { Config } from '../../sync/config/config.ts';
import { expiredExceptions, withExceptions } from '../../sync/config/exceptions.ts';
import type { Plan } from '../../sync/plan/plan.ts';
import type { Declared, Intent, Planned } from '../../sync/plan/planned.ts';
import { planAll } from '../../sync/plan/planner.ts';
import type { UndeclaredFate } from '../../sync/plan/undeclared.ts';
import { reconcileInFlight, resendProblems, type WithheldMove } from '../../sync/run/inFlight.ts';
import type { PlanFlags } from '../options/options.ts';
import type { Io } from '../output/io.ts';
import type { CommandContext, PlanningContext } from './commandContext.ts';
import { declarationFiles } from './declaration.ts';
import { withProgress } from './progress.ts';

/** Reads the live state and compares it with the declaration. If `recording`, journals the outcome of open calls of earlier runs. */
export async function planFrom(
  context: PlanningContext,
  flags: PlanFlags,
  io: Io,
  intent: Intent,
  recording = false,
): Promise<Planned[]> {
  const { config, session, recentRuns, settleMs, baseline } = context;
  const undeclared = undeclaredFate(flags);
  const select = selector(flags.select, config);
  return withProgress('reading the live state', io, async () => {
    const options = { settleMs, recording: recording ? context.backend : undefined, resend: flags.resend };
    const withheld = await reconcileInFlight(recentRuns, session, options);
    const planning = session.withFreshAccount();
    const { parallelism } = flags;
    const planned = await planAll(config, session, { intent, parallelism, select, undeclared, planning });
    const compared = await withCauses(planned, config.declared, baseline, planning);
    const muted = withExceptions(compared, config.exceptions, { today: today(), strict: flags.strict });
    return muted.map((each) => withoutResend(each, withheld, config));
  });
}

/** Returns the date in UTC. */
function today(): string {
  return new Date().toISOString().slice(0, 10);
}

function withoutResend(planned: Planned, withheld: readonly WithheldMove[], { locate }: Config): Planned {
  const { plan, declared } = planned;
  const problems = resendProblems(plan.calls, withheld);
  if (problems.length === 0) return planned;
  const located = problems.map((problem) => locate({ ...problem, at: 'key' }, [declared.collection, declared.name]));
  return { ...planned, plan: { ...plan, problems: [...plan.problems, ...located] } };
}

/** With --select, undeclared registrations are not considered. */
function undeclaredFate({ prune, select }: PlanFlags): UndeclaredFate | undefined {
  if (prune) return 'prune';
  return select === undefined ? 'show' : undefined;
}

export function planReport(
  plan: Plan,
  mode: PlanMode,
  { config, meta, baseline }: CommandContext & Partial<Pick<PlanningContext, 'baseline'>>,
  { strict, pending, file }: PlanFlags,
): PlanReport {
  const isCompared = mode === 'plan' || mode === 'drift';
  const warnings = isCompared ? expiredExceptions(config, today()) : [];
  const compared = isCompared ? { pending, baseline: baseline !== undefined, warnings } : {};
  return { about: 'plan', mode, strict, ...compared, plan, problems: [], files: declarationFiles(file), ...meta };
}

/** Returns a command line for the same declaration, which a user may run next. */
export function commandLine(words: readonly string[], { file = [], select = [], ...flags }: PlanFlags): string {
  const options = [...file.flatMap((each) => ['-f', each]), ...select.flatMap((each) => ['--select', each])];
  const { maxMoves, allowSelfLockout, allowUnclearListing, forcePorts, resend, prune, apiUrl, managerUrl } = flags;
  const others = [maxMoves, allowSelfLockout, allowUnclearListing, forcePorts, resend, prune, apiUrl, managerUrl];
  const line = ['webdata', ...words, ...options].map(shellWord).join(' ');
  return others.some((value) => value !== undefined) ? `${line} (and the other options)` : line;
}

function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** Parses `--select KIND/NAME`, with the kind or its collection in upper or lower case. @throws ProblemError for a selector that matches nothing */
function selector(selects: readonly string[] | undefined, { declared }: Config): (resource: Declared) => boolean {
  if (selects === undefined) return () => true;
  const chosen = new Set(selects.flatMap((text) => matching(text, declared)));
  return (resource) => chosen.has(resource);
}

function matching(text: string, declared: readonly Declared[]): Declared[] {
  // Also accepts `zoneIpAllocations.static`, as reports write it.
  const [, kind = '', name] = /^([^/.]*)[/.](.*)$/.exec(text) ?? [];
  const isKind = (resource: Declared) =>
    [resource.kind, resource.collection].some((known) => known.toLowerCase() === kind.toLowerCase());
  const found = declared.filter((resource) => isKind(resource) && resource.name === name);
  if (found.length > 0) return found;
  const names = declared.map((resource) => `${resource.kind}/${resource.name}`);
  const near = nearest(text, names);
  throw new ProblemError([
    {
      code: 'nothing-selected',
      found: `--select ${text} matches no declared resource`,
      allowed: names.join(', ') || 'KIND/NAME of a declared resource',
      fix: near === undefined ? 'name a declared resource as KIND/NAME' : `did you mean ${near}?`,
    },
  ]);
}
