/** `webdata snapshot`: what a dataset collected, as rows or as CSV. */
import type { Command } from 'commander';
import { ProblemError } from '../../../diagnostics/problem.ts';
import type { NotReady } from '../../../service/areas/jobs/datasets.ts';
import { ServiceError } from '../../../service/errors.ts';
import { withWorkbench } from '../../execution/commandContext.ts';
import { configIfAny } from '../../execution/declaration.ts';
import { type WaitFlags, withWait } from '../../execution/waiting.ts';
import { examples } from '../../options/examples.ts';
import { type ExitCode, exitCodes, type Io, type Shell } from '../../output/io.ts';
import { type ListFlags, withList } from '../../output/listOutput.ts';
import { sinkFor } from '../../output/streamOutput.ts';
import { snapshotText } from './snapshotText.ts';

interface Flags extends ListFlags, WaitFlags {
  wait?: boolean;
}

export function addSnapshot(command: Command, { io, end }: Shell): void {
  withWait(withList(command.argument('<id>', 'of the snapshot')))
    .option('--wait', 'wait until it is ready (without it, a snapshot that is not ready is an error)')
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
  const { output, wait = false, poll, maxWait, format, ...connection } = flags;
  const write = sinkFor(output, connection.file, io);
  await withWorkbench(connection, io, await configIfAny(connection, io), async ({ session }) => {
    try {
      const content = await snapshotText(session.client(), id, { format, wait, poll, maxWait }, io);
      if ('state' in content) throw notReady(id, content);
      await write(content);
    } catch (error) {
      throw io.signal.aborted ? interrupted(id) : (unfinished(id, error) ?? error);
    }
  });
  return exitCodes.done;
}

function notReady(id: string, { said }: NotReady): ProblemError {
  return new ProblemError([
    {
      code: 'not-ready',
      found: `the snapshot ${id} is not ready${said === undefined ? '' : `: ${said}`}`,
      fix: 'ask again in a while, or wait for it with --wait',
    },
  ]);
}

/** The end of the maximum wait, in the words of the command line. */
function unfinished(id: string, error: unknown): ProblemError | undefined {
  if (!(error instanceof ServiceError) || error.code !== 'max-wait-reached') return undefined;
  const fix = `\`webdata snapshot ${id} --wait\` waits for it again; --max-wait sets how long`;
  return new ProblemError([{ code: 'max-wait-reached', found: error.message, fix }]);
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
