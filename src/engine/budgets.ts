/** Compares a plan with the budgets of its declaration. */
import type { Problem } from '../base/diagnostics/problem.ts';
import { counted } from '../base/diagnostics/valueWords.ts';
import { movedBy } from '../kinds/knownCalls.ts';
import { type PlanningContext, runsOf } from './context.ts';
import { costOf, costWords } from './forecast/costs.ts';
import { forecast } from './forecast/forecast.ts';
import type { PlanningOptions } from './options.ts';
import { countMoves, type Plan } from './plan/plan.ts';

const dayMs = 86_400_000;
const forecastDays = 30;

interface Remarks {
  problems: readonly Problem[];
  warnings?: readonly Problem[] | undefined;
}

/** Adds the exceeded budgets of a plan to its warnings, or with `enforce` to its problems. @throws ProblemError */
export async function withBudgets<Report extends Remarks>(
  report: Report,
  context: PlanningContext,
  plan: Plan,
  { enforce = false }: Pick<PlanningOptions, 'enforce'>,
): Promise<Report> {
  const over = await budgetProblems(context, plan);
  if (over.length === 0) return report;
  const { problems, warnings = [] } = report;
  return enforce ? { ...report, problems: [...problems, ...over] } : { ...report, warnings: [...warnings, ...over] };
}

/** Returns a problem for each budget that the plan exceeds. Reads the journal only if a budget needs it. @throws ProblemError */
async function budgetProblems(context: PlanningContext, plan: Plan): Promise<Problem[]> {
  const { budgets, prices = {}, declared, locate } = context.config;
  if (budgets === undefined) return [];
  const { movesPerMonth, triggersPerDay, costPerMonth } = budgets;
  const needsRuns = movesPerMonth !== undefined || costPerMonth !== undefined;
  const now = Date.now();
  const month = new Date(now).toISOString().slice(0, 7);
  const earlier = needsRuns ? await movesIn(month, context) : 0;
  const planned = countMoves(plan);
  const moves = earlier + planned;
  const { schedules, busiestDay } = forecast(declared, { from: now, until: now + forecastDays * dayMs });
  const cost = costOf(moves, schedules, prices);
  const over: Problem[] = [];
  const exceeded = (budget: keyof typeof budgets, problem: Omit<Problem, 'code' | 'path'>) =>
    over.push({ code: 'over-budget', path: ['budgets', budget], ...problem });
  if (movesPerMonth !== undefined && moves > movesPerMonth) {
    exceeded('movesPerMonth', {
      found: `${counted(moves, 'IP')} would have moved in ${month}: ${earlier} in earlier runs, and ${planned} by this plan`,
      allowed: `${movesPerMonth}, the budget of a month`,
      fix: 'move fewer IPs, wait for the next month, or raise the budget',
    });
  }
  if (triggersPerDay !== undefined && busiestDay !== undefined && busiestDay.triggers > triggersPerDay) {
    exceeded('triggersPerDay', {
      found: `the declared schedules trigger ${busiestDay.triggers} times on ${busiestDay.date}`,
      allowed: `${triggersPerDay}, the budget of a day`,
      fix: 'trigger less often, pause a schedule, or raise the budget',
    });
  }
  if (costPerMonth !== undefined && cost.amount > costPerMonth) {
    exceeded('costPerMonth', {
      found: `${moves} moves in ${month} and the triggers of the next ${forecastDays} days cost ${costWords(cost)}`,
      allowed: `${costPerMonth}, the budget of a month`,
      fix: 'move or trigger less, correct the prices, or raise the budget',
    });
  }
  return over.map((problem) => locate(problem, []));
}

/** Returns the number of IPs that runs on the account are known to have moved in a month (UTC). */
async function movesIn(month: string, context: PlanningContext): Promise<number> {
  const calls = (await runsOf(context)).flatMap((run) => run.calls);
  return calls.filter(({ sentAt }) => sentAt.startsWith(month)).reduce((sum, sent) => sum + movedBy(sent).length, 0);
}
