/** `webdata triggers fire-tick`: fires one tick, for an external scheduler. */
import { type Command, InvalidArgumentError } from 'commander';
import { printableLine } from '../../../base/values/printable.ts';
import { parseInstant } from '../../../base/values/utcTime.ts';
import { connectionIfAny } from '../../../engine/configuredConnection.ts';
import { knownService } from '../../../engine/declaration/connection.ts';
import type { ScheduledRun } from '../../../triggers/api/runs.ts';
import { withConnection } from '../../options/options.ts';
import { addExamples } from '../../options/values.ts';
import { type ExitCode, exitCodes, type Io, type Shell } from '../../output/io.ts';
import {
  encryptionKeys,
  limitsOf,
  type OwnerFlags,
  ownerFrom,
  type StoreFlags,
  secretSources,
  storeAddress,
  withOwner,
  withStore,
} from './ledgerOptions.ts';

interface Flags extends StoreFlags, OwnerFlags {
  tick: number | 'now';
}

const usage = {
  'webdata triggers fire-tick nightly --owner acme --tick now': 'from a crontab or a CronJob',
  'webdata triggers fire-tick nightly --owner acme --tick 2026-03-01T03:00:00Z': 'a missed tick',
};

export function addFireTick(command: Command, { io, end }: Shell): void {
  const described = withStore(
    withConnection(command.description('Fire one tick, exactly once even if other schedulers fire it too')),
  );
  withOwner(described.argument('<schedule>', 'name of the schedule'))
    .requiredOption('--tick <time>', 'time of the tick, or now for the latest one due', tickTime)
    .action(async (name: string, flags: Flags) => end(await runTick(name, flags, io)));
  addExamples(command, usage);
}

function tickTime(text: string): number | 'now' {
  if (text === 'now') return 'now';
  const time = parseInstant(text);
  if (time === undefined)
    throw new InvalidArgumentError('It must be now, or a time that exists, such as 2026-03-01T03:00:00Z.');
  return time;
}

async function runTick(name: string, flags: Flags, io: Io): Promise<ExitCode> {
  const config = await connectionIfAny(flags, io);
  const owner = ownerFrom(flags, config);
  const [{ openStore }, { createSealer }, { fireTick }, { createClient }] = await Promise.all([
    import('../../../triggers/store/open.ts'),
    import('../../../triggers/secrets/secrets.ts'),
    import('../../../triggers/worker/fireTick.ts'),
    import('../../../client/client.ts'),
  ]);
  const sealer = createSealer(await encryptionKeys(io));
  const client = createClient({ ...knownService(config), timeoutMs: 20_000, retry: { retries: 0 } });
  const database = await openStore(storeAddress(flags, io));
  try {
    const fired = await fireTick(owner, name, flags.tick, {
      database,
      client,
      sealer,
      secrets: secretSources(flags, io),
      endpointHosts: flags.endpointHost,
      limits: limitsOf(flags),
      signal: io.signal,
    });
    if (fired === undefined) return nothingDue(name, io);
    const { run, isNew } = fired;
    io.stdout.write(printableLine(said(run, isNew)));
    return run.state === 'failed' || run.state === 'unknown' ? exitCodes.error : exitCodes.done;
  } finally {
    await database.close();
    await client.close();
  }
}

/** Succeeds, because some schedulers start more often than the schedule ticks. */
function nothingDue(name: string, { stdout }: Io): ExitCode {
  stdout.write(printableLine(`${name} has had no tick since it was created or resumed.`));
  return exitCodes.done;
}

function said({ id, schedule, tickAt, state, reason, collectionId }: ScheduledRun, isNew: boolean): string {
  const which = `${schedule} at ${new Date(tickAt).toISOString()}: ${id} is ${state}`;
  const detail = collectionId ?? reason;
  return `${which}${detail === null ? '' : ` (${detail})`}${isNew ? '' : '; this tick had a run already'}`;
}
