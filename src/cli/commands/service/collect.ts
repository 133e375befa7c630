/** `webdata collect [COLLECTOR]`: triggers a job of a collector or a dataset, waits for it, and writes its rows. */
import type { Command } from 'commander';
import { ProblemError } from '../../../base/diagnostics/problem.ts';
import { printableLine } from '../../../base/values/printable.ts';
import { parseExact } from '../../../base/yaml/exactNumbers.ts';
import type { CollectorResult } from '../../../client/areas/jobs/collectors.ts';
import type { Client } from '../../../client/client.ts';
import { isKeyRefusal, ServiceError } from '../../../client/errors.ts';
import type { Input } from '../../../triggers/declared/inputSchema.ts';
import { withSendingContext } from '../../execution/commandContext.ts';
import { type WaitFlags, withPolling, withWait } from '../../execution/waiting.ts';
import { withConnection } from '../../options/options.ts';
import { addExamples } from '../../options/values.ts';
import { inPieces, type Sink, sinkFor, withDataFile } from '../../output/dataOutput.ts';
import { type ExitCode, exitCodes, type Io, type Shell } from '../../output/io.ts';
import { type FormatFlags, rowsCsv, rowsText, withFormat } from '../../output/listOutput.ts';
import { readInputs } from './collectInputs.ts';
import { type CollectFlags, collectorTrigger, conflictIn, datasetTrigger, withTrigger } from './collectOptions.ts';
import { snapshotText } from './snapshot.ts';

export function addCollect(command: Command, { io, end }: Shell): void {
  const described = withWait(withDataFile(withConnection(command))).argument('[collector]', 'collector ID, c_…');
  withTrigger(withFormat(described)).action(async (collector: string | undefined, flags: CollectFlags) =>
    end(await collect(collector, flags, io)),
  );
  addExamples(command, {
    'webdata collect c_prices --input url=https://shop.example.com/1': 'one input; every trigger is billed',
    'webdata collect c_prices --inputs shops.json --format ndjson --output rows.ndjson':
      'many inputs, the rows in a file',
    'webdata collect c_prices --inputs shops.json --deliver s3.yaml --no-wait':
      'delivery as s3.yaml says, without waiting',
    'webdata collect --dataset gd_companies --inputs companies.json --format csv': 'a dataset, as CSV of the service',
    'webdata collect c_prices --inputs shops.json --keep s3://acme-rows/prices':
      'the rows in the file JOB.json of a bucket',
    'webdata collect --resume j_abc123': 'rows of a job that was triggered before',
  });
}

async function collect(collector: string | undefined, flags: CollectFlags, io: Io): Promise<ExitCode> {
  const conflict = conflictIn(collector, flags);
  if (conflict !== undefined) throw new ProblemError([conflict]);
  const { resume, wait = true, poll, maxWait, format, dataset } = flags;
  const place = await placeFor(flags, io);
  const trigger = resume === undefined ? await triggerOf(collector, flags, io) : undefined;
  await withSendingContext(flags, io, async ({ session }) => {
    const client = session.client();
    const triggeredAt = trigger && new Date();
    const id = trigger ? await triggered(client, trigger, io) : (resume ?? '');
    if (!wait) return place.write(id, [`${id}\n`]);
    if (trigger) io.stderr.write(printableLine(`Triggered ${id}. To resume: ${resumeCommand(id)}`));
    const isSnapshot = dataset !== undefined || id.startsWith('s_');
    const write: Sink = (pieces) => place.write(id, pieces);
    await collected(client, id, { triggeredAt, poll, maxWait, format, isSnapshot }, write, io);
  }).finally(place.close);
  return exitCodes.done;
}

interface RowPlace {
  write(job: string, ...content: Parameters<Sink>): Promise<void>;
  close(): Promise<void>;
}

/** Checks that the place of the rows can be written before anything is triggered. @throws ProblemError */
async function placeFor(flags: CollectFlags, io: Io): Promise<RowPlace> {
  const { keep: to, format } = flags;
  if (to === undefined) {
    const write = await sinkFor(flags, io);
    return { write: (_, pieces) => write(pieces), close: async () => undefined };
  }
  const { createRowKeeper } = await import('../../../triggers/worker/rowKeeper.ts');
  const keeper = createRowKeeper({ folder: io.cwd, env: io.env });
  const keep = { to, format };
  await keeper.probe(keep, io.signal).catch(refuseNotKept('make the place writable, or name another one'));
  return {
    async write(job, text) {
      const again = refuseNotKept(`make the place writable, then run \`${resumeCommand(job)} --keep ${to}\``);
      const { kept } = await keeper.keep(keep, [job], { text: inPieces(text), format }, io.signal).catch(again);
      io.stdout.write(printableLine(kept));
    },
    close: keeper.close,
  };
}

function refuseNotKept(fix: string) {
  return (error: unknown): never => {
    if (!(error instanceof Error) || error.name !== 'NotKept') throw error;
    if (error.cause instanceof ProblemError) throw error.cause;
    throw new ProblemError([{ code: 'rows-not-kept', found: error.message, fix }]);
  };
}

interface Trigger {
  /** ID of the collector or dataset. */
  target: string;
  send(client: Client): Promise<string>;
}

/** Reads all inputs and files before anything is sent. @throws ProblemError */
async function triggerOf(collector = '', flags: CollectFlags, io: Io): Promise<Trigger> {
  const { dataset } = flags;
  const inputs = await inputsOf(flags, io);
  if (dataset !== undefined) {
    const trigger = datasetTrigger(dataset, inputs, flags, io);
    return { target: dataset, send: async ({ datasets }) => (await datasets.trigger(trigger)).snapshotId };
  }
  const trigger = await collectorTrigger(collector, inputs, flags, io);
  return { target: collector, send: async ({ collectors }) => (await collectors.trigger(trigger)).collectionId };
}

async function inputsOf({ inputs, input }: Pick<CollectFlags, 'inputs' | 'input'>, io: Io): Promise<readonly Input[]> {
  if (inputs !== undefined) return readInputs(inputs, io);
  if (input !== undefined) return [input];
  throw new ProblemError([noInputs]);
}

/** Returns the ID of the job. @throws ProblemError after a lost answer, as the trigger is never sent again */
async function triggered(client: Client, trigger: Trigger, io: Io): Promise<string> {
  try {
    return await trigger.send(client);
  } catch (error) {
    if (!(error instanceof ServiceError) || error.effect === 'none') throw error;
    const fix = `look for a job of ${trigger.target} in the control panel and resume it with \`webdata collect --resume ID\`; the trigger is not sent again, because every trigger is billed`;
    const found = io.signal.aborted ? 'interrupted; the job may have been triggered' : error.message;
    throw new ProblemError([{ code: error.code, found, fix }]);
  }
}

interface Waiting extends WaitFlags, FormatFlags {
  triggeredAt: Date | undefined;
  isSnapshot: boolean;
  /** True if the job had rows: none is an error then. */
  hadRows?: boolean;
}

/** Waits for the job and writes its rows. @throws ProblemError that explains how to resume, as the job continues by itself */
export async function collected(client: Client, id: string, waiting: Waiting, write: Sink, io: Io): Promise<void> {
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
  { triggeredAt, format, hadRows = false, ...waiting }: Waiting,
  io: Io,
) {
  const result = await withPolling(waiting, io, (options) =>
    collectors.wait(id, { triggeredAt, parseRow: parseExact, ...options }),
  );
  if (result.state !== 'ready') {
    const found = `${id} ${withoutRows[result.state]}`;
    if (hadRows) throw new ProblemError([{ code: 'rows-gone', found }]);
    io.stderr.write(printableLine(`${found}.`));
  }
  const rows = rowsOf(result);
  return format === 'csv'
    ? rowsCsv(rows, `to get all rows, run \`${resumeCommand(id)} --format ndjson\``)
    : rowsText(rows, format);
}

const retention = 'results are kept for 16 days after they are ready (7 days for a real-time job)';

const withoutRows = {
  empty: 'ended without rows',
  expired: `has expired: ${retention}`,
  'empty-or-expired': `ended without rows or has expired: ${retention}`,
};

async function* rowsOf(result: CollectorResult) {
  if (result.state === 'ready') yield* result.rows;
}

/** Returns true if a later request may succeed. */
function isPassing(error: unknown): error is ServiceError {
  const isEnd = error instanceof ServiceError && (error.code === 'not-found' || error.code === 'job-failed');
  return error instanceof ServiceError && !isEnd && !isKeyRefusal(error);
}

function unfinished(id: string, error: unknown, { signal }: Io): ProblemError {
  const isOver = error instanceof ServiceError && error.code === 'max-wait-reached';
  const code = signal.aborted ? 'interrupted' : isOver ? 'max-wait-reached' : 'not-read';
  const found =
    signal.aborted || !(error instanceof Error) ? `interrupted; ${id} continues at the service` : error.message;
  return new ProblemError([{ code, found, fix: `to resume without a new trigger, run \`${resumeCommand(id)}\`` }]);
}

function resumeCommand(id: string): string {
  return `webdata collect --resume ${id}`;
}

const noInputs = {
  code: 'no-inputs',
  found: 'the inputs are missing',
  allowed: '--inputs FILE or --input KEY=VALUE',
  fix: 'pass one of them; nothing was triggered',
};
