/** `webdata triggers round`: what a server does, once, for a scheduler that is there already. */
import type { Command } from 'commander';
import { counted } from '../../../base/diagnostics/valueWords.ts';
import { printableLine } from '../../../base/values/printable.ts';
import { type RunState, type ScheduledRun, wrongStates } from '../../../triggers/api/runs.ts';
import { withConnection } from '../../options/options.ts';
import { addExamples } from '../../options/values.ts';
import { type ExitCode, exitCodes, type Io, type Shell } from '../../output/io.ts';
import { type StoreFlags, withStore, workerSettingsFrom } from './ledgerOptions.ts';

export function addRound(command: Command, { io, end }: Shell): void {
  const about = 'Fire the schedules that are due, poll jobs and send alerts, once: for cron, systemd or Kubernetes';
  withStore(withConnection(command.description(about))).action(async (flags: StoreFlags) =>
    end(await round(flags, io)),
  );
  addExamples(command, {
    'webdata triggers round': 'from a crontab, every minute; its ledger is .webdata/triggers.db',
    'webdata triggers round --store postgres://ledger.internal/webdata': 'on a ledger that several machines share',
  });
}

async function round(flags: StoreFlags, io: Io): Promise<ExitCode> {
  const settings = await workerSettingsFrom(flags, io);
  const { playRound } = await import('../../../triggers/oneRound.ts');
  const runs = await playRound({ ...settings, log: warningsTo(io), signal: io.signal });
  for (const run of runs) (isWrong(run) ? io.stderr : io.stdout).write(printableLine(lineOf(run)));
  const wrong = runs.filter(isWrong);
  if (wrong.length === 0) return exitCodes.done;
  io.stderr.write(printableLine(summaryOf(wrong)));
  return exitCodes.error;
}

function isWrong({ state }: ScheduledRun): boolean {
  return wrongStates.some((wrong) => wrong === state);
}

function lineOf({ owner, schedule, tickAt, id, state, reason, rows, kept, collectionId }: ScheduledRun): string {
  const result = [...(rows === null ? [] : [counted(rows, 'row')]), ...(kept === null ? [] : [`kept in ${kept}`])];
  const detail = reason ?? (result.length === 0 ? collectionId : result.join(', '));
  const which = `${owner}/${schedule} at ${new Date(tickAt).toISOString()}: ${id} is ${state}`;
  return detail === null ? which : `${which} (${detail})`;
}

function summaryOf(wrong: readonly ScheduledRun[]): string {
  const countOf = (wanted: RunState) => wrong.filter(({ state }) => state === wanted).length;
  const [unknown, unkept, few] = [countOf('unknown'), countOf('unkept'), countOf('few-rows')];
  const undelivered = countOf('undelivered');
  const failed = wrong.length - unknown - unkept - undelivered - few;
  const fix = 'look for the jobs in the control panel, then run `webdata triggers resolve`';
  return [
    ...(failed === 0 ? [] : [`${counted(failed, 'run')} failed.`]),
    ...(few === 0 ? [] : [`${counted(few, 'run')} had too few rows.`]),
    ...(unkept === 0 ? [] : [`The rows of ${counted(unkept, 'run')} could not be kept; the next rounds try again.`]),
    ...(undelivered === 0
      ? []
      : [`The rows of ${counted(undelivered, 'run')} did not arrive: \`webdata triggers fetch\`.`]),
    ...(unknown === 0 ? [] : [`${counted(unknown, 'run')} of unknown outcome: ${fix}.`]),
  ].join(' ');
}

/** Writes the warnings of the worker, except those about runs that are printed at the end. */
function warningsTo({ stderr }: Io) {
  return {
    info: () => undefined,
    warn: ({ outcome, became, ...fields }: { outcome?: string; became?: string }, text: string) => {
      if (outcome !== undefined || became !== undefined) return;
      const details = Object.entries(fields).map(([name, value]) => `${name}: ${String(value)}`);
      stderr.write(printableLine([text, ...details].join(', ')));
    },
  };
}
