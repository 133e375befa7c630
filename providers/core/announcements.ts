/** Shows calls before they are sent, once: in a preview, or at the latest when a resource is written. */

import { callKey, movesOf } from '../../src/kinds/knownCalls.ts';
import type { Call } from '../../src/kinds/seam/call.ts';
import type { Diff } from '../../src/kinds/seam/kind.ts';
import { announcement, type PlanTarget, type Print } from './announcement.ts';
import type { RunNotes } from './runNotes.ts';

export interface Announcements {
  /** Shows the plan of a resource in a preview, where the front does not show it otherwise. */
  plan(target: PlanTarget, diff: Diff | undefined): Promise<void>;
  /** Notes that the front has shown these calls. */
  shown(calls: readonly Call[]): void;
  /** Shows the plan of a resource that is about to be written, unless its calls have been shown. */
  beforeWrite(target: PlanTarget, diff: Diff): Promise<void>;
  /** Shows a call that is about to be sent, unless it has been shown. */
  beforeCall(target: PlanTarget, call: Call): Promise<void>;
}

export function createAnnouncements(print: Print, notes: RunNotes): Announcements {
  const isShown = (call: Call) => notesOn(call).every((note) => notes.has(note));
  const shown = (calls: readonly Call[]) => notes.add(calls.flatMap(notesOn));

  async function show(target: PlanTarget, diff: Diff, about: 'plan' | 'call'): Promise<void> {
    const text = announcement(target, diff);
    if (text !== undefined && (await print(text, about))) shown(diff.calls);
  }

  return {
    shown,
    plan: async (target, diff) => {
      if (diff !== undefined) await show(target, diff, 'plan');
    },
    async beforeWrite(target, diff) {
      if (!diff.calls.every(isShown)) await show(target, diff, 'call');
    },
    async beforeCall(target, call) {
      if (!isShown(call)) await show(target, { calls: [call], changes: [], notes: [], problems: [] }, 'call');
      // If something moves it back, the same call is shown again.
      notes.remove(notesOn(call));
    },
  };
}

/** A call that moves IPs is shown if each of its moves is, in any division. */
function notesOn(call: Call): string[] {
  const moves = movesOf(call);
  if (moves.length === 0) return [`${call.type} ${callKey(call)}`];
  return moves.map(({ ip, from, to }) => `${call.type} ${ip} ${from} ${to}`);
}
