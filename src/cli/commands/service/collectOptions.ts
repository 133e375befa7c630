/** The options of `webdata collect`, and what is triggered by them: a run of a collector, or a collection of a dataset. */
import { type Command, Option } from 'commander';
import { ProblemError } from '../../../diagnostics/problem.ts';
import type { CollectorTrigger } from '../../../service/areas/jobs/collectorTrigger.ts';
import type { DatasetTrigger } from '../../../service/areas/jobs/datasets.ts';
import type { Notification } from '../../../service/areas/jobs/delivery.ts';
import type { Input } from '../../../triggers/spec/inputSchema.ts';
import type { WaitFlags } from '../../execution/waiting.ts';
import { variableFrom } from '../../options/options.ts';
import type { DataFlags } from '../../output/dataOutput.ts';
import type { Io } from '../../output/io.ts';
import type { FormatFlags } from '../../output/listOutput.ts';
import { inputField } from './collectInputs.ts';
import { readDelivery } from './deliverFile.ts';

export interface CollectFlags extends DataFlags, FormatFlags, CollectorFlags, DatasetFlags, WaitFlags {
  inputs?: string;
  input?: Record<string, string>;
  wait?: boolean;
  resume?: string;
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

/** What is triggered, with what, and whether it is waited for. */
export function withTrigger(command: Command): Command {
  const trigger = [
    new Option('--dataset <id>', 'a dataset scraper, gd_…, instead of a collector').conflicts('resume'),
    new Option('--inputs <file>', 'JSON list, or one object a line; - is stdin').conflicts(['input', 'resume']),
    new Option('--input <key=value>', 'a field of the one input; again for more')
      .argParser(inputField)
      .conflicts('resume'),
    new Option('--no-wait', 'writes the id and ends'),
    new Option('--resume <id>', 'waits for this run (j_…) or snapshot (s_…), and triggers none'),
  ];
  for (const option of [...trigger, ...collectorOptions(), ...datasetOptions()]) command.addOption(option);
  return command;
}

function collectorOptions(): Option[] {
  const options = [
    new Option('--queue-next', 'sends queue_next=1: docs/collectors.md has the two things that are said of it'),
    new Option('--no-queue-next', 'sends queue_next=0'),
    new Option('--notify <where>', 'who is told when it is finished: a URL, or the word email').argParser(notification),
    new Option('--deliver <file>', 'where the result goes instead: a JSON or YAML file, as it holds credentials'),
    new Option('--dev', 'the development version of the collector'),
    new Option('--name <text>', 'a name of the run, for people'),
    new Option('--queue <name>', 'runs of the same queue start one after another'),
    new Option('--cancel-running', 'cancels a run of this collector that is under way'),
    new Option('--no-media', 'downloads no media'),
    new Option('--max-time <time>', 'the longest time that the run may take: 2h, 30m or 90s'),
  ];
  return options.map((option) => option.conflicts(['dataset', 'resume']).helpGroup('Of a collector:'));
}

function datasetOptions(): Option[] {
  const options = [
    new Option('--endpoint <url>', 'a webhook that the result is posted to').argParser(webUrl('--endpoint')),
    new Option('--uncompressed', 'posts it as it is; without it, compressed by gzip'),
    new Option('--authorization-env <name>', 'the variable that holds the Authorization header of that post'),
  ];
  return options.map((option) => option.conflicts('resume').helpGroup('Of a dataset:'));
}

/** @throws ProblemError for what can't be read, or is no delivery */
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

/** @throws ProblemError where the variable is not set */
export function datasetTrigger(
  datasetId: string,
  inputs: readonly Input[],
  { endpoint, uncompressed, authorizationEnv, format }: DatasetFlags & Pick<CollectFlags, 'format'>,
  io: Io,
): DatasetTrigger {
  const authorization = variableFrom('--authorization-env', authorizationEnv, io, 'set it; nothing was triggered');
  return { datasetId, inputs, format, endpoint, uncompressed, authorization };
}

/** What is wrong with the options as a whole, or undefined. */
export function misfitOf(
  collector: string | undefined,
  { dataset, resume, wait = true, endpoint, uncompressed, authorizationEnv }: CollectFlags,
): typeof eitherOr | undefined {
  const sources = [collector, dataset, resume].filter((source) => source !== undefined);
  if (sources.length !== 1) return eitherOr;
  if (resume !== undefined && !wait) return nothingToDo;
  if (endpoint !== undefined && dataset === undefined) return noDataset;
  const isForEndpoint = uncompressed !== undefined || authorizationEnv !== undefined;
  return isForEndpoint && endpoint === undefined ? noEndpoint : undefined;
}

/** What was given is not shown in what follows: URLs of webhooks hold tokens. */
function webUrl(option: string, orElse = '') {
  return (text: string): string => {
    if (/^https?:$/.test(URL.parse(text)?.protocol ?? '')) return text;
    const allowed = `an http or https URL${orElse}`;
    throw new ProblemError([
      { code: 'wrong-format', found: `${option} is something else`, allowed, fix: 'correct it' },
    ]);
  };
}

function notification(text: string): Notification {
  if (text === 'email') return { type: 'email' };
  return { type: 'webhook', endpoint: webUrl('--notify', ', or the word email')(text) };
}

const eitherOr = {
  code: 'wrong-arguments',
  found: 'what to collect is not clear',
  allowed: 'a collector, --dataset with the id of a dataset scraper, or --resume with the id of a run or a snapshot',
  fix: 'give one of them',
};

const nothingToDo: typeof eitherOr = {
  code: 'wrong-arguments',
  found: '--resume with --no-wait has nothing to do',
  allowed: 'one of the two',
  fix: 'leave one of them out',
};

const noDataset: typeof eitherOr = {
  code: 'wrong-arguments',
  found: '--endpoint without --dataset',
  allowed: '--endpoint for datasets, --deliver and --notify for collectors',
  fix: 'take the option of what is collected',
};

const noEndpoint: typeof eitherOr = {
  code: 'wrong-arguments',
  found: '--uncompressed or --authorization-env without --endpoint',
  allowed: '--dataset with --endpoint, and these for the post to it',
  fix: 'add --endpoint, or leave them out',
};
