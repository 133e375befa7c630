/**
 * What a preview tells a reviewer: the calls that each resource needs, from the live account, with the moves of the resources
 * before it expected. There is no preview call for dynamic providers, so that this happens while they are checked.
 */
import type { Problem } from '../../src/diagnostics/problem.ts';
import type { Diff } from '../../src/kinds/kind.ts';
import { expectDone } from '../../src/sync/plan/planner.ts';
import { announcement, warning } from './announcement.ts';
import { problemsFrom } from './failure.ts';
import { sayOnce } from './said.ts';
import { mayBeResolved, nameOf, type Stack } from './stack.ts';
import type { Target } from './target.ts';

export interface Planned {
  /** Undefined where the live state could not be read. */
  diff?: Diff;
  problems: Problem[];
}

export interface Planner {
  /** Plans a declared resource, says what it needs, and expects that to be done in the plans of those after it. */
  announce(target: Target): Promise<Planned>;
}

export function createPlanner({ planning, redact }: Pick<Stack, 'planning' | 'redact'>): Planner {
  const plans = new Map<string, Planned>();
  /** Resources whose plan wants something that those declared later may give. */
  let waiting: Target[] = [];

  const keyOf = ({ adapter, spec }: Target) => `${adapter.kind.name} ${nameOf(spec)}`;

  async function plan(target: Target): Promise<Planned> {
    const planned = await planOne(target);
    plans.set(keyOf(target), planned);
    if (planned.problems.length === 0) {
      for (const call of planned.diff?.calls ?? []) expectDone(call, planning);
      const text = announcement(target, planned.diff);
      if (text !== undefined) sayOnce(redact(text));
    }
    return planned;
  }

  async function planWaiting(): Promise<void> {
    for (let helped = true; helped && waiting.length > 0; ) {
      const before = waiting;
      waiting = [];
      for (const target of before) if ((await plan(target)).problems.length > 0) waiting.push(target);
      helped = waiting.length < before.length;
    }
  }

  return {
    async announce(target) {
      const known = plans.get(keyOf(target));
      if (known) return known;
      const planned = await plan(target);
      if (mayBeResolved(planned.problems)) {
        waiting.push(target);
        sayOnce(redact(warning(target, planned.problems)));
      }
      await planWaiting();
      return plans.get(keyOf(target)) ?? planned;
    },
  };
}

export async function planOne({ adapter, spec, context }: Omit<Target, 'isNew'>): Promise<Planned> {
  try {
    const diff = adapter.kind.diff(spec, await adapter.kind.observe(spec, context()));
    return { diff, problems: diff.problems };
  } catch (error) {
    return { problems: problemsFrom(error) };
  }
}
