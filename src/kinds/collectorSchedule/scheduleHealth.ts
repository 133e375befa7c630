/** Notes on the frequency of a schedule and on its last scheduled run. Each trigger is billed. */

import { counted } from '../../base/diagnostics/valueWords.ts';
import { utcTime } from '../../base/values/utcTime.ts';
import type { RegisteredSchedule } from '../../triggers/api/records.ts';
import type { ScheduledRun } from '../../triggers/api/runs.ts';
import { type ScheduleSpec, timingOf } from '../../triggers/declared/scheduleSpec.ts';
import { durationMs } from '../../triggers/declared/timingSpec.ts';
import { parseCron } from '../../triggers/timing/cron.ts';
import { nextTick, type Timing, ticksBetween } from '../../triggers/timing/timing.ts';
import type { Note } from '../seam/notes.ts';
import type { NoteType } from '../seam/noteTypes.ts';

export const scheduleNoteTypes: readonly NoteType[] = [
  { code: 'fires', description: 'The number of triggers of the schedule. Each is billed.' },
  { code: 'run-failed', description: 'The last scheduled run failed.' },
  { code: 'run-few-rows', description: 'The last scheduled run had fewer rows than expected.' },
  { code: 'run-unkept', description: 'The rows of a scheduled run could not be kept yet.', drift: 'always' },
  { code: 'run-undelivered', description: 'The rows of a scheduled run did not arrive in time.', drift: 'always' },
  {
    code: 'run-given-up',
    description: 'The last scheduled run was given up: its job was accepted, and no result was found.',
    drift: 'always',
  },
  { code: 'run-late', description: 'The last scheduled run started late.' },
  { code: 'overdue', description: 'A tick is overdue: the trigger service may not be running.', drift: 'always' },
  {
    code: 'clock-ahead',
    description: 'The clock of the trigger service was ahead, and silences the schedule.',
    drift: 'always',
  },
  { code: 'run-skipped', description: 'The last tick was late, and was then skipped.', drift: 'always' },
  { code: 'run-unknown', description: 'The outcome of a scheduled run is unknown.', drift: 'always' },
];

export function firingNote(spec: ScheduleSpec, now: number): Note {
  if (spec.paused) return { code: 'fires', text: 'the schedule is paused, and triggers nothing' };
  const timing = timingOf(spec);
  return { code: 'fires', text: frequency(timing, now) + dayRule(timing) };
}

/** Says how the two day fields of a cron expression combine, if both restrict the days: people expect either. */
function dayRule(timing: Timing): string {
  if (!('cron' in timing)) return '';
  const { daysOfMonth, daysOfWeek, needsBothDays } = parseCron(timing.cron);
  if (daysOfMonth.any || daysOfWeek.any) return '';
  return needsBothDays
    ? '. It fires on days that match both the day of month and the day of week, because one of them begins with a star'
    : '. It fires on days that match the day of month or the day of week';
}

const dayMs = 86_400_000;
const yearDays = 365;
/** Enough ticks to compute the frequency. */
const mostTicks = 1000;

function frequency(timing: Timing, now: number): string {
  const ticks = ticksBetween(timing, now, now + yearDays * dayMs, mostTicks);
  const [first] = ticks;
  const last = ticks.at(-1);
  if (first === undefined || last === undefined) return 'no trigger within a year';
  const perDay = ticks.length < mostTicks ? ticks.length / yearDays : (ticks.length - 1) / ((last - first) / dayMs);
  if (perDay >= 0.95) return `about ${counted(Math.round(perDay), 'trigger')} a day, each is billed`;
  if (perDay * 30 >= 0.95) return `about ${counted(Math.round(perDay * 30), 'trigger')} a month, each is billed`;
  return `about ${counted(ticks.length, 'trigger')} a year, each is billed`;
}

/** Returns notes on an overdue tick and on a last scheduled run that did not succeed. */
export function healthNotes({ spec, nextTickAt, lastRun, unresolved }: RegisteredSchedule, now: number): Note[] {
  const lateAfter = durationMs(String(spec.lateAfter));
  const tick = nextTickAt === null ? '' : timeOf(nextTickAt);
  const overdue = `did not fire at ${tick}: see whether the trigger service runs`;
  const silenced = `fires nothing until ${tick}: the clock of the trigger service's store was ahead. A running \`webdata triggers serve\` of this version corrects it`;
  return [
    ...(nextTickAt !== null && nextTickAt + lateAfter < now ? [{ code: 'overdue', text: overdue }] : []),
    ...(nextTickAt !== null && isSilenced(spec as ScheduleSpec, nextTickAt, now)
      ? [{ code: 'clock-ahead', text: silenced }]
      : []),
    ...unresolved.map(unresolvedRun),
    ...(lastRun === null ? [] : lastRunNotes(lastRun, spec.paused === true)),
  ];
}

/** Returns whether a tick will be left out: the ledger takes it for decided, because its clock was ahead. */
function isSilenced(spec: ScheduleSpec, nextTickAt: number, now: number): boolean {
  try {
    // A schedule may tick between the reading of the time and of its next tick.
    const next = nextTick(timingOf(spec), now + readingMs);
    return next !== undefined && next < nextTickAt;
  } catch {
    // Registered by a version that knows another form of timing.
    return false;
  }
}

const readingMs = 60_000;

function unresolvedRun({ id, state, tickAt, reason }: ScheduledRun): Note {
  const run = `the run of ${timeOf(tickAt)}`;
  switch (state) {
    case 'unkept': {
      const why = reason ?? 'the rows could not be kept';
      return { code: 'run-unkept', text: `${run} waits until its rows can be kept: ${why}` };
    }
    case 'undelivered': {
      const text = `the rows of ${run} did not arrive. Get them with \`webdata triggers fetch ${id}\``;
      return { code: 'run-undelivered', text };
    }
    default: {
      const text = `the outcome of ${run} is unknown: it may have been accepted and billed. Resolve it with \`webdata triggers resolve ${id}\``;
      return { code: 'run-unknown', text };
    }
  }
}

function lastRunNotes({ state, late, tickAt, reason }: ScheduledRun, isPaused: boolean): Note[] {
  const [run, why] = [`the run of ${timeOf(tickAt)}`, reason === null ? '' : `: ${reason}`];
  if (state === 'skipped' && late)
    return isPaused ? [] : [{ code: 'run-skipped', text: `skipped at ${timeOf(tickAt)}${why}` }];
  return [
    ...(state === 'given-up' ? [{ code: 'run-given-up', text: `${run} was given up${why}` }] : []),
    ...(state === 'few-rows' ? [{ code: 'run-few-rows', text: `${run} ${reason ?? 'had too few rows'}` }] : []),
    ...(state === 'failed' ? [{ code: 'run-failed', text: `${run} failed${why}` }] : []),
    ...(late ? [{ code: 'run-late', text: `${run} was late` }] : []),
  ];
}

function timeOf(ms: number): string {
  return utcTime(new Date(ms).toISOString());
}
