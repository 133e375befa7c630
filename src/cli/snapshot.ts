/** `webdata snapshot`: what a dataset collected, as rows or as CSV. */
import type { Command } from 'commander';
import { ProblemError } from '../input/problem.ts';
import { configIfAny } from './declaration.ts';
import { examples } from './examples.ts';
import { type ExitCode, exitCodes, type Io, type Shell } from './io.ts';
import { type ListFlags, withList } from './listOutput.ts';
import { snapshotText } from './snapshotText.ts';
import { sinkFor } from './streamOutput.ts';
import { withPoll } from './waiting.ts';
import { withWorkbench } from './workbench.ts';

interface Flags extends ListFlags {
  wait?: boolean;
  poll: number;
}

export function addSnapshot(command: Command, { io, end }: Shell): void {
  withPoll(withList(command.argument('<id>', 'of the snapshot')))
    .option('--wait', 'waits until it is ready; without it, one that is not is an error')
    .addHelpText(
      'after',
      examples({
        'webdata snapshot s_abc123 --wait': 'as JSON, once it is ready',
        'webdata snapshot s_abc123 --format csv --output companies.csv': 'as a table, into a file',
      }),
    )
    .action(async (id: string, flags: Flags) => end(await snapshot(id, flags, io)));
}

async function snapshot(id: string, flags: Flags, io: Io): Promise<ExitCode> {
  const { output, wait = false, poll, format, ...connection } = flags;
  const write = sinkFor(output, connection.file, io);
  await withWorkbench(connection, io, await configIfAny(connection, io), async ({ session }) => {
    try {
      const content = await snapshotText(session.client(), id, { format, wait, poll }, io);
      if (content === undefined) throw notReady(id);
      await write(content);
    } catch (error) {
      throw io.signal.aborted ? interrupted(id) : error;
    }
  });
  return exitCodes.done;
}

function notReady(id: string): ProblemError {
  return new ProblemError([
    {
      code: 'not-ready',
      found: `the snapshot ${id} is not ready`,
      fix: 'ask again in a while, or wait for it with --wait',
    },
  ]);
}

function interrupted(id: string): ProblemError {
  return new ProblemError([
    {
      code: 'interrupted',
      found: 'interrupted; the collection itself goes on',
      fix: `\`webdata snapshot ${id} --wait\` waits for it again`,
    },
  ]);
}
