/** `webdata collect`: triggers a run of a collector or a collection of a dataset, waits for it, and writes its rows. */
import type { Command } from 'commander';
import { ProblemError } from '../../../diagnostics/problem.ts';
import { printableLines } from '../../../report/model/printable.ts';
import type { CollectorResult } from '../../../service/areas/jobs/collectors.ts';
import type { Client } from '../../../service/client.ts';
import { isKeyRefusal, ServiceError } from '../../../service/errors.ts';
import type { Input } from '../../../triggers/spec/inputSchema.ts';
import { parseExact } from '../../../yaml/exactNumbers.ts';
import { withWorkbench } from '../../execution/commandContext.ts';
import { configIfAny } from '../../execution/declaration.ts';
import { type WaitFlags, withPolling, withWait } from '../../execution/waiting.ts';
import { examples } from '../../options/examples.ts';
import { withConnection } from '../../options/options.ts';
import { withOutputFile } from '../../output/dataOutput.ts';
import { type ExitCode, exitCodes, type Io, type Shell } from '../../output/io.ts';
import { type FormatFlags, rowsCsv, rowsText, withFormat } from '../../output/listOutput.ts';
import { type Sink, sinkFor, wholeText } from '../../output/streamOutput.ts';
import { readInputs } from './collectInputs.ts';
import { type CollectFlags, collectorTrigger, datasetTrigger, misfitOf, withTrigger } from './collectOptions.ts';
import { snapshotText } from './snapshotText.ts';

export function addCollect(command: Command, { io, end }: Shell): void {
  const described = withWait(withOutputFile(withConnection(command))).argument('[collector]', 'its ID, c_…');
  withTrigger(withFormat(described))
    .addHelpText(
      'after',
      examples({
        'webdata collect c_prices --input url=https://shop.example.com/1': 'one input; every trigger is billed',
        'webdata collect c_prices --inputs shops.json --format ndjson --output rows.ndjson':
          'many, the rows into a file',
        'webdata collect c_prices --inputs shops.json --deliver s3.yaml --no-wait': 'the rows go where a file says',
        'webdata collect --dataset gd_companies --inputs companies.json --format csv':
          'of a dataset, as the service writes CSV',
        'webdata collect --resume j_abc123': 'the rows of a run that was triggered before',
      }),
    )
    .action(async (collector: string | undefined, flags: CollectFlags) => end(await collect(collector, flags, io)));
}

async function collect(collector: string | undefined, flags: CollectFlags, io: Io): Promise<ExitCode> {
  const misfit = misfitOf(collector, flags);
  if (misfit !== undefined) throw new ProblemError([misfit]);
  const { output, resume, wait = true, poll, maxWait, format, exactCsv, dataset } = flags;
  const write = sinkFor(output, flags.file, io);
  const trigger = resume === undefined ? await triggerOf(collector, flags, io) : undefined;
  await withWorkbench(flags, io, await configIfAny(flags, io), async ({ session }) => {
    const client = session.client();
    const triggeredAt = trigger && new Date();
    const id = trigger ? await triggered(client, trigger, io) : (resume ?? '');
    if (!wait) return write(wholeText(`${id}\n`));
    io.stderr.write(printableLines(trigger ? `Triggered ${id}; \`${goOn(id)}\` takes it up again.\n` : ''));
    const isSnapshot = dataset !== undefined || id.startsWith('s_');
    await collected(client, id, { triggeredAt, poll, maxWait, format, exactCsv, isSnapshot }, write, io);
  });
  return exitCodes.done;
}

interface Trigger {
  /** The id of the collector or dataset. */
  of: string;
  send(client: Client): Promise<string>;
}

/** Nothing is sent before all of it is known. @throws ProblemError */
async function triggerOf(collector = '', flags: CollectFlags, io: Io): Promise<Trigger> {
  const { dataset } = flags;
  const inputs = await inputsOf(flags, io);
  if (dataset !== undefined) {
    const trigger = datasetTrigger(dataset, inputs, flags, io);
    return { of: dataset, send: async ({ datasets }) => (await datasets.trigger(trigger)).snapshotId };
  }
  const trigger = await collectorTrigger(collector, inputs, flags, io);
  return { of: collector, send: async ({ collectors }) => (await collectors.trigger(trigger)).collectionId };
}

async function inputsOf({ inputs, input }: Pick<CollectFlags, 'inputs' | 'input'>, io: Io): Promise<readonly Input[]> {
  if (inputs !== undefined) return readInputs(inputs, io);
  if (input !== undefined) return [input];
  throw new ProblemError([noInputs]);
}

/** The id of what was started. @throws ServiceError, which says that nothing is sent again where the answer was lost */
async function triggered(client: Client, trigger: Trigger, io: Io): Promise<string> {
  try {
    return await trigger.send(client);
  } catch (error) {
    if (!(error instanceof ServiceError) || error.effect === 'none') throw error;
    const fix = `nothing is sent again, as every trigger is billed: look for a run of ${trigger.of} in the control panel, and take it up with \`webdata collect --resume ID\``;
    const found = io.signal.aborted ? 'interrupted: whether it was triggered is not known' : error.message;
    throw new ProblemError([{ code: error.code, found, fix }]);
  }
}

interface Waiting extends WaitFlags, FormatFlags {
  triggeredAt: Date | undefined;
  isSnapshot: boolean;
}

/** @throws ProblemError that says how to wait for the run again, which goes on by itself */
async function collected(client: Client, id: string, waiting: Waiting, write: Sink, io: Io): Promise<void> {
  try {
    const content = waiting.isSnapshot
      ? await snapshotText(client, id, { ...waiting, wait: true }, io)
      : await runText(client, id, waiting, io);
    if (!('state' in content)) await write(content);
  } catch (error) {
    throw io.signal.aborted || isPassing(error) ? unfinished(id, error, io) : error;
  }
}

async function runText(
  { collectors }: Client,
  id: string,
  { triggeredAt, format, exactCsv = false, ...waiting }: Waiting,
  io: Io,
) {
  const result = await withPolling(waiting, io, (options) =>
    collectors.wait(id, { triggeredAt, parseRow: parseExact, ...options }),
  );
  if (result.state !== 'ready') io.stderr.write(printableLines(`${id} ${withoutRows[result.state]}.\n`));
  const rows = rowsOf(result);
  return format === 'csv'
    ? rowsCsv(rows, `\`${goOn(id)} --format ndjson\` has them all`, exactCsv)
    : rowsText(rows, format);
}

const retention = 'results are kept for 16 days (7 for a real-time run), counted from when they are ready';

const withoutRows = {
  empty: 'ended without rows',
  expired: `has expired: ${retention}`,
  'empty-or-expired': `ended without rows, or has expired: ${retention}`,
};

async function* rowsOf(result: CollectorResult) {
  if (result.state === 'ready') yield* result.rows;
}

/** Whether a later request may have another answer. */
function isPassing(error: unknown): error is ServiceError {
  const isEnd = error instanceof ServiceError && (error.code === 'not-found' || error.code === 'job-failed');
  return error instanceof ServiceError && !isEnd && !isKeyRefusal(error);
}

function unfinished(id: string, error: unknown, { signal }: Io): ProblemError {
  const isOver = error instanceof ServiceError && error.code === 'max-wait-reached';
  const code = signal.aborted ? 'interrupted' : isOver ? 'max-wait-reached' : 'not-read';
  const found = signal.aborted || !(error instanceof Error) ? `interrupted; ${id} goes on` : error.message;
  return new ProblemError([{ code, found, fix: `\`${goOn(id)}\` takes it up again, and triggers nothing` }]);
}

function goOn(id: string): string {
  return `webdata collect --resume ${id}`;
}

const noInputs = {
  code: 'no-inputs',
  found: 'there is no input',
  allowed: '--inputs FILE, or --input KEY=VALUE',
  fix: 'give one of the two; nothing was triggered',
};
