/** Steps that apply. Without interference, an apply does what was planned; while another user moves IPs, the guards still hold. */

import type { CommandResult } from '../frame/world.ts';
import { allowing, documentOf, type ModelPlan, planNow } from './planning.ts';
import { brokenGuards } from './rules.ts';
import type { AccountState, MigrateCall, OwnedCall } from './state.ts';
import { insist, insistEqual, insistNone, type ModelCommand, type Real, step } from './step.ts';
import { type MadeJson, orderText, ownedCall, type PlanJson, type RunJson } from './tool.ts';

interface Disturbance {
  /** The number of requests after which it happens. */
  request: number;
  ip: number;
  to: string;
}

export const applyCommand = (
  allowMoves: number | undefined,
  parallelism: number,
  disturbed?: Disturbance,
): ModelCommand =>
  step(
    `apply ${allowing(allowMoves).join(' ')}, ${parallelism} at a time${disturbed ? `, disturbed: ${JSON.stringify(disturbed)}` : ''}`,
    async (account, real) => {
      const planned = await planNow(account, real, allowMoves);
      const options = [...allowing(allowMoves), '--parallelism', String(parallelism)];
      const args = ['apply', '--yes', '--format', 'json', ...options];
      if (disturbed) return applyDisturbed(args, disturbed, account, real, allowMoves);
      await expectAsPlanned(args, planned, account, real, parallelism);
      if (planned.problems.length === 0) await expectNothingLeft(account, real);
    },
  );

/** Applies a plan file, which must be refused if it is out of date or was applied before. */
export const applyFileCommand = (parallelism: number): ModelCommand =>
  step(`apply plan.json, ${parallelism} at a time`, async (account, real) => {
    const { kept } = account;
    // Without declared allocations, `apply` has no declaration to compare the plan file with.
    if (kept === undefined || Object.keys(account.declaration.allocations).length === 0) return;
    const planned = await planNow(account, real);
    const args = ['apply', 'plan.json', '--yes', '--format', 'json', '--parallelism', String(parallelism)];
    const isStale = planned.text !== kept.calls || JSON.stringify(account.declaration) !== kept.declaration;
    if (!isStale && !kept.applied && planned.problems.length === 0) {
      kept.applied = planned.calls.length > 0;
      return expectAsPlanned(args, planned, account, real, parallelism);
    }
    const { code } = await real.tool.webdata(args);
    insistEqual('the exit code of a plan file that is stale', 1, code);
    insistEqual('calls of a plan file that is stale', 0, real.tool.asked());
  });

async function expectAsPlanned(
  args: readonly string[],
  { problems, calls }: ModelPlan,
  account: AccountState,
  { tool, count }: Real,
  parallelism: number,
): Promise<void> {
  const result = await tool.webdata(args);
  const effects = tool.effects();
  insistEqual('the exit code of an apply', problems.length > 0 ? 1 : 0, result.code);
  const made = problems.length > 0 ? [] : calls;
  insistEqual('calls that were made', orderText(made, parallelism), orderText(effects, parallelism));
  insistEqual('requests that asked for a move', effects.length, tool.asked());
  if (effects.length === 0) return;
  count('applies that moved');
  for (const _ of effects) count('calls');
  account.carryOut(effects);
  account.runs.push({ calls, done: true });
  expectCharges(result, effects);
}

/** Checks that the report counts exactly the billed moves of the account. */
function expectCharges(result: CommandResult, effects: readonly MigrateCall[], arrived?: Arrived): RunJson {
  const run = documentOf<RunJson>(result);
  const isEffect = (call: OwnedCall) => effects.some((effect) => isPartOf(effect, call));
  const moved = run.resources
    .flatMap(({ made }) => made)
    .filter(mayHaveMoved)
    .filter((each) => !isBrought(each, arrived) || isEffect(ownedCall(each.call, '')));
  insistEqual('calls that may incur charges', effects.length, moved.length);
  insist(
    moved.every(({ call }) => call.mayIncurCharges),
    () => 'a call that moved IPs is not said to incur charges',
  );
  return run;
}

/** The place to which another user has moved an IP meanwhile. */
interface Arrived {
  ip: string;
  to: string;
}

/** Returns true if the IP is at the target of its call. The tool then counts it as moved, even if another user moved it. */
function isBrought({ call, movedIps }: MadeJson, arrived: Arrived | undefined): boolean {
  return call.to === arrived?.to && movedIps.every((ip) => ip === arrived.ip);
}

function mayHaveMoved({ movedIps, answered }: MadeJson): boolean {
  return movedIps.length > 0 || (answered?.count ?? 0) > 0;
}

async function expectNothingLeft(account: AccountState, real: Real): Promise<void> {
  const { problems, calls } = await planNow(account, real);
  insistEqual('a second plan after an apply', { problems: [], calls: [] }, { problems, calls });
}

async function applyDisturbed(
  args: readonly string[],
  { request, ip: index, to }: Disturbance,
  account: AccountState,
  { tool, count }: Real,
  allowMoves: number | undefined,
): Promise<void> {
  const ip = account.ip(index);
  let before: { place: string; effects: number } | undefined;
  const happens = () => {
    if (ip === undefined) return;
    before = { place: tool.places().get(ip) ?? '', effects: tool.effects().length };
    tool.emulator.move([ip], to);
  };
  const start = new Map(account.where);
  const result = await tool.webdata(args, { requests: request, happens });
  const effects = tool.effects();
  replay(account, effects, ip, before && { ...before, to });
  if (before) count('applies disturbed');
  // A run that is refused before its first call prints a plan.
  if (!('result' in documentOf<PlanJson | RunJson>(result)))
    return insistEqual('calls of a refused apply', [], effects);
  if (effects.length > 0) count('applies that moved');
  const run = expectCharges(result, effects, ip && before ? { ip, to } : undefined);
  const calls = ownedBy(effects, run);
  // The IP may have been there, or may have arrived, by the time of the calls.
  const taken = (zone: string) => Number(before?.place === zone || to === zone);
  insistNone('guards while disturbed', brokenGuards(calls, account.declaration, start, { allowMoves, taken }));
  insistNone('not stolen back', ip && before ? stolen(run, effects.slice(before.effects), ip, before.place, to) : []);
  account.runs.push({ calls: seenBy(run), done: result.code === 0 });
}

/** Replays what happened in the account: the moves of the tool, and those of another user in between. */
function replay(
  account: AccountState,
  effects: readonly MigrateCall[],
  ip: string | undefined,
  before: { effects: number; to: string } | undefined,
): void {
  account.carryOut(effects.slice(0, before?.effects));
  if (ip !== undefined && before) account.where.set(ip, before.to);
  if (before) account.carryOut(effects.slice(before.effects));
}

function ownedBy(effects: readonly MigrateCall[], { resources }: RunJson): OwnedCall[] {
  const made = resources.flatMap(({ name, made: its }) => its.map(({ call }) => ownedCall(call, name)));
  return effects.map((effect) => ({ ...effect, owner: made.find((call) => isPartOf(effect, call))?.owner ?? '' }));
}

function isPartOf({ from, to, ips }: MigrateCall, call: MigrateCall): boolean {
  return from === call.from && to === call.to && ips.every((ip) => call.ips.includes(ip));
}

/** Returns the moves that the run recorded, which an undo takes back. */
function seenBy({ resources }: RunJson): OwnedCall[] {
  return resources
    .flatMap(({ name, made }) => made.map((each) => ({ name, each })))
    .filter(({ each }) => each.movedIps.length > 0)
    .map(({ name, each: { call, movedIps } }) => {
      const whole = ownedCall(call, name);
      return { ...whole, ips: whole.ips.filter((ip) => movedIps.includes(ip)) };
    });
}

/** Returns true if another user moved the IP elsewhere after the run had recorded its move. */
function stolen(run: RunJson, later: readonly MigrateCall[], ip: string, place: string, to: string): string[] {
  const shown = run.resources.flatMap(({ made, notMade }) => [...made.map(({ call }) => call), ...notMade]);
  const wasShown = shown.some(({ from, ips }) => from === place && ips.some((each) => each.ip === ip));
  if (!wasShown || to === place) return [];
  return later.filter(({ from, ips }) => from === to && ips.includes(ip)).map(() => `${ip} is taken from ${to}`);
}
