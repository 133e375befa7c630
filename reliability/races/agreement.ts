/** Comparison of the reports of `webdata` processes with the emulator. */
import { z } from 'zod';
import { readJournal } from '../../src/engine/run/journalReader.ts';
import { movedBy } from '../../src/kinds/knownCalls.ts';
import { applySchema } from '../../src/report/json/schema.ts';
import { type Finished, start } from '../../test/e2e/process.ts';
import { journalAt } from '../../test/engine/journalAt.ts';
import { expected, movedBy as movedByRequest, quietOrWaiting } from '../crashes/checks.ts';
import type { MovesPlace } from '../crashes/moves.ts';

/** Starts an apply that reports as JSON. */
export function applying(cwd: string, env: MovesPlace['env'], ...args: string[]): Promise<Finished> {
  return start(['apply', ...args, '--yes', '--format', 'json'], { cwd, env }).finished;
}

const plan = z.object({ format: z.literal('webdata.plan/1') });
const report = z.union([applySchema(), plan]);

interface Reported {
  /** The moved IPs, in the order of the calls. */
  moved: string[];
  /** IPs that are reported as elsewhere, because another user moved them on, or because they are in no zone or two. */
  otherwise: string[];
  /** IPs at their target although the service counted fewer: it is unknown who moved them. */
  counted: string[];
}

/** Reads the report, which is empty if it is not valid. */
function readReport({ stdout }: Finished): Reported {
  const said = stdout === '' ? undefined : report.parse(JSON.parse(stdout));
  const made = said !== undefined && 'command' in said ? said.resources.flatMap((resource) => resource.made) : [];
  return {
    moved: made.flatMap(({ movedIps }) => movedIps),
    otherwise: made.flatMap(({ seen }) => [...(seen?.elsewhere ?? []), ...(seen?.notVisible ?? [])]),
    counted: made.flatMap(({ movedIps, answered }) => ((answered?.count ?? 0) < movedIps.length ? movedIps : [])),
  };
}

async function toldByJournal(journal: string): Promise<Reported> {
  const calls = (await readJournal(journalAt(journal))).flatMap((run) => run.calls);
  return {
    moved: calls.flatMap(movedBy),
    otherwise: calls.flatMap(({ seen }) => (seen && 'moved' in seen ? [...seen.elsewhere, ...seen.notVisible] : [])),
    counted: calls.flatMap((call) => ((call.answered?.count ?? 0) < movedBy(call).length ? movedBy(call) : [])),
  };
}

export function saidMoved(finished: Finished): string[] {
  return readReport(finished).moved;
}

export function reallyMoved({ emulator }: Pick<MovesPlace, 'emulator'>): string[] {
  return emulator.requests().flatMap(movedByRequest).toSorted();
}

export async function journaledMoves(journal: string): Promise<string[]> {
  return (await toldByJournal(journal)).moved;
}

/** Checks that the process succeeded without errors, or reported why not. */
export function endedInWords(what: string, { code, signal, stdout, stderr }: Finished): string[] {
  const isWell = code === 0 && quietOrWaiting.test(stderr);
  const isRefused =
    code === 1 && /"problems"|error/.test(stdout + stderr) && !/internal|^\s+at /m.test(stdout + stderr);
  return isWell || isRefused ? [] : [`${what} ended with ${code ?? signal}:\n${stdout}${stderr}`];
}

/** Checks that the reports and journals together account for every move, and claim no other. */
export async function checkAgreement(
  place: Pick<MovesPlace, 'emulator'>,
  ends: readonly Finished[],
  journals: readonly string[],
): Promise<string[]> {
  const moved = reallyMoved(place);
  const inJournals = await Promise.all(journals.map(toldByJournal));
  return [
    ...ends.flatMap((end, index) => endedInWords(`apply ${index + 1}`, end)),
    ...untrue('the reports', moved, ends.map(readReport)),
    ...untrue('the journals', moved, inJournals),
  ];
}

function untrue(what: string, moved: readonly string[], reported: readonly Reported[]): string[] {
  const said = reported.flatMap((one) => one.moved);
  const otherwise = reported.flatMap((one) => one.otherwise);
  const counted = reported.flatMap((one) => one.counted);
  return [
    ...expected(`reported as moved in ${what}, but not moved`, [], without(without(said, moved), counted)),
    ...expected(`moved, but not reported in ${what}`, [], without(without(moved, said), otherwise)),
  ];
}

/** Returns the items that the first list contains more often than the second. */
function without(some: readonly string[], others: readonly string[]): string[] {
  const left = [...others];
  return some.filter((one) => {
    const index = left.indexOf(one);
    if (index >= 0) left.splice(index, 1);
    return index < 0;
  });
}
