/** Short run ids: the first characters of the id of a run. */
import { type Problem, ProblemError } from '../../base/diagnostics/problem.ts';
import { utcTime } from '../../base/values/utcTime.ts';
import type { Run } from './journal.ts';

const shownCharacters = 8;
const fewestCharacters = 4;

export function shortRunId({ id }: Pick<Run, 'id'>): string {
  return id.startsWith(strayPrefix) ? id : id.slice(0, shownCharacters);
}

/** The prefix of ids for damaged lines that belong to no known run; the number of the first line follows. */
export const strayPrefix = 'line-';

/** Returns the only run whose id begins with `prefix`. @throws ProblemError if the prefix is too short, unknown or ambiguous */
export function runWithPrefix(runs: readonly Run[], prefix: string): Run {
  if (prefix.length < fewestCharacters) throw new ProblemError([tooShort(prefix)]);
  const found = runs.filter(({ id }) => id.startsWith(prefix.toLowerCase()));
  const [run, second] = found;
  if (run === undefined) throw new ProblemError([unknownRun(prefix)]);
  if (second !== undefined) throw new ProblemError([ambiguous(prefix, found)]);
  return run;
}

function tooShort(prefix: string): Problem {
  return {
    code: 'run-id-too-short',
    found: prefix === '' ? 'the run id is empty' : `run id \`${prefix}\` is too short`,
    allowed: `at least the first ${fewestCharacters} characters of a run id`,
    fix: '`webdata history` lists the runs; leave the id out to undo the last one',
  };
}

function unknownRun(prefix: string): Problem {
  return {
    code: 'run-not-found',
    found: `run \`${prefix}\` does not exist in the journal of this service`,
    allowed: 'the id of a run, or its first characters',
    fix: '`webdata history` lists the runs',
  };
}

const fewCandidates = 10;

function ambiguous(prefix: string, runs: readonly Run[]): Problem {
  const shown = runs
    .slice(-fewCandidates)
    .map(({ id, command, startedAt }) => `${id} (${command}, ${utcTime(startedAt)})`);
  const more = runs.length > fewCandidates ? `, and ${runs.length - fewCandidates} older ones` : '';
  return {
    code: 'ambiguous-run-id',
    found: `${runs.length} runs have an id that begins with \`${prefix}\``,
    allowed: `${shown.join(', ')}${more}`,
    fix: 'give more characters of the id',
  };
}
