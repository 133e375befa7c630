/** Calls as rows, for plans, results and the history. */

import { counted, formatNumber } from '../../base/diagnostics/valueWords.ts';
import { type ResourceId, type ResourcePlan, resourceTitle } from '../../engine/doors/plan.ts';
import type { Call } from '../../kinds/seam/call.ts';
import { type CallChange, changeSigns, changeWords, driftWords, type PlanMode } from '../../kinds/seam/callWords.ts';
import type { Move } from '../../kinds/seam/move.ts';
import { describeCall } from '../../kinds/shownCalls.ts';
import { callCells, groupsOf, movesOfAll, placeOfCalls, type ReportedCall } from '../model/calls.ts';
import { apart, ipWords, type Paint, type Style, withCommas } from '../model/style.ts';
import { isOwnChange, whyFinder, whyWords } from '../model/whys.ts';
import type { TextRow } from './layout.ts';

/** Returns the heading of a resource: `managerSettings.local  http://127.0.0.1:22999`. */
export function heading(resource: ResourceId & { calls: readonly ReportedCall[] }, { paint }: Style): string {
  const place = placeOfCalls(resource.calls);
  const title = paint.bold(resourceTitle(resource));
  return place === undefined ? title : `${title}  ${paint.dim(place)}`;
}

interface PlannedRowOptions {
  mode?: PlanMode;
  /** The number of the first call. Without it, the calls are not numbered. */
  first?: number;
}

/** Returns the rows of planned calls: one for each pair of zones, and one for each property that changes. */
export function plannedRows(
  { calls, changes, whys }: { calls: readonly ReportedCall[] } & Pick<ResourcePlan, 'changes' | 'whys'>,
  style: Style,
  { mode = 'plan', first }: PlannedRowOptions = {},
): TextRow[] {
  let next = first ?? 1;
  const reasonsOf = mode === 'drift' ? () => [] : reasonFinder(whys, style);
  return groupsOf(calls, style).flatMap((group) => {
    const number = numberOf(next, group.length);
    next += group.length;
    const groupCalls = group.map(({ call }) => call);
    const rows = groupRows(groupCalls, changes, { mode, reasonsOf }, style);
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
  changes: ResourcePlan['changes'],
  { mode, reasonsOf }: { mode: PlanMode; reasonsOf(moves: readonly Move[]): string[] },
  style: Style,
): TextRow[] {
  const moves = movesOfAll(group);
  if (moves.length > 0)
    return [{ cells: callCells(group, style, mode), words: [...ipWords(moves, style), ...reasonsOf(moves)] }];
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
  return { cells: [paint.dim(`  ${counted(names.length, 'default')}`)], words: withCommas(names).map(paint.dim) };
}

/** Returns a function for the reasons that are not obvious: all of them if the plan makes moves for other reasons than a change of its declaration. */
function reasonFinder(whys: ResourcePlan['whys'] = [], { paint }: Style): (moves: readonly Move[]) => string[] {
  const whyOf = whyFinder({ whys });
  const isPlain = isOwnChange(whys);
  const isShown = ({ reason }: Move) => !isPlain || reason === 'surplus' || reason === 'released';
  return (moves) => {
    const groups = Map.groupBy(moves.filter(isShown), (move) => (isPlain ? move.reason : whyWords(whyOf(move))));
    const parts = [...groups].map(([words, [first, ...others]]) => {
      const count = others.length + 1;
      if (count === moves.length) return words;
      return `${formatNumber(count)} ${isPlain || first === undefined ? words : whyWords(whyOf(first), count)}`;
    });
    return parts.length === 0 ? [] : apart([paint.yellow(`(${parts.join(', ')})`)]);
  };
}
