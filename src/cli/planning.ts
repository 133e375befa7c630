/** The way from flags to a plan that plan, apply, drift and destroy share. */

import { planJson } from '../report/json.ts';
import type { PlanMode } from '../report/planSummary.ts';
import { planText } from '../report/planText.ts';
import { settleInterrupted } from '../sync/interrupted.ts';
import type { Plan } from '../sync/plan.ts';
import { type Intent, type Planned, planAll } from '../sync/planner.ts';
import type { Io } from './io.ts';
import type { OutputFlags, PlanFlags } from './options.ts';
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
  const select = selector(flags.select, config);
  return withProgress('reading the live state', io, async () => {
    await settleInterrupted(runs, session, settleMs, recording ? journal : undefined);
    return planAll(config, session, { intent, parallelism: flags.parallelism, select });
  });
}

export function printPlan(plan: Plan, mode: PlanMode, { meta }: Workbench, flags: OutputFlags, io: Io): void {
  io.stdout.write(
    flags.format === 'json'
      ? planJson(plan, { ...meta, mode })
      : planText(plan, { ...textOptions(flags, io), mode, strict: flags.strict }),
  );
}

export function textOptions({ color, full }: OutputFlags, { stdout, env }: Io) {
  return { color: color && wantsColor(env, stdout.isTTY ?? false), width: stdout.columns, full };
}

/** https://no-color.org, and its counterpart. */
function wantsColor(env: Io['env'], isTTY: boolean): boolean {
  if (env.NO_COLOR) return false;
  return isTTY || Boolean(env.FORCE_COLOR);
}
