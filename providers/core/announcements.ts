/** Messages: what the engine cannot show as a difference of inputs, and calls before they are sent. */
import type { FrontName } from '../../src/base/diagnostics/fix.ts';
import { formatPath } from '../../src/base/diagnostics/path.ts';
import type { Problem } from '../../src/base/diagnostics/problem.ts';
import { printable } from '../../src/base/values/printable.ts';
import type { FrontTarget, PlanMessages, PlannedDiff } from '../../src/engine/doors/front.ts';
import { callKey, movesOf } from '../../src/kinds/knownCalls.ts';
import { isUnmanaged } from '../../src/kinds/knownNotes.ts';
import type { Call } from '../../src/kinds/seam/call.ts';
import type { Context } from '../../src/kinds/seam/context.ts';
import type { Diff } from '../../src/kinds/seam/kind.ts';
import { planSummary } from '../../src/report/model/report.ts';
import { styleOf } from '../../src/report/model/style.ts';
import { totalParts } from '../../src/report/model/summary.ts';
import { plannedRows } from '../../src/report/text/callRows.ts';
import { table } from '../../src/report/text/layout.ts';
import { formatFor } from './problems.ts';
import type { Resource } from './resource.ts';
import { storedOf } from './stored/table.ts';

const style = styleOf({ color: false, width: 100 });

/**
 * Shows a message. `plan` is about planned calls, which the plugin shows as child resources in a preview; `call` about calls that are sent next;
 * `remark` is anything else. Resolves when the user can see it, with false if this front shows such messages in another way.
 */
export type Print = (text: string, about: 'plan' | 'call' | 'remark') => Promise<boolean>;

/** A resource that is planned. */
export interface PlanTarget extends FrontTarget {
  resource: Resource;
  context(): Context;
  isNew: boolean;
}

/** Shows calls before the process sends them, once: with the plan, or at the latest when they are sent. */
export class Announcements {
  readonly #print: Print;
  readonly #shown = new Set<string>();

  constructor(print: Print) {
    this.#print = print;
  }

  /** Shows the plan of a resource in a preview, where the front does not show it otherwise. */
  async plan(target: PlanTarget, diff: Diff | undefined, about: 'plan' | 'call' = 'plan'): Promise<void> {
    const text = diff && announcement(target, diff);
    if (text !== undefined && (await this.#print(text, about))) this.shown(diff?.calls ?? []);
  }

  /** Notes that the front has shown these calls. */
  shown(calls: readonly Call[]): void {
    for (const key of calls.flatMap(keysOf)) this.#shown.add(key);
  }

  /** Shows a call that is about to be sent, unless it has been shown. */
  async beforeCall(target: PlanTarget, call: Call): Promise<void> {
    const keys = keysOf(call);
    const isShown = keys.every((key) => this.#shown.has(key));
    if (!isShown) await this.plan(target, { calls: [call], changes: [], notes: [], problems: [] }, 'call');
    // If something moves it back, the same call is shown again.
    for (const key of keys) this.#shown.delete(key);
  }
}

/** A call that moves IPs is shown if each of its moves is, in any division. */
function keysOf(call: Call): string[] {
  const moves = movesOf(call);
  if (moves.length === 0) return [`${call.type} ${callKey(call)}`];
  return moves.map(({ ip, from, to }) => `${call.type} ${ip} ${from} ${to}`);
}

/** The messages about plans: their calls, and why they cannot be applied yet. */
export function planMessages(
  front: FrontName,
  print: Print,
  announcements: Pick<Announcements, 'plan'>,
): PlanMessages<PlanTarget> {
  return {
    async planned(target, plan) {
      if (plan.withheld.length > 0) await print(warning(front, target, plan.withheld), 'remark');
      if (plan.problems.length > 0) return;
      await announcements.plan(target, plan.diff);
      const remark = takeoverIn(target, plan);
      if (remark !== undefined) await print(remark, 'remark');
    },
    async waiting(target, problems) {
      const exception = 'unless a resource that is declared later provides what is missing';
      await print(warning(front, target, problems, exception), 'remark');
    },
  };
}

/** The last declaration of a registration has it: another stack, workspace or file would lose it unnoticed. */
function takeoverIn(target: PlanTarget, { diff, state }: PlannedDiff): string | undefined {
  const { identity, kind } = target.resource;
  if (!target.isNew || identity === undefined || diff === undefined || storedOf(kind).isGone(state)) return undefined;
  const fields = [...new Set(diff.changes.map(({ path }) => String(path[0])))];
  if (fields.length === 0) return undefined;
  return [
    `${titleOf(target)}: warning: takes over a registration of ${identity.owner} that is there already, and changes ${fields.join(', ')}`,
    '  if another stack, workspace or file declares it, give this resource another owner or name',
  ].join('\n');
}

/** Returns undefined for an existing resource without calls: there is nothing to announce. */
function announcement(target: PlanTarget, diff: Diff): string | undefined {
  const { calls, changes, notes } = printable(diff);
  if (calls.length === 0 && !target.isNew) return undefined;
  const rows = table(plannedRows({ calls: calls.map((call) => ({ call })), changes }, style), 2, style.width);
  // The unmanaged IPs of an existing resource are an output already.
  const shown = notes.filter((note) => target.isNew || !isUnmanaged(note)).map(({ text }) => `  note: ${text}`);
  return [`${titleOf(target)}: ${summary(diff)}`, ...rows, ...shown].join('\n');
}

/** `exception` ends the sentence: `unless …`. */
function warning(front: FrontName, target: PlanTarget, problems: readonly Problem[], exception?: string): string {
  const title = `${titleOf(target)}: warning: cannot be applied yet${exception === undefined ? '' : `, ${exception}`}`;
  return withDetails(front, title, problems);
}

/** The message for a delete whose calls the service accepted, while the listings do not show all of them. */
export function deletedUnseen(
  front: FrontName,
  target: Omit<PlanTarget, 'isNew'>,
  problems: readonly Problem[],
): string {
  return withDetails(front, `${titleOf(target)}: warning: deleted, but not all of its moves are visible yet`, problems);
}

function withDetails(front: FrontName, title: string, problems: readonly Problem[]): string {
  const details = formatFor(front, problems).split('\n');
  return [title, ...details.map((line) => `  ${line}`)].join('\n');
}

/** The message if a server does not answer during a preview, because the same stack may create it. */
export function unreachableYet(target: PlanTarget, problems: readonly Problem[]): string {
  const causes = problems.map(({ found }) => found).join('; ');
  return `${titleOf(target)}: warning: its calls cannot be shown, because its server does not answer yet: ${causes}`;
}

/** The message for inputs that are unknown in a preview. */
export function unknownYet(kind: string, paths: readonly PropertyKey[][]): string {
  const named = paths.slice(0, 3).map(formatPath).join(', ');
  const isAre = paths.length === 1 ? 'is' : 'are';
  return `${kind}: its calls can be shown once ${named}${paths.length > 3 ? ', …' : ''} ${isAre} known`;
}

function titleOf({ resource: { kind, spec }, context }: Omit<PlanTarget, 'isNew'>): string {
  return `${kind.name} ${storedOf(kind).title(spec, context())}`;
}

function summary(diff: Diff): string {
  if (diff.calls.length === 0) return 'matches the live state; it is adopted without a call';
  const plan = { resources: [{ kind: '', collection: '', name: '', ...diff }] };
  const { totals } = planSummary(plan);
  const isRegistration = ({ total }: (typeof totals)[number]) => total.name === 'registrations';
  const isRegistered = totals.some((each) => isRegistration(each) && each.count > 0);
  const verb = diff.changes.some(({ kind }) => kind !== 'add') ? 'is changed' : 'is registered';
  const others = totals.filter((each) => !isRegistration(each));
  return [...totalParts({ totals: others }, 'plan'), ...(isRegistered ? [verb] : [])].join(', ');
}
