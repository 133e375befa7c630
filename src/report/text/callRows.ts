/** Calls as rows, for plans, results and the history. */

import { counted } from '../../base/diagnostics/valueWords.ts';
import { type ResourceId, type ResourcePlan, resourceTitle } from '../../engine/plan/plan.ts';
import type { Call } from '../../kinds/call.ts';
import { type CallChange, changeSigns, changeWords, driftWords, type PlanMode } from '../../kinds/callWords.ts';
import type { PropertyChange } from '../../kinds/changes.ts';
import type { Move } from '../../kinds/move.ts';
import { describeCall } from '../../kinds/shownCalls.ts';
import { reasonsOf } from '../model/differences.ts';
import type { TextRow } from './layout.ts';
import type { Paint, Style } from './style.ts';
import { apart, consecutive, ipWords, listed } from './style.ts';

/** Returns the heading of a resource: `managerSettings.local  http://127.0.0.1:22999`. */
export function heading(resource: ResourceId, calls: readonly Call[], { paint }: Style): string {
  const place = placeOfCalls(calls);
  const title = paint.bold(resourceTitle(resource));
  return place === undefined ? title : `${title}  ${paint.dim(place)}`;
}

/** Returns the server that receives the calls, if it is not the service itself. */
export function placeOfCalls(calls: readonly Call[]): string | undefined {
  return calls.map((call) => describeCall(call).place).find((place) => place !== undefined);
}

interface PlannedRowOptions {
  mode?: PlanMode;
  /** The number of the first call. Without it, the calls are not numbered. */
  first?: number;
}

/** Returns the rows of planned calls: one for each pair of zones, and one for each property that changes. */
export function plannedRows(
  { calls, changes }: Pick<ResourcePlan, 'calls' | 'changes'>,
  style: Style,
  { mode = 'plan', first }: PlannedRowOptions = {},
): TextRow[] {
  let next = first ?? 1;
  return groupsOf(calls, style).flatMap((group) => {
    const number = numberOf(next, group.length);
    next += group.length;
    const rows = groupRows(group, changes, mode, style);
    if (first === undefined) return rows;
    return rows.map(({ cells, words }, index) => ({ cells: [index === 0 ? number : '', ...cells], words }));
  });
}

/** `3.`, or `3–5.` for several calls. */
function numberOf(first: number, calls: number): string {
  return calls > 1 ? `${first}–${first + calls - 1}.` : `${first}.`;
}

function groupRows(
  group: readonly Call[],
  changes: readonly PropertyChange[],
  mode: PlanMode,
  style: Style,
): TextRow[] {
  const moves = movesOfAll(group);
  if (moves.length > 0) {
    return [{ cells: callCells(group, style, mode), words: [...ipWords(moves, style), ...reasonWords(moves, style)] }];
  }
  return group.flatMap((call) => {
    const all = describeCall(call, changes).changes;
    const shown = style.full ? all : all.filter(({ isDefault }) => !isDefault);
    const rows = shown.map((change) => rowOf(change, mode, style));
    return shown.length === all.length ? rows : [...rows, defaultsRow(all, style)];
  });
}

function rowOf(change: CallChange, mode: PlanMode, { paint }: Style): TextRow {
  if (mode === 'drift') return { cells: [paint.yellow(change.name)], words: driftWords(change).split(' ') };
  const paints: Record<CallChange['kind'], Paint> = { add: paint.green, remove: paint.red, change: paint.yellow };
  const sign = paints[change.kind](changeSigns[change.kind]);
  return { cells: [`${sign} ${change.name}`], words: changeWords(change).split(' ') };
}

/** Returns one row for the values that a declaration leaves out. */
function defaultsRow(changes: readonly CallChange[], { paint }: Style): TextRow {
  const names = changes.filter(({ isDefault }) => isDefault).map(({ name }) => name);
  const words = names.map((name, index) => (index === names.length - 1 ? name : `${name},`));
  return { cells: [paint.dim(`  ${counted(names.length, 'default')}`)], words: words.map(paint.dim) };
}

/** Groups consecutive calls of one pair of zones, because a batch limit can split one move of IPs into hundreds of calls. */
export function groupsOf(calls: readonly Call[], { full }: Style): Call[][] {
  return consecutive(calls, (a, b) => !full && isSamePair(a, b));
}

export function isSamePair(a: Call, b: Call): boolean {
  const [one, other] = [describeCall(a).flow, describeCall(b).flow];
  return one !== undefined && one.from === other?.from && one.to === other.to;
}

/** Returns the cells that identify the calls: `2 IPs`, `from pricing`, `to checkout`. */
export function callCells(calls: readonly Call[], { paint }: Style, mode: PlanMode = 'plan'): string[] {
  const [call] = calls;
  if (call === undefined) return [];
  const { subject, flow } = describeCall(call);
  if (flow === undefined) return [subject];
  const [from, to] = mode === 'drift' ? ['in', 'declared in'] : ['from', 'to'];
  const inCalls = calls.length > 1 && mode !== 'drift' ? ` in ${counted(calls.length, 'call')}` : '';
  const count = counted(movesOfAll(calls).length, 'IP') + inCalls;
  return [count, `${paint.cyan(from)} ${flow.from}`, `${paint.cyan(to)} ${flow.to}`];
}

/** Returns what the calls change, in one line. */
export function contentWords(calls: readonly Call[], style: Style): string[] {
  const moves = movesOfAll(calls);
  if (moves.length > 0) return ipWords(moves, style);
  const items = calls.slice(0, 1).flatMap((call) => describeCall(call).items);
  return listed(items, style);
}

/** Returns the IPs that the calls move. */
export function movesOfAll(calls: readonly Call[]): Move[] {
  return calls.flatMap((call) => describeCall(call).flow?.moves ?? []);
}

/** Returns the reasons that are not obvious from the declaration. */
function reasonWords(moves: readonly Move[], { paint }: Style): string[] {
  const counts = reasonsOf(moves);
  if (!counts.has('surplus') && !counts.has('released')) return [];
  const reasons = [...counts].map(([reason, count]) => (counts.size === 1 ? reason : `${count} ${reason}`));
  return apart([paint.yellow(`(${reasons.join(', ')})`)]);
}
