/** `webdata collect`: triggers a run of a collector, waits for it, and writes its rows. */
import { type Command, Option } from 'commander';
import { ProblemError } from '../input/problem.ts';
import type { Client } from '../service/client.ts';
import type { CollectorResult } from '../service/collectors.ts';
import { isKeyRefusal, ServiceError } from '../service/errors.ts';
import { type Input, inputField, readInputs } from './collectInputs.ts';
import type { DataFlags } from './dataOutput.ts';
import { withOutputFile } from './dataOutput.ts';
import { examples } from './examples.ts';
import { type ExitCode, exitCodes, type Io, type Shell } from './io.ts';
import { formatOption, rowsText } from './listOutput.ts';
import { withConnection } from './options.ts';
import { type Sink, sinkFor } from './streamOutput.ts';
import { withPoll, withPolling } from './waiting.ts';
import { configIfAny, withWorkbench } from './workbench.ts';

interface Flags extends DataFlags {
  format: 'json' | 'ndjson';
  inputs?: string;
  input?: Record<string, string>;
  wait?: boolean;
  resume?: string;
  poll: number;
}

export function addCollect(command: Command, { io, end }: Shell): void {
  withPoll(withOutputFile(withConnection(command)))
    .argument('[collector]', 'its ID, c_…')
    .addOption(new Option('--inputs <file>', 'JSON list, or one object a line; - is stdin').conflicts('input'))
    .option('--input <key=value>', 'a field of the one input; again for more', inputField)
    .option('--no-wait', 'writes the id of the run and ends')
    .addOption(new Option('--resume <id>', 'waits for this run, and triggers none').conflicts(['inputs', 'input']))
    .addOption(formatOption(['json', 'ndjson']))
    .addHelpText(
      'after',
      examples({
        'webdata collect c_prices --input url=https://shop.example.com/1': 'one input; every trigger is billed',
        'webdata collect c_prices --inputs shops.json --format ndjson --output rows.ndjson':
          'many, the rows into a file',
        'webdata collect --resume j_abc123': 'the rows of a run that was triggered before',
      }),
    )
    .action(async (collector: string | undefined, flags: Flags) => end(await collect(collector, flags, io)));
}

async function collect(collector: string | undefined, flags: Flags, io: Io): Promise<ExitCode> {
  const { output, inputs, input, resume, wait = true, poll, format, ...connection } = flags;
  if ((collector === undefined) === (resume === undefined)) throw new ProblemError([eitherOr]);
  if (resume !== undefined && !wait) throw new ProblemError([nothingToDo]);
  const write = sinkFor(output, connection.file, io);
  const given = collector === undefined ? [] : await inputsOf({ inputs, input }, io);
  const planFlags = { ...connection, format: 'text' as const, color: false };
  await withWorkbench(planFlags, io, await configIfAny(connection, io), async ({ session }) => {
    const client = session.client();
    const triggeredAt = resume === undefined ? new Date() : undefined;
    const id = resume ?? (await triggered(client, collector ?? '', given, io));
    if (!wait) return write(idLine(id));
    io.stderr.write(resume === undefined ? `Triggered ${id}; \`${goOn(id)}\` takes it up again.\n` : '');
    await collected(client, id, { triggeredAt, poll, format }, write, io);
  });
  return exitCodes.done;
}

async function inputsOf({ inputs, input }: Pick<Flags, 'inputs' | 'input'>, io: Io): Promise<readonly Input[]> {
  if (inputs !== undefined) return readInputs(inputs, io);
  if (input !== undefined) return [input];
  throw new ProblemError([noInputs]);
}

/** The id of the run. @throws ServiceError, which says that nothing is sent again where the answer was lost */
async function triggered(client: Client, collector: string, inputs: readonly Input[], io: Io): Promise<string> {
  try {
    return (await client.collectors.trigger({ collector, inputs })).collectionId;
  } catch (error) {
    if (!(error instanceof ServiceError) || error.effect === 'none') throw error;
    const fix = `nothing is sent again, as every trigger is billed: look for a run of ${collector} in the control panel, and take it up with \`webdata collect --resume ID\``;
    const found = io.signal.aborted ? 'interrupted: whether the run was triggered is not known' : error.message;
    throw new ProblemError([{ code: error.code, found, fix }]);
  }
}

type Waiting = { triggeredAt: Date | undefined } & Pick<Flags, 'poll' | 'format'>;

/** @throws ProblemError that says how to go on: the run itself does */
async function collected(client: Client, id: string, waiting: Waiting, write: Sink, io: Io): Promise<void> {
  const { triggeredAt, poll, format } = waiting;
  try {
    const result = await withPolling(poll, io, (options) => client.collectors.wait(id, { triggeredAt, ...options }));
    if (result.state !== 'ready') io.stderr.write(`${id} ${withoutRows[result.state]}.\n`);
    await write(rowsText(rowsOf(result), format));
  } catch (error) {
    throw io.signal.aborted || isPassing(error) ? unfinished(id, error, io) : error;
  }
}

const withoutRows = {
  empty: 'ended without rows',
  expired: 'has no rows any more: results are kept for 16 days',
  'empty-or-expired': 'has no rows, or none any more: results are kept for 16 days',
};

async function* rowsOf(result: CollectorResult) {
  if (result.state === 'ready') yield* result.rows;
}

/** What the same question may be answered later. */
function isPassing(error: unknown): error is ServiceError {
  return error instanceof ServiceError && error.code !== 'not-found' && !isKeyRefusal(error);
}

function unfinished(id: string, error: unknown, { signal }: Io): ProblemError {
  const code = signal.aborted ? 'interrupted' : 'not-read';
  const found = signal.aborted || !(error instanceof Error) ? `interrupted; the run ${id} goes on` : error.message;
  return new ProblemError([{ code, found, fix: `\`${goOn(id)}\` takes it up again, and triggers nothing` }]);
}

function goOn(id: string): string {
  return `webdata collect --resume ${id}`;
}

async function* idLine(id: string) {
  yield `${id}\n`;
}

const eitherOr = {
  code: 'wrong-arguments',
  found: 'what to collect is not clear',
  allowed: 'a collector, or --resume with the id of a run',
  fix: 'give one of the two',
};

const nothingToDo = {
  code: 'wrong-arguments',
  found: '--resume with --no-wait has nothing to do',
  fix: 'leave one of the two out',
};

const noInputs = {
  code: 'no-inputs',
  found: 'there is no input',
  allowed: '--inputs FILE, or --input KEY=VALUE',
  fix: 'give one of the two; nothing was triggered',
};
