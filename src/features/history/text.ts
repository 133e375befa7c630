/** The journal as text: the newest run first, each with its calls and their outcomes. */

import { printable } from '../../base/values/printable.ts';
import { utcTime } from '../../base/values/utcTime.ts';
import type { JournaledCall, Run } from '../../engine/doors/history.ts';
import { resourceKey, shortRunId, startedByText } from '../../engine/doors/plan.ts';
import { sentCalls } from '../../report/model/results.ts';
import { type Style, styleOf, type TextOptions } from '../../report/model/style.ts';
import { heading } from '../../report/text/callRows.ts';
import { prose, table } from '../../report/text/layout.ts';
import { outcomeRows } from '../../report/text/outcomeRows.ts';

/** Yields one part per run, since a long history does not fit into one string. `runs` are in journal order, the oldest first. */
export function* historyText(runs: readonly Run[], options: TextOptions): Generator<string> {
  if (runs.length === 0) yield 'No runs.\n';
  const style = styleOf(options);
  for (const [index, run] of runs.toReversed().entries()) {
    yield `${index === 0 ? '' : '\n'}${runLines(printable(run), style).join('\n')}\n`;
  }
}

function runLines(run: Run, style: Style): string[] {
  const byResource = Map.groupBy(run.calls, ({ resource }) => resourceKey(resource));
  const calls = [...byResource.values()].flatMap((ofResource) => resourceLines(ofResource, style));
  const damage = damageLines(run, style);
  return [
    prose(titleOf(run, style), style.width, 4),
    ...(run.by === undefined ? [] : [prose(`  ${style.paint.dim(startedByText(run.by))}`, style.width, 4)]),
    ...(calls.length + damage.length > 0 ? [] : [`  ${style.paint.dim('no calls')}`]),
    ...damage,
    ...calls,
  ];
}

/** Returns the lines about damage, which come before the calls because the calls may be incomplete. */
function damageLines({ damage = [] }: Run, { paint }: Style): string[] {
  if (damage.length === 0) return [];
  const lines = damage.map(({ line, found }) => `    line ${line} ${found}`);
  return [`  ${paint.red('damaged: calls of this run may be missing')}`, ...lines];
}

function titleOf(run: Run, { paint }: Style): string {
  const { id, startedAt, command, front, ended, origin, account, undoes, isElsewhere } = run;
  const result = ended?.result ?? 'interrupted';
  const paints = { done: paint.green, failed: paint.red, interrupted: paint.yellow };
  return [
    paint.bold(shortRunId({ id })),
    utcTime(startedAt),
    front === undefined ? command : `${command} by ${front}`,
    paints[result](result),
    ...(origin === '' ? [] : [paint.dim(origin)]),
    ...(account === undefined ? [] : [paint.dim(account)]),
    ...(undoes === undefined ? [] : [`(undoes ${shortRunId({ id: undoes })})`]),
    ...(isElsewhere ? [paint.dim('recorded elsewhere on this machine')] : []),
  ].join('  ');
}

function resourceLines(journaled: readonly JournaledCall[], style: Style): string[] {
  const [first] = journaled;
  if (!first) return [];
  const calls = sentCalls({ made: journaled }, style);
  return [`  ${heading({ ...first.resource, calls }, style)}`, ...table(outcomeRows(calls, style), 4, style.width)];
}
