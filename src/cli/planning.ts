/** The way from flags to a plan that plan, apply, drift and destroy share. */

import type { PlanReport } from '../report/report.ts';
import type { PlanMode } from '../resources/callType.ts';
import { settleInterrupted } from '../sync/interrupted.ts';
import type { Plan } from '../sync/plan.ts';
import type { Intent, Planned } from '../sync/planned.ts';
import { planAll } from '../sync/planner.ts';
import type { UndeclaredFate } from '../sync/undeclared.ts';
import type { Io } from './io.ts';
import type { PlanFlags } from './options.ts';
import { withProgress } from './progress.ts';
import { selector } from './select.ts';
import type { Workbench } from './workbench.ts';

/** Reads and compares; writes nothing, except to the journal where `recording`: what became of calls that were cut off. */
export async function planFrom(
  workbench: Workbench,
  flags: PlanFlags,
  io: Io,
  intent: Intent,
  recording = false,
): Promise<Planned[]> {
  const { config, session, runs, settleMs, journal } = workbench;
  const undeclared = undeclaredFate(flags);
  const select = selector(flags.select, config);
  return withProgress('reading the live state', io, async () => {
    await settleInterrupted(runs, session, settleMs, recording ? journal : undefined);
    return planAll(config, session, { intent, parallelism: flags.parallelism, select, undeclared });
  });
}

/** Whoever selects resources asks for nothing else. */
function undeclaredFate({ prune, select }: PlanFlags): UndeclaredFate | undefined {
  if (prune) return 'prune';
  return select === undefined ? 'show' : undefined;
}

export function planReport(plan: Plan, mode: PlanMode, { meta }: Workbench, { strict }: PlanFlags): PlanReport {
  return { about: 'plan', mode, strict, plan, problems: [], ...meta };
}
