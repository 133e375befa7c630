/** The warning about damaged lines of the journal. */
import { printableLine } from '../../base/values/printable.ts';
import type { Run } from './journal.ts';
import { shortRunId } from './runId.ts';

/** Returns a warning for stderr that names the damaged runs; empty if there are none. */
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
  return printableLine(`Warning: ${journal} is damaged: ${shown.join(', ')}. \`webdata history\` shows what is known.`);
}

const mostWarned = 10;
