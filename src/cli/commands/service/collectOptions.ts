/** The options of `webdata collect`, and the trigger that they describe. */
import { type Command, Option } from 'commander';
import { type Problem, ProblemError } from '../../../base/diagnostics/problem.ts';
import type { CollectorTrigger } from '../../../client/areas/jobs/collectorTrigger.ts';
import type { DatasetTrigger } from '../../../client/areas/jobs/datasets.ts';
import type { Notification } from '../../../client/areas/jobs/delivery.ts';
import type { Input } from '../../../triggers/declared/inputSchema.ts';
import type { WaitFlags } from '../../execution/waiting.ts';
import { variableFrom } from '../../options/values.ts';
import type { DataFlags } from '../../output/dataOutput.ts';
import type { Io } from '../../output/io.ts';
import type { FormatFlags } from '../../output/listOutput.ts';
import { inputField, readDelivery } from './collectInputs.ts';

export interface CollectFlags extends DataFlags, FormatFlags, CollectorFlags, DatasetFlags, WaitFlags {
  inputs?: string;
  input?: Record<string, string>;
  wait?: boolean;
  resume?: string;
  keep?: string;
}

interface CollectorFlags {
  queueNext?: boolean;
  notify?: Notification;
  deliver?: string;
  dev?: boolean;
  name?: string;
  queue?: string;
  cancelRunning?: boolean;
  media?: boolean;
  maxTime?: string;
}

interface DatasetFlags {
  dataset?: string;
  endpoint?: string;
  uncompressed?: boolean;
  authorizationEnv?: string;
}

export function withTrigger(command: Command): Command {
  const trigger = [
    new Option('--dataset <id>', 'dataset ID, gd_…, instead of a collector').conflicts('resume'),
    new Option('--inputs <file>', 'file with a JSON list or one JSON object per line; - for stdin').conflicts([
      'input',
      'resume',
    ]),
    new Option('--input <key=value>', 'field of a single input; repeatable').argParser(inputField).conflicts('resume'),
    new Option('--keep <place>', 'folder or s3://BUCKET/PREFIX for a file with the rows, named by the job').conflicts(
      'output',
    ),
    new Option('--no-wait', 'print the job ID without waiting'),
    new Option('--resume <id>', 'wait for this job (j_… or s_…) without a new trigger'),
  ];
  for (const option of [...trigger, ...collectorOptions(), ...datasetOptions()]) command.addOption(option);
  return command;
}

function collectorOptions(): Option[] {
  const options = [
    new Option('--queue-next', 'send queue_next=1 (the specification has two meanings for it)'),
    new Option('--no-queue-next', 'send queue_next=0'),
    new Option('--notify <target>', 'URL to notify when the job ends, or the word email').argParser(notification),
    new Option('--deliver <file>', 'JSON or YAML file with the destination of the result and its credentials'),
    new Option('--dev', 'use the development version of the collector'),
    new Option('--name <text>', 'display name of the job'),
    new Option('--queue <name>', 'queue; jobs of one queue start one after another'),
    new Option('--cancel-running', 'cancel a running job of this collector'),
    new Option('--no-media', 'download no media'),
    new Option('--max-time <time>', 'longest duration of the job, such as 2h, 30m or 90s'),
  ];
  return options.map((option) => option.conflicts(['dataset', 'resume']).helpGroup('Collector options:'));
}

function datasetOptions(): Option[] {
  const options = [
    new Option('--endpoint <url>', 'webhook URL for the result').argParser(webUrl('--endpoint')),
    new Option('--uncompressed', 'send the result uncompressed instead of gzipped'),
    new Option('--authorization-env <name>', 'variable that holds the Authorization header for the webhook'),
  ];
  return options.map((option) => option.conflicts('resume').helpGroup('Dataset options:'));
}

/** @throws ProblemError if the --deliver file cannot be read or is invalid */
export async function collectorTrigger(
  collector: string,
  inputs: readonly Input[],
  { notify, deliver, media, queueNext, dev, name, queue, cancelRunning, maxTime }: CollectorFlags,
  io: Io,
): Promise<CollectorTrigger> {
  const delivery = deliver === undefined ? undefined : await readDelivery(deliver, io);
  const noMedia = media === false || undefined;
  return { collector, inputs, notify, deliver: delivery, noMedia, queueNext, dev, name, queue, cancelRunning, maxTime };
}

/** @throws ProblemError if the variable of --authorization-env is not set */
export function datasetTrigger(
  datasetId: string,
  inputs: readonly Input[],
  { endpoint, uncompressed, authorizationEnv, format }: DatasetFlags & Pick<CollectFlags, 'format'>,
  io: Io,
): DatasetTrigger {
  const authorization = authorizationEnv && variableFrom(authorizationEnv, io, 'set it; nothing was triggered');
  return { datasetId, inputs, format, endpoint, uncompressed, authorization };
}

/** Returns the problem of options that do not fit together. */
export function conflictIn(
  collector: string | undefined,
  { dataset, resume, keep, wait = true, endpoint, uncompressed, authorizationEnv }: CollectFlags,
): Problem | undefined {
  const targets = [collector, dataset, resume].filter((target) => target !== undefined);
  if (targets.length !== 1) {
    const allowed = 'a collector ID, --dataset with a dataset ID, or --resume with a job ID';
    return wrongArguments('exactly one collector, --dataset or --resume is required', allowed, 'pass one of them');
  }
  const waiting = resume !== undefined ? '--resume' : keep !== undefined ? '--keep' : undefined;
  if (waiting !== undefined && !wait)
    return wrongArguments(`${waiting} and --no-wait exclude each other`, 'one of the two', 'remove one of them');
  if (endpoint !== undefined && dataset === undefined) {
    const allowed = '--endpoint for datasets, --deliver and --notify for collectors';
    return wrongArguments('--endpoint requires --dataset', allowed, 'pass --deliver or --notify for a collector');
  }
  if ((uncompressed === undefined && authorizationEnv === undefined) || endpoint !== undefined) return undefined;
  const found = '--uncompressed and --authorization-env require --endpoint';
  return wrongArguments(found, '--dataset with --endpoint', 'add --endpoint, or remove these options');
}

function wrongArguments(found: string, allowed: string, fix: string): Problem {
  return { code: 'wrong-arguments', found, allowed, fix };
}

/** Parses a URL. Its errors do not show the value, because URLs of webhooks contain tokens. */
function webUrl(option: string, orElse = '') {
  return (text: string): string => {
    if (/^https?:$/.test(URL.parse(text)?.protocol ?? '')) return text;
    const allowed = `an http or https URL${orElse}`;
    throw new ProblemError([{ code: 'wrong-format', found: `${option} is not a URL`, allowed, fix: 'correct it' }]);
  };
}

function notification(text: string): Notification {
  if (text === 'email') return { type: 'email' };
  return { type: 'webhook', endpoint: webUrl('--notify', ', or the word email')(text) };
}
