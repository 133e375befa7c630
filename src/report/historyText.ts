/** The journal as a person reads it: the newest run first, each with its calls and what became of them. */
import { utcTime } from '../input/utcTime.ts';
import type { JournaledCall, Run } from '../sync/journal.ts';
import { shortRunId } from '../sync/runId.ts';
import { heading } from './callRows.ts';
import { table } from './layout.ts';
import { printable } from './printable.ts';
import { madeRows } from './resultRows.ts';
import { type Style, styleOf, type TextOptions } from './style.ts';

/** `runs` as the journal holds them, the oldest first. */
export function historyText(runs: readonly Run[], options: TextOptions): string {
  if (runs.length === 0) return 'No runs.\n';
  const style = styleOf(options);
  const blocks = printable(runs)
    .toReversed()
    .map((run) => runLines(run, style).join('\n'));
  return `${blocks.join('\n\n')}\n`;
}

function runLines(run: Run, style: Style): string[] {
  const byResource = Map.groupBy(run.calls, ({ resource: { collection, name } }) => JSON.stringify([collection, name]));
  const calls = [...byResource.values()].flatMap((its) => resourceLines(its, style));
  return [titleOf(run, style), ...(calls.length > 0 ? calls : [`  ${style.paint.dim('no calls')}`])];
}

function titleOf({ id, startedAt, command, ended, origin, undoes }: Run, { paint }: Style): string {
  const result = ended?.result ?? 'interrupted';
  const paints = { done: paint.green, failed: paint.red, interrupted: paint.yellow };
  return [
    ...[paint.bold(shortRunId({ id })), utcTime(startedAt), command, paints[result](result)],
    ...(origin === '' ? [] : [paint.dim(origin)]),
    ...(undoes === undefined ? [] : [`(undoes ${shortRunId({ id: undoes })})`]),
  ].join('  ');
}

function resourceLines(journaled: readonly JournaledCall[], style: Style): string[] {
  const [first] = journaled;
  if (!first) return [];
  const calls = journaled.map(({ call }) => call);
  return [`  ${heading(first.resource, calls, style)}`, ...table(madeRows(journaled, style), 4, style.width)];
}
