/** The checks after a kill. Each returns the violations that it found. */
import { readdir, readFile } from 'node:fs/promises';
import type { LoggedRequest } from '../../src/emulator/index.ts';
import { openCalls } from '../../src/engine/run/applyResult.ts';
import type { Command } from '../../src/engine/run/journal.ts';
import { readJournal } from '../../src/engine/run/journalReader.ts';
import { movesOf } from '../../src/kinds/knownCalls.ts';
import type { Result } from '../../test/cli/harness.ts';
import type { Finished } from '../../test/e2e/process.ts';
import { journalAt } from '../../test/engine/journalAt.ts';
import type { MovesPlace } from './moves.ts';

export function expected(what: string, wanted: unknown, found: unknown): string[] {
  const [a, b] = [JSON.stringify(wanted), JSON.stringify(found)];
  return a === b ? [] : [`${what}: expected ${a}, found ${b}`];
}

/** Nothing on stderr, except that a command waits for the lock. */
export const quietOrWaiting = /^(?:waiting up to \d+ s for another run to end: .*\n)?$/;

/** Checks that a command succeeds and prints nothing unexpected. */
export function quiet(what: string, { code, stdout, stderr }: Result | Finished): string[] {
  return code === 0 && quietOrWaiting.test(stderr)
    ? []
    : [`${what}: expected exit code 0, found ${code}:\n${stdout}${stderr}`];
}

/** Checks that every call that the runs report as done was done, and that every effect is in the journal. */
export async function truthOf({ journal, webdata, emulator }: MovesPlace, command: Command): Promise<string[]> {
  const history = await webdata('history', '--format', 'json');
  const calls = (await readJournal(journalAt(journal)))
    .filter((run) => run.command === command)
    .flatMap((run) => run.calls);
  const moved = emulator.requests().flatMap(movedBy);
  const known = calls.flatMap(({ call }) => movesOf(call).map(({ ip }) => ip));
  const said = calls.flatMap(({ call, answered }) =>
    answered?.count === movesOf(call).length ? movesOf(call).map(({ ip }) => ip) : [],
  );
  return [
    ...quiet('history', history),
    ...expected('moved, and not in the journal', [], missing(moved, known)),
    ...expected('accepted in full by the journal, and not moved', [], missing(said, moved)),
  ];
}

/** Checks that each IP moved exactly this often, in no more calls than necessary. */
export function chargedOnce({ emulator }: Pick<MovesPlace, 'emulator'>, ips: number, calls: number): string[] {
  const effects = emulator.requests().filter((request) => movedBy(request).length > 0);
  const moved = effects.flatMap(movedBy);
  return [
    ...expected('IPs moved, each once', { moved: ips, different: ips }, counts(moved)),
    ...expected('calls that moved', calls, effects.length),
  ];
}

/** Files that a killed process may leave: a baseline, or a part of one, which the next write removes. */
const ofBaseline = /^\.webdata\/(baseline\.json|\.writing\..*)$/;

/** Checks that every line of the journal is complete, except one that was cut off, and that no call is left unsettled. */
export async function journalFaults(place: MovesPlace): Promise<string[]> {
  const files = (await readdir(place.folder, { recursive: true })).filter((file) => !ofBaseline.test(file)).toSorted();
  return [
    ...(await lineFaults(place)),
    ...expected('files', ['.webdata', '.webdata/journal.jsonl', 'webdata.yaml'], files),
  ];
}

export async function lineFaults({ journal }: Pick<MovesPlace, 'journal'>): Promise<string[]> {
  const runs = await readJournal(journalAt(journal));
  const open = runs.flatMap(openCalls).filter(({ answered }) => !answered);
  const lines = (await readFile(journal, 'utf8')).split('\n').filter((line) => line !== '' && !isJson(line));
  return [
    ...expected('calls that are still open', 0, open.length),
    ...expected('lines of the journal that were cut off: at most one', true, lines.length <= 1),
  ];
}

export function movedBy({ effect }: LoggedRequest): readonly string[] {
  return effect !== null && 'moved' in effect ? effect.moved : [];
}

function counts(moved: readonly string[]) {
  return { moved: moved.length, different: new Set(moved).size };
}

function missing(some: readonly string[], among: readonly string[]): string[] {
  return some.filter((one) => !among.includes(one));
}

export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
