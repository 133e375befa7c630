/** `webdata snapshot ID`: the data that a dataset collected. */
import type { Command } from 'commander';
import { ProblemError } from '../../../base/diagnostics/problem.ts';
import { parseExact } from '../../../base/yaml/exactNumbers.ts';
import type { NotReady, SnapshotFormat } from '../../../client/areas/jobs/datasets.ts';
import type { Client } from '../../../client/client.ts';
import { ServiceError } from '../../../client/errors.ts';
import { withContext } from '../../execution/commandContext.ts';
import { type WaitFlags, withPolling, withWait } from '../../execution/waiting.ts';
import { withConnection } from '../../options/options.ts';
import { addExamples } from '../../options/values.ts';
import { type DataFlags, sinkFor, withDataFile } from '../../output/dataOutput.ts';
import { type ExitCode, exitCodes, type Io, type Shell } from '../../output/io.ts';
import { type FormatFlags, rowsText, withFormat } from '../../output/listOutput.ts';

interface Flags extends DataFlags, FormatFlags, WaitFlags {
  wait?: boolean;
}

export function addSnapshot(command: Command, { io, end }: Shell): void {
  const described = withConnection(command.argument('<id>', 'snapshot ID, s_…'));
  withWait(withFormat(withDataFile(described)))
    .option('--wait', 'wait until the snapshot is ready, instead of failing')
    .action(async (id: string, flags: Flags) => end(await snapshot(id, flags, io)));
  addExamples(command, {
    'webdata snapshot s_abc123 --wait': 'as JSON, once it is ready',
    'webdata snapshot s_abc123 --format csv --output companies.csv': 'as CSV, in a file',
  });
}

async function snapshot(id: string, flags: Flags, io: Io): Promise<ExitCode> {
  const { wait = false, poll, maxWait, format } = flags;
  const write = await sinkFor(flags, io);
  await withContext(flags, io, async ({ session }) => {
    try {
      const content = await snapshotText(session.client(), id, { format, wait, poll, maxWait }, io);
      if ('state' in content) throw notReady(id, content);
      await write(content);
    } catch (error) {
      throw unfinished(id, error, io) ?? error;
    }
  });
  return exitCodes.done;
}

interface SnapshotWaiting extends WaitFlags {
  format: SnapshotFormat;
  /** If true, waits for a snapshot that is not ready. */
  wait: boolean;
  triggeredAt?: Date | undefined;
}

/** Returns the content in pieces, or that the snapshot is not ready. CSV is byte for byte as the service sends it. @throws ServiceError */
export async function snapshotText(
  { datasets }: Client,
  id: string,
  { format, wait, triggeredAt, ...waiting }: SnapshotWaiting,
  io: Io,
): Promise<AsyncIterable<string | Uint8Array> | NotReady> {
  const read = <Format extends SnapshotFormat>(as: Format) =>
    wait
      ? withPolling(waiting, io, (options) =>
          datasets.wait(id, { format: as, triggeredAt, parseRow: parseExact, ...options }),
        )
      : datasets.download(id, { format: as, parseRow: parseExact });
  if (format === 'csv') {
    const answer = await read(format);
    return answer.state === 'not-ready' ? answer : answer.bytes;
  }
  const answer = await read(format);
  return answer.state === 'not-ready' ? answer : rowsText(answer.rows, format);
}

function notReady(id: string, { said }: NotReady): ProblemError {
  const found = `the snapshot ${id} is not ready${said === undefined ? '' : `: ${said}`}`;
  return new ProblemError([{ code: 'not-ready', found, fix: 'try again later, or wait for it with --wait' }]);
}

/** Explains how to wait again, after an interrupt or the end of --max-wait. */
function unfinished(id: string, error: unknown, { signal }: Io): ProblemError | undefined {
  const again = `to wait again, run \`webdata snapshot ${id} --wait\``;
  if (signal.aborted) {
    const found = 'interrupted; the job continues at the service';
    return new ProblemError([{ code: 'interrupted', found, fix: again }]);
  }
  if (!(error instanceof ServiceError) || error.code !== 'max-wait-reached') return undefined;
  const fix = `${again}; --max-wait sets the longest time`;
  return new ProblemError([{ code: 'max-wait-reached', found: error.message, fix }]);
}
