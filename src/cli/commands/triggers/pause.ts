/** `webdata triggers pause|resume|run-now`: changes to a schedule that leave its declaration as it is. */
import type { Command } from 'commander';
import { printableLine } from '../../../base/values/printable.ts';
import { connectionIfAny } from '../../../engine/doors/connection.ts';
import type { TriggersClient } from '../../../triggers/api/triggersClient.ts';
import { confirm } from '../../execution/consent.ts';
import { type ConnectionFlags, withConnection } from '../../options/options.ts';
import { addExamples } from '../../options/values.ts';
import { exitCodes, type Shell } from '../../output/io.ts';
import { type OwnerFlags, ownerFrom, withOwner } from './ledgerOptions.ts';
import { withTriggers } from './runs.ts';

interface Flags extends ConnectionFlags, OwnerFlags {
  yes?: boolean;
}

type Action = (triggers: TriggersClient, owner: string, name: string) => Promise<string>;

export function addPause(command: Command, shell: Shell): void {
  command.description('Pause a schedule until it is resumed (reported as drift unless declared paused)');
  add(command, shell, async (triggers, owner, name) => {
    await triggers.setPaused(owner, name, true);
    return `${name} is paused`;
  });
  addExamples(command, {
    'webdata triggers pause nightly': 'schedule of the owner that the declaration names',
    'webdata triggers pause nightly --owner acme': 'of another owner, or without a declaration',
  });
}

export function addResume(command: Command, shell: Shell): void {
  add(command.description('Resume a schedule from its next tick'), shell, async (triggers, owner, name) => {
    const { nextTickAt } = await triggers.setPaused(owner, name, false);
    if (nextTickAt === null) return `${name} has no tick left`;
    return `${name} runs next at ${new Date(nextTickAt).toISOString()}`;
  });
  addExamples(command, {
    'webdata triggers resume nightly': 'and print its next run',
    'webdata triggers resume nightly --owner acme': 'of another owner, or without a declaration',
  });
}

export function addRunNow(command: Command, shell: Shell): void {
  command.description('Run a schedule now; the run is billed').option('-y, --yes', 'skip the confirmation prompt');
  add(command, shell, runNow, { question: (name) => `Run ${name} now? The run is billed.`, caution: openRun });
  addExamples(command, {
    'webdata triggers run-now nightly': 'ask first',
    'webdata triggers run-now nightly --yes': 'from a script',
  });
}

interface Consent {
  question(name: string): string;
  /** Returns what to consider first. */
  caution(triggers: TriggersClient, owner: string, name: string): Promise<string | undefined>;
}

/** Adds the action, which begins after the user has agreed to the question, if there is one. */
function add(command: Command, { io, end }: Shell, action: Action, consent?: Consent): void {
  withOwner(withConnection(command).argument('<schedule>', 'name of the schedule')).action(
    async (name: string, flags: Flags) => {
      const owner = ownerFrom(flags, await connectionIfAny(flags, io));
      const caution = consent && (await withTriggers(flags, io, (triggers) => consent.caution(triggers, owner, name)));
      if (caution !== undefined) io.stderr.write(printableLine(caution));
      const isAgreed = consent === undefined || flags.yes || (await confirm(consent.question(name), io));
      const done = isAgreed
        ? await withTriggers(flags, io, (triggers) => action(triggers, owner, name))
        : 'Nothing was triggered.';
      io.stdout.write(printableLine(done));
      end(exitCodes.done);
    },
  );
}

/** Says that the last run may have been paid for a result that was not found yet. */
async function openRun(triggers: TriggersClient, owner: string, name: string): Promise<string | undefined> {
  const { schedules } = await triggers.records(owner);
  const last = schedules.find((schedule) => schedule.name === name)?.lastRun;
  if (last?.state !== 'unknown' && last?.state !== 'given-up') return undefined;
  const why = last.reason === null ? '' : `: ${last.reason}`;
  return `The last run of ${name} is ${last.state}, and may be paid already${why}`;
}

async function runNow(triggers: TriggersClient, owner: string, name: string): Promise<string> {
  const { id } = await triggers.runNow(owner, name);
  return `${id} is waiting`;
}
