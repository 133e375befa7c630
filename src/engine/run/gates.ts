/**
 * The gates that a call passes in a run, in this order. The page `docs/architecture.md` has those before and after them too: what a plan is refused
 * for, and what stops a request at the last moment.
 */
import { assertNoProblems, type Problem } from '../../base/diagnostics/problem.ts';
import type { Call } from '../../kinds/seam/call.ts';
import type { Context } from '../../kinds/seam/context.ts';
import { isGuardProblem } from '../plan/plan.ts';
import type { Declared } from '../plan/resources.ts';
import type { InFlight, WithheldMove } from './inFlight.ts';

export interface Gates {
  inFlight: InFlight;
  /** Aborted, with a ProblemError, when no further call may begin. */
  stop?: AbortSignal | undefined;
  /** Accepted moves of the resource itself that no listing shows: the listings are then no basis for any of its calls. */
  unseen?: (() => readonly WithheldMove[]) | undefined;
  /** Shows a call to the user before it is sent. */
  show?: ((call: Call) => Promise<void>) | undefined;
}

interface Gate {
  name: string;
  /** @throws ProblemError if the call must not be sent */
  pass(call: Call, gates: Gates): void | Promise<void>;
}

const isRunning: Gate['pass'] = (_call, { stop }) => stop?.throwIfAborted();

export const callGates: readonly Gate[] = [
  { name: 'not stopped', pass: isRunning },
  {
    name: 'not sent before',
    pass: (call, { inFlight, unseen }) => assertNoProblems(inFlight.problems([call], unseen?.())),
  },
  { name: 'shown', pass: async (call, { show }) => show?.(call) },
  { name: 'not stopped meanwhile', pass: isRunning },
];

/** @throws ProblemError of the first gate that does not let the call pass */
export async function passGates(call: Call, gates: Gates): Promise<void> {
  for (const { pass } of callGates) await pass(call, gates);
}

/**
 * Returns the guards of a resource that calls of another one would break. Asked where the calls were planned before the resource was known.
 */
export async function guardsBrokenBy(
  calls: readonly Call[],
  { definition, spec }: Pick<Declared, 'definition' | 'spec'>,
  context: Context,
): Promise<Problem[]> {
  if (calls.length === 0) return [];
  const { scopes, broken } = definition.guards;
  return broken(spec, await definition.observe(spec, context), calls).filter(({ code }) => scopes[code] === 'every');
}

/** Other problems of a plan may be resolved by other resources, a broken guard is not. @throws ProblemError */
export function assertGuardsKept(problems: readonly Problem[]): void {
  assertNoProblems(problems.filter(isGuardProblem));
}
