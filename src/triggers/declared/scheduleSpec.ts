/** The schema of a collector schedule: what is triggered when, with which inputs, and where results go. */
import { z } from 'zod';
import type { Problem } from '../../base/diagnostics/problem.ts';
import { shorten } from '../../base/diagnostics/valueWords.ts';
import { problemIssue, raising } from '../../base/diagnostics/zodProblems.ts';
import { bucketAddress } from '../../base/drivers/bucketAddress.ts';
import { parseAddress } from '../../base/values/address.ts';
import { once } from '../../base/values/once.ts';
import { inexactIn } from '../../base/yaml/exactNumbers.ts';
import type { Timing } from '../timing/timing.ts';
import { type DeliverySpec, deliverySpec, endpointUrl } from './deliverySpec.ts';
import { exactlyOne, requiring } from './fieldRules.ts';
import { declaredInputSchema, declaredRows, inputProblems } from './inputSchema.ts';
import { cronText, duration, durationMs, timeZoneName } from './timingSpec.ts';

/** The reasons for an alert. */
const alertReasons = ['failed', 'late', 'unknown', 'given-up', 'unkept', 'undelivered', 'few-rows'] as const;

export type AlertReason = (typeof alertReasons)[number];

const inputList = () =>
  z
    .array(z.record(z.string(), z.unknown()))
    .min(1)
    .superRefine(raising((inputs) => inexactIn(inputs, Number.isFinite)))
    .describe(
      'At least one input: objects with the fields that the collector takes. Values are sent exactly as they are written: a number such as `01234` needs quotes.',
    )
    .meta({ examples: [[{ url: 'https://shop.example.com/a' }]] });

const keepAddress = () => z.string().min(1).superRefine(raising(keepProblem));

/** A folder must be below that of the declaration: clients of a trigger service must not choose any file of its machine. */
function keepProblem(text: string): Problem | undefined {
  const parsed = parseAddress(text);
  const isBelow = parsed.kind === 'path' && !/^[/\\]|^[a-z]:|(?:^|[/\\])\.\.(?:[/\\]|$)/i.test(text);
  if (isBelow || (parsed.kind === 'server' && bucketAddress(parsed.url) !== undefined)) return undefined;
  return {
    code: 'wrong-keep',
    found: `\`${shorten(text)}\` is no place to keep rows in`,
    allowed: 'a folder below that of the declaration, such as ./deliveries, or s3://BUCKET/PREFIX',
    fix: 'for a folder elsewhere, write `./deliveries` and start the round or the server with --keep-folder FOLDER',
  };
}

const inputFile = () =>
  z.strictObject({
    file: z
      .string()
      .regex(/^(?![/\\])(?!.*(?:^|[/\\])\.\.(?:[/\\]|$)).+\.(?:csv|json|ndjson)$/, {
        error: 'must be a .csv, .json or .ndjson in the folder of the declaration, or below it',
      })
      .describe(
        'A .csv with a column for each field (empty cells are left out), a .json list, or an .ndjson with one object per line; in the folder of the declaration or below it.',
      )
      .meta({ examples: ['prices.csv'] }),
  });

/** The target and the timing. */
const target = () => ({
  collector: z
    .string()
    .regex(/^c_\S+$/, 'must be a collector ID, which starts with c_')
    .optional()
    .describe('The collector to trigger, `c_…`.')
    .meta({ examples: ['c_prices'] }),
  dataset: z
    .string()
    .regex(/^gd_\S+$/, 'must be a dataset ID, which starts with gd_')
    .optional()
    .describe('The dataset scraper to trigger instead of a collector, `gd_…`.')
    .meta({ examples: ['gd_profiles'] }),
  format: z
    .enum(['json', 'ndjson', 'csv'])
    .optional()
    .describe('The format of the results of a dataset; `json` by default.')
    .meta({ examples: ['json'] }),
  cron: cronText.optional(),
  timeZone: timeZoneName.optional().describe('The time zone of `cron`; UTC by default.'),
  every: duration
    .optional()
    .describe('The time from one trigger to the next: a number with `s`, `m`, `h` or `d`.')
    .meta({ examples: ['15m'] }),
});

/** The delivery, and how a job runs. */
const job = () => ({
  inputSchema: declaredInputSchema.optional(),
  delivery: z
    .union([z.string().min(1), deliverySpec()])
    .optional()
    .describe(
      'The delivery of results: the name of a delivery, or an inline one. By default results go where the collector sends them.',
    )
    .meta({ examples: ['main'] }),
  queueNext: z
    .boolean()
    .optional()
    .describe(
      'Sent as `queue_next`. By the specification, 1 starts at once and 0 waits for running jobs; in another place, 1 waits.',
    )
    .meta({ examples: [true] }),
  dev: z
    .boolean()
    .optional()
    .describe('Runs the development version of the collector.')
    .meta({ examples: [false] }),
  runName: z
    .string()
    .min(1)
    .optional()
    .describe('A name for people to find the run by; `{tick}` stands for the time of the tick.')
    .meta({ examples: ['nightly prices {tick}'] }),
  queue: z
    .string()
    .min(1)
    .optional()
    .describe('Jobs in the same queue run one after another.')
    .meta({ examples: ['prices'] }),
  noMedia: z
    .boolean()
    .optional()
    .describe('Downloads no media.')
    .meta({ examples: [true] }),
  maxTime: z
    .string()
    .regex(/^[1-9]\d*[hms]$/, 'must be a number with h, m or s, such as 2h')
    .optional()
    .describe('The longest time that a job may take: a number with `h`, `m` or `s`.')
    .meta({ examples: ['2h'] }),
});

const alerts = () =>
  z.strictObject({
    endpoint: endpointUrl().describe('The URL that receives a POST for each alert.'),
    on: z
      .array(z.enum(alertReasons))
      .min(1)
      .default([...alertReasons])
      .describe('The reasons to send an alert for.'),
    format: z
      .enum(['json', 'slack'])
      .optional()
      .describe(
        'The body of an alert: a JSON document with the fields of the run (`json`, the default), or `{ text }`, as webhooks of Slack take it.',
      )
      .meta({ examples: ['slack'] }),
  });

/** The handling of ticks and runs. */
const handling = () => ({
  paused: z.boolean().default(false).describe('Registered, but not triggered.'),
  overlap: z
    .enum(['skip', 'queue', 'cancel', 'allow'])
    .default('skip')
    .describe(
      'The rule for a tick while an earlier run is active: `skip` it, wait in a `queue`, `cancel` the earlier run, or `allow` both. A run of a dataset goes on if the service has no route to cancel it.',
    ),
  catchUp: z
    .union([
      z.enum(['skip', 'latest']),
      z.strictObject({ within: duration.describe('The age of the oldest tick to fire.') }),
    ])
    .default('skip')
    .describe('The missed ticks that fire late: none (`skip`), the `latest`, or all within a time: `{ within: 2h }`.')
    .meta({ examples: ['skip', { within: '2h' }] }),
  retryOn5xx: z
    .boolean()
    .default(true)
    .describe(
      'Collectors only: sends a trigger again after a 5xx answer, as the specification asks. If the service had accepted it anyway, it runs and is billed twice; `false` never sends it twice. The trigger of a dataset is never sent twice.',
    ),
  lateAfter: duration.default('1m').describe('The time after its tick at which a waiting run counts as late.'),
  giveUpAfter: duration
    .default('1d')
    .describe(
      'The time to wait for the result of a run. After that the run is `given-up`, and no longer blocks later ticks.',
    ),
  keep: z
    .union([
      keepAddress(),
      z.strictObject({
        to: keepAddress().describe('The folder, or the bucket with a prefix.'),
        format: z.enum(['ndjson', 'json', 'csv']).default('ndjson').describe('The format of the file.'),
      }),
    ])
    .optional()
    .describe(
      'Keeps the rows of each run in one file, `SCHEDULE/TICK.RUN.ndjson`, before the run is finished: in `s3://BUCKET/PREFIX`, or in a folder on the machine that polls the run, relative to its `--keep-folder`, by default the folder of its declaration. `{ to, format }` chooses `json` or `csv`.',
    )
    .meta({ examples: ['./deliveries', { to: 's3://acme-rows/prices', format: 'csv' }] }),
  expectRows: z
    .union([
      z.int().min(1),
      z.string().regex(/^([1-9]\d?|100)%$/, 'must be a number of rows, or a share of the usual number, such as 80%'),
    ])
    .optional()
    .describe(
      'The fewest rows of a good result: a number, or a share of the usual number, which is the median of the last ten finished runs. A run with fewer is `few-rows`.',
    )
    .meta({ examples: [1000, '80%'] }),
  alerts: alerts().optional().describe('Alerts about runs that did not go well.'),
});

/** The registered form, which contains all inputs. */
export const scheduleSpec = once(() =>
  z
    .strictObject({ ...target(), inputs: inputList(), ...job(), ...handling() })
    .superRefine((spec, context) => {
      for (const problem of scheduleProblems(spec)) problemIssue(context, problem);
    })
    .describe('A collector or a dataset that is triggered on a schedule. Each trigger is billed.'),
);

export type ScheduleSpec = z.output<ReturnType<typeof scheduleSpec>>;

/** The declared form, whose inputs may be in a file. */
export const declaredScheduleSpec = once(() =>
  z
    .strictObject({
      ...target(),
      inputs: z
        .union([inputList(), inputFile()])
        .describe('The inputs of each trigger: a list of objects, or `{ file: prices.csv }`.')
        .meta({ examples: [[{ url: 'https://shop.example.com/a' }], { file: 'prices.csv' }] }),
      ...job(),
      ...handling(),
    })
    .superRefine((spec, context) => {
      for (const problem of scheduleProblems(spec)) problemIssue(context, problem);
    })
    .describe('A collector or a dataset that the trigger service triggers on a schedule. Each trigger is billed.'),
);

export type DeclaredScheduleSpec = z.output<ReturnType<typeof declaredScheduleSpec>>;

/** The place for the rows of a run. */
export type Keep = Exclude<NonNullable<ScheduleSpec['keep']>, string>;

export function keepOf({ keep }: Pick<ScheduleSpec, 'keep'>): Keep | undefined {
  return typeof keep === 'string' ? { to: keep, format: 'ndjson' } : keep;
}

/** Returns the timing of a valid spec, which has `cron` or `every`. */
export function timingOf({
  cron,
  timeZone = 'UTC',
  every = '',
}: Pick<ScheduleSpec, 'cron' | 'timeZone' | 'every'>): Timing {
  return cron === undefined ? { everyMs: durationMs(every) } : { cron, timeZone };
}

/** Returns what a delivery requires that the target of a schedule cannot do, with paths relative to the delivery. */
export function deliveryMisfits(
  { dataset }: Pick<ScheduleSpec, 'dataset'>,
  delivery: Pick<DeliverySpec, 'destination' | 'notify'>,
): Problem[] {
  if (dataset === undefined) return [];
  return (['destination', 'notify'] as const)
    .filter((field) => delivery[field] !== undefined)
    .map((field) => ({
      code: 'not-for-datasets',
      path: [field],
      found: `datasets do not support \`${field}\` in a delivery`,
      allowed: 'a webhook: `endpoint`',
      fix: `remove \`${field}\`, or use another delivery`,
    }));
}

function scheduleProblems(spec: DeclaredScheduleSpec): Problem[] {
  const { delivery, inputs } = spec;
  const isInline = typeof delivery === 'object';
  return [
    ...exactlyOne(spec, ['collector', 'dataset'], 'collector: c_…'),
    ...requiring(spec, ['format'], 'dataset'),
    ...requiring(spec, collectorFields, 'collector'),
    ...exactlyOne(spec, ['cron', 'every'], 'every: 6h'),
    ...requiring(spec, ['timeZone'], 'cron'),
    ...(isInline ? deliveryMisfits(spec, delivery).map(under('delivery')) : []),
    ...(Array.isArray(inputs) ? inputProblems(spec.inputSchema, declaredRows(inputs)) : []),
  ];
}

function under(field: string) {
  return (problem: Problem): Problem => ({ ...problem, path: [field, ...(problem.path ?? [])] });
}

const collectorFields = ['queueNext', 'dev', 'runName', 'queue', 'noMedia', 'maxTime'] as const;
