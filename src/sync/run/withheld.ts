/** Moves that the service accepted and that no listing shows: they are not sent again unless a person says so. */
import type { Problem } from '../../diagnostics/problem.ts';
import { counted } from '../../diagnostics/valueWords.ts';
import type { Call } from '../../kinds/call.ts';
import { movesOf } from '../../kinds/knownCalls.ts';
import type { Plan } from '../plan/plan.ts';

export interface WithheldMove {
  ip: string;
  from: string;
  to: string;
  acceptedAt: string;
  /** The id of the run that sent it. */
  run: string;
}

/** The plan with a problem for each resource that would send such moves again. */
export function withoutResends(plan: Plan, withheld: readonly WithheldMove[]): Plan {
  const resources = plan.resources.map((resource) => ({
    ...resource,
    problems: [...resource.problems, ...resendProblems(resource.calls, withheld)],
  }));
  return { resources };
}

/** What is wrong with calls that would send such moves again: from the same zone, as if nothing had happened. */
export function resendProblems(calls: readonly Call[], withheld: readonly WithheldMove[]): Problem[] {
  const moves = new Set(calls.flatMap((call) => movesOf(call).map(({ ip, from }) => moveKey(ip, from))));
  const again = withheld.filter(({ ip, from }) => moves.has(moveKey(ip, from)));
  const byCall = Map.groupBy(again, ({ from, to, acceptedAt, run }) => JSON.stringify([from, to, acceptedAt, run]));
  return [...byCall.values()].flatMap((its) => (its[0] ? [acceptedUnseen(its[0], its)] : []));
}

function moveKey(ip: string, from: string): string {
  return `${ip} ${from}`;
}

const mostShown = 10;

function acceptedUnseen({ from, to, acceptedAt, run }: WithheldMove, its: readonly WithheldMove[]): Problem {
  const shown = its.slice(0, mostShown).map(({ ip }) => ip);
  const more = its.length > mostShown ? `, and ${its.length - mostShown} more` : '';
  return {
    code: 'accepted-unseen',
    found: `run ${run.slice(0, 8)} moved ${counted(its.length, 'IP')} from ${from} to ${to}: the service accepted the call (${acceptedAt}), but no listing shows it: ${shown.join(', ')}${more}`,
    allowed: 'to send a move again once it is certain that it was not carried out',
    fix: 'wait and run it again, or ask the service; --resend sends the move again, which may be charged twice',
  };
}
