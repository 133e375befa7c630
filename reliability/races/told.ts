/** What processes of `webdata` say that they did, held against what the emulator knows. */
import { z } from 'zod';
import { movedBy } from '../../src/kinds/knownCalls.ts';
import { applySchema } from '../../src/report/json/schema.ts';
import { readJournal } from '../../src/sync/run/journalReader.ts';
import { type Finished, start } from '../../test/e2e/process.ts';
import { expected, movedBy as movedByRequest } from '../crashes/checks.ts';
import type { Place } from '../crashes/moves.ts';

/** A process that applies, and says in JSON what it did. */
export function applying(cwd: string, env: Place['env'], ...args: string[]): Promise<Finished> {
  return start(['apply', ...args, '--yes', '--format', 'json'], { cwd, env }).finished;
}

const plan = z.object({ format: z.literal('webdata.plan/1') });
const report = z.union([applySchema(), plan]);

interface Told {
  /** In the order of its calls. */
  moved: string[];
  /** Of IPs that somebody else moved on, or that are in no zone or two, nothing more is said than that. */
  otherwise: string[];
  /** Of IPs that are where they were to go, where the service counted fewer: whose move each was, nobody can tell. */
  counted: string[];
}

/** Empty where it said nothing that can be read. */
function toldBy({ stdout }: Finished): Told {
  const said = stdout === '' ? undefined : report.parse(JSON.parse(stdout));
  const made = said !== undefined && 'command' in said ? said.resources.flatMap((resource) => resource.made) : [];
  return {
    moved: made.flatMap(({ movedIps }) => movedIps),
    otherwise: made.flatMap(({ seen }) => [...(seen?.elsewhere ?? []), ...(seen?.notVisible ?? [])]),
    counted: made.flatMap(({ movedIps, answered }) => ((answered?.count ?? 0) < movedIps.length ? movedIps : [])),
  };
}

async function toldByJournal(journal: string): Promise<Told> {
  const calls = (await readJournal(journal)).flatMap((run) => run.calls);
  return {
    moved: calls.flatMap(movedBy),
    otherwise: calls.flatMap(({ seen }) => (seen && 'moved' in seen ? [...seen.elsewhere, ...seen.notVisible] : [])),
    counted: calls.flatMap((call) => ((call.answered?.count ?? 0) < movedBy(call).length ? movedBy(call) : [])),
  };
}

export function saidMoved(finished: Finished): string[] {
  return toldBy(finished).moved;
}

export function reallyMoved({ emulator }: Pick<Place, 'emulator'>): string[] {
  return emulator.requests().flatMap(movedByRequest).toSorted();
}

export async function journaledMoves(journal: string): Promise<string[]> {
  return (await toldByJournal(journal)).moved;
}

/** Ended well and said nothing beside, or said in words why not. */
export function endedInWords(what: string, { code, signal, stdout, stderr }: Finished): string[] {
  const isWell = code === 0 && stderr === '';
  const isRefused =
    code === 1 && /"problems"|error/.test(stdout + stderr) && !/internal|^\s+at /m.test(stdout + stderr);
  return isWell || isRefused ? [] : [`${what} ended with ${code ?? signal}:\n${stdout}${stderr}`];
}

/** Together they say of all that was moved what became of it, and of nothing else that they moved it: in reports and in journals. */
export async function toldTogether(
  place: Pick<Place, 'emulator'>,
  ends: readonly Finished[],
  journals: readonly string[],
): Promise<string[]> {
  const moved = reallyMoved(place);
  const inJournals = await Promise.all(journals.map(toldByJournal));
  return [
    ...ends.flatMap((end, index) => endedInWords(`apply ${index + 1}`, end)),
    ...untrue('the reports', moved, ends.map(toldBy)),
    ...untrue('the journals', moved, inJournals),
  ];
}

function untrue(what: string, moved: readonly string[], told: readonly Told[]): string[] {
  const said = told.flatMap((one) => one.moved);
  const otherwise = told.flatMap((one) => one.otherwise);
  const counted = told.flatMap((one) => one.counted);
  return [
    ...expected(`moved by ${what}, and not really`, [], without(without(said, moved), counted)),
    ...expected(`moved, and not told in ${what}`, [], without(without(moved, said), otherwise)),
  ];
}

/** As often as it is there more often. */
function without(some: readonly string[], others: readonly string[]): string[] {
  const left = [...others];
  return some.filter((one) => {
    const index = left.indexOf(one);
    if (index >= 0) left.splice(index, 1);
    return index < 0;
  });
}
