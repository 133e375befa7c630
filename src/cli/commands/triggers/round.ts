/** `webdata triggers round`: what a server does, once, for a scheduler that is there already. */
import type { Command } from 'commander';
import { counted } from '../../../base/diagnostics/valueWords.ts';
import { printableLine } from '../../../base/values/printable.ts';
import type { RunState, ScheduledRun } from '../../../triggers/api/runs.ts';
import { withConnection } from '../../options/options.ts';
import { addExamples } from '../../options/values.ts';
import { type ExitCode, exitCodes, type Io, type Shell } from '../../output/io.ts';
import { type StoreFlags, withStore, workerSettingsFrom } from './ledgerOptions.ts';

const usage = {
  'webdata triggers round': 'from a crontab, every minute; its ledger is .webdata/triggers.db',
  'webdata triggers round --store postgres://ledger.internal/webdata': 'on a ledger that several machines share',
};

export function addRound(command: Command, { io, end }: Shell): void {
  const about = 'Fire the schedules that are due, poll jobs and send alerts, once: for cron, systemd or Kubernetes';
  withStore(withConnection(command.description(about))).action(async (flags: StoreFlags) =>
    end(await round(flags, io)),
  );
  addExamples(command, usage);
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

/** The states of a run that a person should know of. */
const wrongStates: readonly RunState[] = ['failed', 'expired', 'given-up', 'unknown'];

function isWrong({ state }: ScheduledRun): boolean {
  return wrongStates.includes(state);
}

function lineOf({ owner, schedule, tickAt, id, state, reason, rows, collectionId }: ScheduledRun): string {
  const detail = reason ?? (rows === null ? collectionId : counted(rows, 'row'));
  const which = `${owner}/${schedule} at ${new Date(tickAt).toISOString()}: ${id} is ${state}`;
  return detail === null ? which : `${which} (${detail})`;
}

function summaryOf(wrong: readonly ScheduledRun[]): string {
  const unknown = wrong.filter(({ state }) => state === 'unknown').length;
  const failed = wrong.length - unknown;
  const fix = 'look for the jobs in the control panel, then run `webdata triggers resolve`';
  return [
    ...(failed === 0 ? [] : [`${counted(failed, 'run')} failed.`]),
    ...(unknown === 0 ? [] : [`${counted(unknown, 'run')} of unknown outcome: ${fix}.`]),
  ].join(' ');
}

/** Writes the warnings of the worker, except those about triggers, whose runs are printed at the end. */
function warningsTo({ stderr }: Io) {
  return {
    info: () => undefined,
    warn: ({ outcome, ...fields }: { outcome?: string }, text: string) => {
      if (outcome !== undefined) return;
      const details = Object.entries(fields).map(([name, value]) => `${name}: ${String(value)}`);
      stderr.write(printableLine([text, ...details].join(', ')));
    },
  };
}
