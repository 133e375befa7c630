/** Steps that only read: plan, plan file and drift. */

import type { CommandResult } from '../frame/world.ts';
import { brokenGuards, misplaced, unreached } from './rules.ts';
import { AccountState, type OwnedCall } from './state.ts';
import { insist, insistEqual, insistNone, type ModelCommand, type Real, step } from './step.ts';
import { callsOf, type PlanJson, resultText } from './tool.ts';

export interface ModelPlan {
  /** The codes of the problems. */
  problems: string[];
  calls: OwnedCall[];
  text: string;
}

/** Plans now, and checks the plan against the rules. */
export async function planNow(
  account: AccountState,
  { tool, count }: Real,
  allowMoves?: number,
  more: readonly string[] = [],
): Promise<ModelPlan> {
  count('plans');
  const result = await tool.webdata(['plan', '--format', 'json', ...allowing(allowMoves), ...more]);
  const { summary, resources } = documentOf<PlanJson>(result);
  const problems = resources.flatMap((resource) => resource.problems.map(({ code }) => code));
  const calls = callsOf({ summary, resources });
  insistEqual('a plan writes nothing', 0, tool.asked());
  insistEqual(`the exit code of a plan with ${problems}`, summary.problems > 0 ? 1 : 0, result.code);
  if (problems.length > 0) count('refusals');
  else checkCalls(calls, account, allowMoves);
  return { problems, calls, text: resultText(calls) };
}

function checkCalls(calls: readonly OwnedCall[], account: AccountState, allowMoves: number | undefined): void {
  insistNone('planned calls', misplaced(calls, account.where));
  insistNone('guards in a plan', brokenGuards(calls, account.declaration, account.where, { allowMoves }));
  const after = afterCalls(account, calls);
  insistNone('the declaration after the plan', unreached(account.declaration, after, account.where));
}

function afterCalls(account: AccountState, calls: readonly OwnedCall[]): AccountState {
  const after = new AccountState();
  for (const [ip, zone] of account.where) after.add(ip, zone, account.countryOf(ip));
  after.carryOut(calls);
  return after;
}

export function allowing(allowMoves: number | undefined): string[] {
  return allowMoves === undefined ? [] : ['--max-moves', String(allowMoves)];
}

export function documentOf<Document>({ stdout, stderr, code }: CommandResult): Document {
  insist(stdout.startsWith('{'), () => `no document on stdout, exit code ${code}: ${stdout}${stderr}`);
  return JSON.parse(stdout);
}

export const planCommand = (allowMoves: number | undefined): ModelCommand =>
  step(`plan ${allowing(allowMoves).join(' ')}`, async (account, real) => {
    const first = await planNow(account, real, allowMoves);
    insistEqual('the same plan again', first, await planNow(account, real, allowMoves));
  });

export const planOutCommand = (): ModelCommand =>
  step('plan --output', async (account, real) => {
    const { problems, text } = await planNow(account, real, undefined, ['--output', 'plan.json']);
    if (problems.length > 0) return;
    account.kept = { calls: text, declaration: JSON.stringify(account.declaration), applied: false };
  });

/** Guards limit calls, not differences: drift shows a difference even if a guard forbids its calls. */
export const driftCommand = (): ModelCommand =>
  step('drift', async (account, real) => {
    const { problems, calls } = await planNow(account, real);
    const isUnknown = problems.some((code) => !guards.has(code));
    const isDrift = problems.length > 0 || calls.length > 0;
    const { code, stdout } = await real.tool.webdata(['drift', '--pending', '--format', 'json']);
    const forgotten = noLongerDeclared(stdout);
    insistNone(
      'resources that are still declared',
      forgotten.filter((name) => name in account.declaration.allocations),
    );
    // An empty declaration is no agreement, even if nothing of it was applied.
    const isEmpty = Object.keys(account.declaration.allocations).length === 0 && stdout.includes('"nothing-declared"');
    const isError = isUnknown || isEmpty || forgotten.length > 0;
    insistEqual(`the exit code of drift --pending, ${problems} ${stdout}`, isError ? 1 : isDrift ? 2 : 0, code);
    const { code: withoutPending } = await real.tool.webdata(['drift']);
    insist(
      withoutPending === code || (withoutPending === 0 && code === 2),
      () => `drift: ${withoutPending}, not ${code}`,
    );
    insistEqual('drift writes nothing', 0, real.tool.asked());
  });

/** Returns the allocations that were applied and that drift misses in the declaration. */
function noLongerDeclared(stdout: string): string[] {
  const { problems = [] } = JSON.parse(stdout) as { problems?: { code: string; found: string }[] };
  const missed = problems.filter(({ code }) => code === 'no-longer-declared');
  return missed.flatMap(({ found }) => [...found.matchAll(/ZoneIpAllocation\/([\w-]+)/g)].map(([, name = '']) => name));
}

const guards: ReadonlySet<string> = new Set(['protected', 'below-floor', 'too-many-moves']);
