/** What `webdata collect` and `webdata snapshot` share: how a result is waited for, and how somebody is kept informed. */
import type { Command } from 'commander';
import { printableText } from '../report/printable.ts';
import type { PollOptions } from '../service/poll.ts';
import type { Io } from './io.ts';
import { positiveNumber } from './options.ts';

export function withPoll(command: Command): Command {
  return command.option('--poll <seconds>', 'how long to wait between two looks', positiveNumber, 5);
}

/** One line on a terminal, written over until the result is there; nothing where nobody watches. */
export async function withPolling<T>(
  seconds: number,
  { stderr }: Io,
  action: (options: PollOptions) => Promise<T>,
): Promise<T> {
  const line = (text: string) => stderr.isTTY && stderr.write(`\r\u001b[K${text}`);
  try {
    return await action({
      pollMs: seconds * 1000,
      onProgress: ({ id, waitedMs }) =>
        line(`${printableText(id)} is building, ${Math.round(waitedMs / 1000)} s so far`),
    });
  } finally {
    line('');
  }
}
