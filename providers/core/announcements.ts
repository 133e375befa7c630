/** Shows calls before the process sends them, once: with the plan, or at the latest when a resource is written. */

import type { FrontName } from '../../src/base/diagnostics/fix.ts';
import type { PlanMessages, PlannedDiff } from '../../src/engine/doors/front.ts';
import { callKey, movesOf } from '../../src/kinds/knownCalls.ts';
import type { Call } from '../../src/kinds/seam/call.ts';
import type { Diff } from '../../src/kinds/seam/kind.ts';
import { announcement, type PlanTarget, type Print, takeover, warning } from './announcement.ts';
import { storedOf } from './stored/table.ts';

export interface Announcements {
  /** Shows the plan of a resource in a preview, where the front does not show it otherwise. */
  plan(target: PlanTarget, diff: Diff | undefined): Promise<void>;
  /** Notes that the front has shown these calls. */
  shown(calls: readonly Call[]): void;
  /** Shows a call that is about to be sent, unless it has been shown. */
  beforeCall(target: PlanTarget, call: Call): Promise<void>;
}

export function createAnnouncements(print: Print): Announcements {
  const shownKeys = new Set<string>();
  const isShown = (call: Call) => keysOf(call).every((key) => shownKeys.has(key));
  const shown = (calls: readonly Call[]) => {
    for (const key of calls.flatMap(keysOf)) shownKeys.add(key);
  };

  async function show(target: PlanTarget, diff: Diff, about: 'plan' | 'call'): Promise<void> {
    const text = announcement(target, diff);
    if (text !== undefined && (await print(text, about))) shown(diff.calls);
  }

  return {
    shown,
    plan: async (target, diff) => {
      if (diff !== undefined) await show(target, diff, 'plan');
    },
    async beforeCall(target, call) {
      if (!isShown(call)) await show(target, { calls: [call], changes: [], notes: [], problems: [] }, 'call');
      // If something moves it back, the same call is shown again.
      for (const key of keysOf(call)) shownKeys.delete(key);
    },
  };
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
  return fields.length === 0 ? undefined : takeover(target, identity, fields);
}
