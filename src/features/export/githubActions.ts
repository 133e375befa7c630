/**
 * Exports a GitHub Actions workflow with a job for each schedule. Where a zone changes its clocks, a job starts at both possible UTC times, and
 * the ledger ignores the wrong one: with a `timezone`, GitHub starts jobs of a skipped hour before their ticks. Only ticks on dates that differ in
 * UTC need the `timezone`.
 */
import { Document } from 'yaml';
import { shellWords } from '../../base/values/shellWords.ts';
import type { Cron } from '../../triggers/timing/cron.ts';
import { clockChangesFrom, offsetsFrom } from '../../triggers/timing/timeZone.ts';
import { version } from '../../version.ts';
import {
  type CronLine,
  clockTimes,
  cronLines,
  daySeconds,
  fiveFieldProblem,
  fiveFields,
  withOneDayField,
} from './cronLines.ts';
import { labelFor } from './names.ts';
import {
  type ExportedSchedule,
  type ExportProblem,
  type ExportTarget,
  environment,
  namedSecrets,
  remarks,
  tickWords,
} from './target.ts';

/** The shortest interval that GitHub supports. */
const SHORTEST_SECONDS = 300;

export const githubActions: ExportTarget = {
  uses: [],
  problem: ({ owner, name, timing }, { now = Date.now() }) =>
    expressionProblem(owner + name) ??
    fiveFieldProblem(timing, 'GitHub Actions') ??
    cronLines(timing)
      .map(({ cron, timeZone }) => ({ cron: withOneDayField(cron), timeZone }))
      .map((line) => tooOften(line.cron) ?? clockProblem(line, now))
      .find((problem) => problem !== undefined),
  files(schedules, { now = Date.now() }) {
    const running = schedules
      .filter(({ paused }) => !paused)
      .map((schedule) => ({ schedule, crons: startsOf(schedule, now) }));
    if (running.length === 0) return [];
    const starts = new Map(running.flatMap(({ crons }) => crons).map((each) => [JSON.stringify(each), each]));
    const document = new Document({
      name: 'webdata triggers',
      on: { schedule: [...starts.values()] },
      permissions: {},
      jobs: Object.fromEntries(
        running.map(({ schedule, crons }) => [labelFor(schedule.owner, schedule.name), job(schedule, crons)]),
      ),
    });
    document.commentBefore = head(schedules.filter(({ paused }) => paused))
      .map((line) => ` ${line}`)
      .join('\n');
    return [
      { file: '.github/workflows/webdata-triggers.yml', text: document.toString({ lineWidth: 0, singleQuote: true }) },
    ];
  },
};

function head(paused: readonly ExportedSchedule[]): string[] {
  return remarks(
    'github-actions',
    'Commit it to the default branch. GitHub starts jobs late, drops some when it is busy, and disables schedules of public',
    `repositories without activity for 60 days. Required: the secrets ${secrets.join(', ')} (if the`,
    'store contains secrets) and the variable WEBDATA_API_URL. Add to `env` the variables that deliveries refer to.',
    ...namedSecrets,
    ...(paused.length === 0
      ? []
      : [`Left out because they are paused: ${paused.map(({ owner, name }) => `${owner}/${name}`).join(', ')}`]),
  );
}

const variables: readonly string[] = ['WEBDATA_API_URL', 'WEBDATA_TRIGGERS_SECRET_FOR'];
const secrets = [...environment.required, ...environment.optional].filter((name) => !variables.includes(name));

/** An entry of `on.schedule`; without a time zone, in UTC. */
interface Start {
  cron: string;
  timezone?: string;
}

function job({ owner, name }: ExportedSchedule, starts: readonly Start[]): object {
  const crons = [...new Set(starts.map(({ cron }) => cron))];
  return {
    name: `${owner}/${name}`,
    if: `contains(fromJSON('${JSON.stringify(crons)}'), github.event.schedule)`,
    'runs-on': 'ubuntu-latest',
    'timeout-minutes': 10,
    steps: [
      { uses: 'actions/setup-node@v6', with: { 'node-version': '24', 'package-manager-cache': false } },
      { run: `npm install --global --no-audit --no-fund pulumi-webdata@${version}` },
      {
        run: shellWords(['webdata', ...tickWords(owner, name)]),
        env: {
          ...Object.fromEntries(variables.map((name) => [name, expression(`vars.${name}`)])),
          ...Object.fromEntries(secrets.map((secret) => [secret, expression(`secrets.${secret}`)])),
        },
      },
    ],
  };
}

function expression(text: string): string {
  return `\${{ ${text} }}`;
}

/** Returns all starts that the schedule needs in the year after `now`. */
function startsOf({ timing }: ExportedSchedule, now: number): Start[] {
  return cronLines(timing).flatMap((line): Start[] => {
    if (hasOtherDates(line, now)) return [{ cron: fiveFields(line.cron), timezone: line.timeZone }];
    return [...new Set(inUtc(line, now).map(fiveFields))].map((cron) => ({ cron }));
  });
}

function inUtc({ cron, timeZone }: CronLine, now: number): Cron[] {
  const isEveryDay = cron.daysOfMonth.any && cron.daysOfWeek.any && cron.months.length === 12;
  const byDay = Map.groupBy(utcTimes(cron, timeZone, now), (time) => (isEveryDay ? 0 : Math.floor(time / daySeconds)));
  return [...byDay].flatMap(([shift, times]) => {
    const days = cron.daysOfWeek.days.map((day) => (day + shift + 7) % 7).sort((a, b) => a - b);
    const clocks = clockTimes([...new Set(times.map(timeOfDay))]);
    return clocks.map((clock) => ({ ...cron, ...clock, daysOfWeek: { ...cron.daysOfWeek, days } }));
  });
}

/** Returns seconds since the start of the day in the schedule's time zone; negative values are on the day before. */
function utcTimes(cron: Cron, timeZone: string, now: number): number[] {
  return offsetsFrom(timeZone, now).flatMap((offset) => timesOf(cron).map((time) => time - offset / 1000));
}

function timeOfDay(time: number): number {
  return time - Math.floor(time / daySeconds) * daySeconds;
}

function timesOf({ hours, minutes }: Cron): number[] {
  return hours.flatMap((hour) => minutes.map((minute) => hour * 3600 + minute * 60));
}

function tooOften(cron: Cron): ExportProblem | undefined {
  const times = timesOf(cron);
  if (times.every((time, index) => index === 0 || time - (times[index - 1] ?? 0) >= SHORTEST_SECONDS)) return undefined;
  return {
    found: 'ticks more often than GitHub starts jobs',
    allowed: 'at least five minutes between ticks',
    fix: 'export it to another scheduler, or use `webdata triggers serve`',
  };
}

/** Days of the week can be shifted by one; the day before the first of a month has no fixed number. */
function hasOtherDates({ cron, timeZone }: CronLine, now: number): boolean {
  const isAnyDate = cron.daysOfMonth.any && cron.months.length === 12;
  return !isAnyDate && utcTimes(cron, timeZone, now).some((time) => time !== timeOfDay(time));
}

/** Times that a clock change skips or repeats start once with a `timezone`, and not when the ledger ticks. */
function clockProblem(line: CronLine, now: number): ExportProblem | undefined {
  const { cron, timeZone } = line;
  if (!hasOtherDates(line, now)) return undefined;
  const isChanged = clockChangesFrom(timeZone, now).some(({ at, before, after }) => {
    const [start, length] = [(at + Math.min(before, after)) / 1000, Math.abs(after - before) / 1000];
    return timesOf(cron).some((time) => timeOfDay(time - start) < length);
  });
  if (!isChanged) return undefined;
  return {
    found: `ticks on dates in ${timeZone} that differ in UTC, at a time that a clock change skips or repeats`,
    allowed: 'days of the week, or another time of day',
    fix: 'change the time of day, or write `cron` in UTC (`timeZone: UTC`)',
  };
}

function expressionProblem(name: string): ExportProblem | undefined {
  if (!name.includes('${{')) return undefined;
  return {
    found: 'has a name that GitHub reads as an expression',
    allowed: 'names without ${{',
    fix: 'rename it',
  };
}
