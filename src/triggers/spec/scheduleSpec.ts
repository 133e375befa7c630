/** What is declared, and registered, of a scheduled trigger: what is triggered when, with which inputs, and where results go. */
import { z } from 'zod';
import type { Problem } from '../../diagnostics/problem.ts';
import { problemIssue } from '../../diagnostics/zodProblems.ts';
import { inexactIn } from '../../yaml/exactNumbers.ts';
import { alertReasons } from '../model.ts';
import type { Timing } from '../timing/timing.ts';
import { type DeliverySpec, deliverySpec, endpointUrl } from './deliverySpec.ts';
import { declaredRows, inputProblems, inputSchema } from './inputSchema.ts';
import { cronText, duration, durationMs, timeZoneName } from './timingSpec.ts';

const inputList = z
  .array(z.record(z.string(), z.unknown()))
  .min(1)
  .superRefine((inputs, context) => {
    const problem = inexactIn(inputs, Number.isFinite);
    if (problem !== undefined) problemIssue(context, problem);
  })
  .describe('At least one input: objects of the fields that the collector takes.')
  .meta({ examples: [[{ url: 'https://shop.example.com/a' }]] });

const inputFile = z.strictObject({
  file: z
    .string()
    .regex(/^(?![/\\])(?!.*(?:^|[/\\])\.\.(?:[/\\]|$)).+\.(?:csv|json|ndjson|jsonl)$/, {
      error: 'must be a .csv, .json or .ndjson in the folder of the declaration, or below it',
    })
    .describe(
      'A .csv with a column for each field (an empty cell is left out), a .json list, or an .ndjson with one object a line; in the folder of the declaration, or below it.',
    )
    .meta({ examples: ['prices.csv'] }),
});

/** What is triggered, and when. */
const target = {
  collector: z
    .string()
    .regex(/^c_\S+$/, 'must be a collector ID, which begins with c_')
    .optional()
    .describe('The collector that is triggered, `c_…`.')
    .meta({ examples: ['c_prices'] }),
  dataset: z
    .string()
    .regex(/^gd_\S+$/, 'must be a dataset ID, which begins with gd_')
    .optional()
    .describe('The dataset scraper that is triggered in place of a collector, `gd_…`.')
    .meta({ examples: ['gd_profiles'], alternativeTo: 'collector' }),
  format: z
    .enum(['json', 'ndjson', 'csv'])
    .optional()
    .describe('The format of a dataset; `json` by default.')
    .meta({ examples: ['json'], alternativeTo: 'collector' }),
  cron: cronText.optional(),
  timeZone: timeZoneName.optional().describe('The time zone of `cron`, by its name; UTC by default.'),
  every: duration
    .optional()
    .describe('The time from one trigger to the next: a number with `s`, `m`, `h` or `d`.')
    .meta({ examples: ['15m'], alternativeTo: 'cron' }),
};

/** How. */
const manner = {
  inputSchema: inputSchema.optional(),
  delivery: z
    .union([z.string().min(1), deliverySpec])
    .optional()
    .describe(
      'Where results go: the name of a delivery, or one that stands here. By default, where the collector sends them.',
    )
    .meta({ examples: ['main'] }),
  queueNext: z
    .boolean()
    .optional()
    .describe('Sent as `queue_next`, of which the specification says two things: see docs/collectors.md.')
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
    .describe('Names the runs for people; `{tick}` in it stands for the time of the tick.')
    .meta({ examples: ['nightly prices {tick}'] }),
  queue: z
    .string()
    .min(1)
    .optional()
    .describe('Runs of the same queue start one after another.')
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
    .describe('The longest time that a run may take: a number with `h`, `m` or `s`.')
    .meta({ examples: ['2h'] }),
  paused: z.boolean().default(false).describe('Registered, and not triggered.'),
  overlap: z
    .enum(['skip', 'queue', 'cancel', 'allow'])
    .default('skip')
    .describe(
      'What becomes of a tick while the run before it goes on: it is skipped, waits for its end, cancels it (collectors only), or runs beside it.',
    ),
  catchUp: z
    .union([z.enum(['skip', 'latest']), z.strictObject({ within: duration.describe('No tick older than this.') })])
    .default('skip')
    .describe(
      'What becomes of ticks that were missed: none is run, the latest, or all within a time: `{ within: 2h }`.',
    )
    .meta({ examples: ['skip', { within: '2h' }] }),
  retryOn5xx: z
    .boolean()
    .default(true)
    .describe(
      'Of collectors: sends a trigger again that was answered 5xx, as the specification asks. Where the service accepted it all the same, it runs twice; `false` never sends it twice. The trigger of a dataset is never sent twice.',
    ),
  lateAfter: duration.default('1m').describe('When a trigger that waits for its turn is late.'),
  giveUpAfter: duration
    .default('1d')
    .describe('How long the result of a run is waited for. Then the run is `given-up`, and holds up no later tick.'),
  alerts: z
    .strictObject({
      endpoint: endpointUrl.describe('Who is told, by a POST.'),
      on: z
        .array(z.enum(alertReasons))
        .min(1)
        .default([...alertReasons])
        .describe('Of which runs.'),
    })
    .optional()
    .describe('Who is told of runs that did not go well.'),
};

/** As it is registered: all of its inputs are in it. */
export const scheduleSpec = z
  .strictObject({ ...target, inputs: inputList, ...manner })
  .superRefine((spec, context) => {
    for (const problem of scheduleProblems(spec)) problemIssue(context, problem);
  })
  .describe('A collector or a dataset that is triggered again and again. Each trigger is billed.');

export type ScheduleSpec = z.output<typeof scheduleSpec>;

/** As a person declares it: the inputs may stand in a file. */
export const declaredScheduleSpec = z
  .strictObject({
    ...target,
    inputs: z
      .union([inputList, inputFile])
      .describe('What it is triggered with: a list of objects, or `{ file: prices.csv }`.')
      .meta({ examples: [[{ url: 'https://shop.example.com/a' }], { file: 'prices.csv' }] }),
    ...manner,
  })
  .superRefine((spec, context) => {
    for (const problem of scheduleProblems(spec)) problemIssue(context, problem);
  })
  .describe('A collector or a dataset that the trigger service triggers again and again. Each trigger is billed.');

export type DeclaredScheduleSpec = z.output<typeof declaredScheduleSpec>;

/** When it ticks. A spec that was checked has one of the two. */
export function timingOf({
  cron,
  timeZone = 'UTC',
  every = '',
}: Pick<ScheduleSpec, 'cron' | 'timeZone' | 'every'>): Timing {
  return cron === undefined ? { everyMs: durationMs(every) } : { cron, timeZone };
}

/** What a delivery asks for that this schedule's target can't do. Paths start at the delivery. */
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
      found: `the results of a dataset are to go by \`${field}\``,
      allowed: 'a webhook: `endpoint`',
      fix: `take \`${field}\` out, or name another delivery`,
    }));
}

function scheduleProblems(spec: DeclaredScheduleSpec): Problem[] {
  const { delivery, inputs } = spec;
  const isInline = typeof delivery === 'object';
  return [
    ...targetProblems(spec),
    ...timingProblems(spec),
    ...(isInline ? deliveryMisfits(spec, delivery).map(under('delivery')) : []),
    ...(Array.isArray(inputs) ? inputProblems(spec.inputSchema, declaredRows(inputs)) : []),
  ];
}

function under(field: string) {
  return (problem: Problem): Problem => ({ ...problem, path: [field, ...(problem.path ?? [])] });
}

function targetProblems(spec: DeclaredScheduleSpec): Problem[] {
  const { collector, dataset } = spec;
  if (collector === undefined && dataset === undefined) return [noTarget];
  if (collector !== undefined && dataset !== undefined) return [twoTargets];
  return collector === undefined ? datasetProblems(spec) : collectorProblems(spec);
}

function collectorProblems({ format }: DeclaredScheduleSpec): Problem[] {
  return format === undefined ? [] : [only('format', 'datasets')];
}

const collectorFields = ['queueNext', 'dev', 'runName', 'queue', 'noMedia', 'maxTime'] as const;

function datasetProblems(spec: DeclaredScheduleSpec): Problem[] {
  const foreign = collectorFields
    .filter((field) => spec[field] !== undefined)
    .map((field) => only(field, 'collectors'));
  return [...foreign, ...(spec.overlap === 'cancel' ? [noCancel] : [])];
}

function timingProblems({ cron, every, timeZone }: DeclaredScheduleSpec): Problem[] {
  if (cron === undefined && every === undefined) return [noTiming];
  if (cron !== undefined && every !== undefined) return [twoTimings];
  return cron === undefined && timeZone !== undefined ? [zoneWithoutCron] : [];
}

function only(field: string, what: 'collectors' | 'datasets'): Problem {
  return {
    code: 'not-for-this-target',
    path: [field],
    at: 'key',
    found: `\`${field}\` is for ${what} only`,
    allowed: `\`${field}\` beside \`${what.slice(0, -1)}\``,
    fix: 'take it out',
  };
}

const noTarget: Problem = {
  code: 'no-target',
  found: 'a schedule that triggers nothing',
  allowed: '`collector` (c_…) or `dataset` (gd_…)',
  fix: 'add `collector: c_…`',
};

const twoTargets: Problem = {
  code: 'two-targets',
  path: ['dataset'],
  at: 'key',
  found: 'a schedule of a collector and of a dataset',
  allowed: '`collector` or `dataset`',
  fix: 'take one of them out, or make two schedules',
};

const noTiming: Problem = {
  code: 'no-timing',
  found: 'a schedule that does not say when',
  allowed: '`cron` or `every`',
  fix: 'add `cron: "0 3 * * *"` or `every: 6h`',
};

const twoTimings: Problem = {
  code: 'two-timings',
  path: ['every'],
  at: 'key',
  found: 'a schedule with `cron` and `every`',
  allowed: '`cron` or `every`',
  fix: 'take one of them out, or make two schedules',
};

const zoneWithoutCron: Problem = {
  code: 'time-zone-without-cron',
  path: ['timeZone'],
  at: 'key',
  found: '`every` counts time, which is the same in all zones',
  allowed: '`timeZone` beside `cron`',
  fix: 'take it out',
};

const noCancel: Problem = {
  code: 'not-for-datasets',
  path: ['overlap'],
  found: 'the service can cancel no run of a dataset',
  allowed: 'skip, queue or allow',
};
