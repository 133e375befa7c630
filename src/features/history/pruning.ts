/** The text and the JSON of `webdata history --prune`: the runs that it removed, and those that it kept and why. */

import { counted } from '../../base/diagnostics/valueWords.ts';
import { utcTime } from '../../base/values/utcTime.ts';
import type { Pruning } from '../../engine/doors/history.ts';
import { shortRunId } from '../../engine/doors/plan.ts';

export function pruningDocument({ removed, kept }: Pruning) {
  return { removed: removed.map(({ id }) => id), kept: kept.map(({ run, why }) => ({ id: run.id, why })) };
}

const mostShown = 20;

export function pruningText({ removed, kept }: Pruning, cutoff: string): string {
  const lines = [
    `Removed ${counted(removed.length, 'run')} from before ${utcTime(cutoff)}; kept ${kept.length}.`,
    ...kept.slice(0, mostShown).map(({ run, why }) => `  ${shortRunId(run)}  ${utcTime(run.startedAt)}  ${why}`),
    ...(kept.length > mostShown ? [`  and ${kept.length - mostShown} more`] : []),
  ];
  return lines.map((line) => `${line}\n`).join('');
}
