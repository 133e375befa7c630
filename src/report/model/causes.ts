/** The causes of differences, for every format: what has drifted, what waits for an apply, and which alarms are muted. */
import { counted } from '../../base/diagnostics/valueWords.ts';
import {
  type Cause,
  type CausedChange,
  isMuted,
  type MutedBy,
  type Plan,
  type ResourcePlan,
  resourceTitle,
} from '../../engine/doors/plan.ts';
import type { PlanMode } from '../../kinds/seam/callWords.ts';
import { differenceWords } from './differences.ts';
import type { PlanReport } from './report.ts';

type CauseReport = Pick<PlanReport, 'mode' | 'baseline'>;

/** The differences of a resource that have the same cause, or that the same exception mutes. */
export interface CauseGroup {
  cause: Cause | 'muted';
  /** `drift`, `drift and pending`, `muted`. */
  label: string;
  /** The differences in words; for `both` with the value of the baseline. */
  items: readonly string[];
  /** The run that made the change or a part of it; for `muted` the reason, owner and date of the exception. */
  remark?: string | undefined;
}

const causeWords: Record<Cause | 'muted', string> = {
  drift: 'drift',
  pending: 'pending',
  both: 'drift and pending',
  muted: 'muted',
};

/** Returns the groups to show. A plan shows them only where something has drifted or is muted: what is pending is what a plan is for. */
export function causeGroups(resource: ResourcePlan, { mode, baseline }: CauseReport): CauseGroup[] {
  const { kind, causes = [] } = resource;
  const muted = mutedGroups(resource);
  if (!baseline) return muted;
  const groups = (['drift', 'both', 'pending'] as const).flatMap((cause): CauseGroup[] => {
    const changesOfCause = causes.filter(
      (change) => change.cause === cause && !isMuted(change) && isShown(change, mode),
    );
    return [...Map.groupBy(changesOfCause, ({ run }) => run)].flatMap(([run, some]) => {
      const remark = run === undefined ? undefined : runRemark(cause, run, some[0]?.by);
      return [{ cause, label: causeWords[cause], items: differenceWords(kind, some), remark }];
    });
  });
  const isPlain = groups.every(({ cause, remark }) => cause === 'pending' && remark === undefined);
  return mode === 'plan' && isPlain && muted.length === 0 ? [] : [...groups, ...muted];
}

/** An assumed cause is no news of a plan: what was never applied need not have been changed by hand. */
function isShown({ isAssumed = false }: CausedChange, mode: PlanMode | undefined): boolean {
  return mode !== 'plan' || !isAssumed;
}

function runRemark(cause: Cause, run: string, by: string | undefined): string {
  const words = `run ${run}${by === undefined ? '' : `, by ${by}`}`;
  return cause === 'pending' ? `left unfinished by ${words}` : `made by ${words}`;
}

function mutedGroups({ kind, causes = [], notes }: ResourcePlan): CauseGroup[] {
  const items = [
    ...causes.filter(isMuted).map((change) => ({ muted: change.muted, items: differenceWords(kind, [change]) })),
    ...notes.map(({ code, muted }) => ({ muted, items: [code] })),
  ];
  const groups = Map.groupBy(items, ({ muted }) => (muted === undefined ? '' : remarkOn(muted)));
  return [...groups].flatMap(([remark, groupsWithRemark]): CauseGroup[] => {
    if (remark === '') return [];
    return [{ cause: 'muted', label: causeWords.muted, items: groupsWithRemark.flatMap((each) => each.items), remark }];
  });
}

function remarkOn({ reason, owner, until }: MutedBy): string {
  return `${reason}; ${owner}, until ${until}`;
}

/** Counts differences. Muted ones count as muted only, unless they are pending anyway. */
type CauseCounts = Record<Cause | 'muted', number>;

export function countCauses({ resources }: Plan, mode?: PlanMode): CauseCounts {
  const counts: CauseCounts = { drift: 0, pending: 0, both: 0, muted: 0 };
  for (const { causes = [], notes } of resources) {
    for (const change of causes.filter((each) => isShown(each, mode)))
      counts[isMuted(change) ? 'muted' : change.cause] += 1;
    counts.muted += notes.filter(({ muted }) => muted !== undefined).length;
  }
  return counts;
}

/** Returns the counts as a sentence without its end: `1 difference is drift, 2 are pending, 1 is both`. */
export function causeSentence(counts: CauseCounts): string {
  // "Both" needs the two words that it refers to before it.
  const both = counts.drift > 0 && counts.pending > 0 ? 'both' : 'both drift and pending';
  const words = { drift: 'drift', both, pending: 'pending', muted: 'muted' };
  const parts = (['drift', 'pending', 'both', 'muted'] as const).filter((cause) => counts[cause] > 0);
  return parts
    .map((cause, index) => {
      const count = counts[cause];
      const noun = index === 0 ? counted(count, 'difference') : String(count);
      return `${noun} ${count === 1 ? 'is' : 'are'} ${words[cause]}`;
    })
    .join(', ');
}

/** Returns sentences on what was compared, and with what. */
export function comparisonRemarks(report: PlanReport): string[] {
  return [baselineRemark(report), neighbourRemark(report)].filter((each) => each !== undefined);
}

/** Names the resources of the account that other declarations answer for. */
function neighbourRemark({ neighbours = [] }: PlanReport): string | undefined {
  if (neighbours.length === 0) return undefined;
  const whose = neighbours.map(({ name, resources }) => `${counted(resources.length, 'resource')} declared by ${name}`);
  return `Not compared here: ${whose.join(', ')}.`;
}

function baselineRemark({ mode, baseline, plan }: CauseReport & Pick<PlanReport, 'plan'>): string | undefined {
  const hasDifferences = plan.resources.some(({ calls, causes = [] }) => calls.length + causes.length > 0);
  if (mode !== 'drift' || baseline === undefined || !hasDifferences) return undefined;
  const assumed = plan.resources.filter(({ causes = [] }) => causes.some(({ isAssumed }) => isAssumed));
  if (baseline && assumed.length === 0) return undefined;
  const what = baseline ? `a baseline of ${assumed.map(resourceTitle).join(', ')}` : 'a baseline';
  return `Without ${what}, every difference counts as drift, also changes that are declared and not applied yet. The next complete apply records one.`;
}
