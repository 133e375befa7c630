/** Reports of a bare plan or result, with the rest filled in. */

import type { Plan } from '../../src/engine/plan/plan.ts';
import type { ApplyResult } from '../../src/engine/run/applyResult.ts';
import { json } from '../../src/report/json/json.ts';
import type { PlanReport, RunReport } from '../../src/report/model/report.ts';
import type { TextOptions } from '../../src/report/model/style.ts';
import { textFormat } from '../../src/report/text/text.ts';
import { planReport, runReport } from './samples.ts';

const plain = { color: false };

export function planText(plan: Plan, { mode = 'plan', strict, ...options }: TextOptions & Partial<PlanReport>): string {
  return textFormat.one(planReport(plan, { mode, strict }), options);
}

export function applyText(
  result: ApplyResult,
  { command = 'apply', ...options }: TextOptions & Partial<RunReport>,
): string {
  return textFormat.one(runReport(result, { command }), options);
}

export function planJson(plan: Plan, more: Partial<PlanReport>): string {
  return json(planReport(plan, more), plain);
}

export function applyJson(result: ApplyResult, more: Partial<RunReport>): string {
  return json(runReport(result, more), plain);
}
