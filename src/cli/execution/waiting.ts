/** Waiting for a result in `webdata collect` and `webdata snapshot`, with progress on stderr. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { printableText } from '../../base/values/printable.ts';
import { maxWaitBoundsMs, type PollOptions, pollBoundsMs } from '../../client/areas/jobs/results/pollJob.ts';
import type { CallOptions } from '../../client/transport/transport.ts';
import { duration, durationMs } from '../../triggers/declared/timingSpec.ts';
import { positiveNumber } from '../options/values.ts';
import type { Io } from '../output/io.ts';
import { showStep, startClock } from './progress.ts';

export interface WaitFlags {
  /** Seconds. */
  poll: number;
  /** Milliseconds. */
  maxWait: number;
}

export function withWait(command: Command): Command {
  return command
    .option('--poll <seconds>', 'time between two polls; a Retry-After of the service may extend it', pollSeconds, 5)
    .addOption(
      new Option('--max-wait <duration>', 'longest time to wait, such as 30m, 2h or 1d')
        .argParser(maxWait)
        .default(maxWaitBoundsMs.default, '1d'),
    );
}

/** Runs an action that polls. A terminal shows the time so far. Otherwise, messages of the service are printed when they change. */
export async function withPolling<T>(
  { poll, maxWait: maxWaitMs }: WaitFlags,
  io: Io,
  action: (options: PollOptions & CallOptions) => Promise<T>,
): Promise<T> {
  const { stderr, signal } = io;
  const clock = startClock();
  let before: string | undefined;
  return action({
    pollMs: poll * 1000,
    maxWaitMs,
    signal,
    onProgress: ({ id, nextMs, said }) => {
      const job = printableText(id);
      const message = said === undefined ? '' : `: ${printableText(said)}`;
      const nextAt = performance.now() + nextMs;
      // The message comes last, because long texts are cut.
      showStep(io, () => {
        const left = Math.max(Math.ceil((nextAt - performance.now()) / 1000), 0);
        return `${job} is building, ${clock()} so far, next poll in ${left} s${message}`;
      });
      if (!stderr.isTTY && said !== before && said !== undefined) stderr.write(`${job}${message}\n`);
      before = said;
    },
  });
}

function pollSeconds(text: string): number {
  const seconds = positiveNumber(text);
  const most = pollBoundsMs.most / 1000;
  if (seconds > most) throw new InvalidArgumentError(`It must be at most ${most} seconds.`);
  return seconds;
}

function maxWait(text: string): number {
  const ms = duration.safeParse(text).success ? durationMs(text) : Number.NaN;
  if (ms <= maxWaitBoundsMs.most) return ms;
  throw new InvalidArgumentError('It must be a whole number of s, m, h or d, such as 30m, 2h or 1d, and at most 30d.');
}
