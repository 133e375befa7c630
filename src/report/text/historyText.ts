/** The journal as a person reads it: the newest run first, each with its calls and what became of them. */
import { basename } from 'node:path';
import type { JournaledCall, Run } from '../../sync/run/journal.ts';
import { shortRunId } from '../../sync/run/runId.ts';
import { utcTime } from '../../values/utcTime.ts';
import { printable, printableLines } from '../model/printable.ts';
import { heading } from './callRows.ts';
import { table } from './layout.ts';
import { madeRows } from './resultRows.ts';
import { type Style, styleOf, type TextOptions } from './style.ts';

/** `runs` are in the order of the journal, the oldest first. Yields a part for each run: a long history does not fit into one text. */
export function* historyText(runs: readonly Run[], options: TextOptions): Generator<string> {
  if (runs.length === 0) yield 'No runs.\n';
  const style = styleOf(options);
  for (const [index, run] of runs.toReversed().entries()) {
    yield `${index === 0 ? '' : '\n'}${runLines(printable(run), style).join('\n')}\n`;
  }
}

/** Names the damaged runs, for stderr; empty for none. */
export function damageWarning(journal: string, runs: readonly Run[]): string {
  const damaged = runs.flatMap(({ id, damage = [] }) =>
    damage.length === 0
      ? []
      : [
          `run ${shortRunId({ id })} (${damage.length === 1 ? 'line' : 'lines'} ${damage.map(({ line }) => line).join(', ')})`,
        ],
  );
  if (damaged.length === 0) return '';
  const shown = damaged.length > mostWarned ? [...damaged.slice(-mostWarned), 'and older ones'] : damaged;
  return printableLines(
    `Warning: ${basename(journal)} is damaged: ${shown.join(', ')}. \`webdata history\` shows what is known.\n`,
  );
}

const mostWarned = 10;

function runLines(run: Run, style: Style): string[] {
  const byResource = Map.groupBy(run.calls, ({ resource: { collection, name } }) => JSON.stringify([collection, name]));
  const calls = [...byResource.values()].flatMap((its) => resourceLines(its, style));
  const damage = damageLines(run, style);
  return [
    titleOf(run, style),
    ...(calls.length + damage.length > 0 ? [] : [`  ${style.paint.dim('no calls')}`]),
    ...damage,
    ...calls,
  ];
}

/** First, so that nobody takes the calls below for all of them. */
function damageLines({ damage = [] }: Run, { paint }: Style): string[] {
  if (damage.length === 0) return [];
  const lines = damage.map(({ line, found }) => `    line ${line} ${found}`);
  return [`  ${paint.red('damaged: the journal does not tell all that this run did')}`, ...lines];
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
