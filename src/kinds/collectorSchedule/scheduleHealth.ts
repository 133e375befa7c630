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
  const isOverdue = nextTickAt !== null && nextTickAt + lateAfter < now;
  const isSkippedLate = lastRun?.state === 'skipped' && lastRun.late;
  return [
    ...(isOverdue ? [overdue(nextTickAt)] : []),
    ...(nextTickAt !== null && isSilenced(spec as ScheduleSpec, nextTickAt, now) ? [silenced(nextTickAt)] : []),
    ...unresolved.map(unresolvedRun),
    ...(lastRun?.state === 'given-up' ? [givenUpRun(lastRun.tickAt, lastRun.reason)] : []),
    ...(lastRun?.state === 'few-rows' ? [fewRowsRun(lastRun)] : []),
    ...(lastRun?.state === 'failed' ? [failedRun(lastRun.tickAt, lastRun.reason)] : []),
    ...(isSkippedLate && !spec.paused ? [skippedRun(lastRun.tickAt, lastRun.reason)] : []),
    ...(lastRun?.late && !isSkippedLate ? [lateRun(lastRun.tickAt)] : []),
  ];
}

function overdue(tickAt: number): Note {
  const text = `did not fire at ${timeOf(tickAt)}: see whether the trigger service runs`;
  return { code: 'overdue', text };
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

function silenced(nextTickAt: number): Note {
  const text = `fires nothing until ${timeOf(nextTickAt)}: the clock of the trigger service's store was ahead. A running \`webdata triggers serve\` of this version corrects it`;
  return { code: 'clock-ahead', text };
}

function skippedRun(tickAt: number, reason: string | null): Note {
  return { code: 'run-skipped', text: `skipped at ${timeOf(tickAt)}${reason === null ? '' : `: ${reason}`}` };
}

function unresolvedRun(run: ScheduledRun): Note {
  const { id, state, tickAt } = run;
  if (state === 'unkept') return unkeptRun(run);
  if (state !== 'undelivered') return unknownRun(id, tickAt);
  const text = `the rows of the run of ${timeOf(tickAt)} did not arrive. Get them with \`webdata triggers fetch ${id}\``;
  return { code: 'run-undelivered', text };
}

function unknownRun(id: string, tickAt: number): Note {
  const text = `the outcome of the run of ${timeOf(tickAt)} is unknown: it may have been accepted and billed. Resolve it with \`webdata triggers resolve ${id}\``;
  return { code: 'run-unknown', text };
}

function unkeptRun({ tickAt, reason }: ScheduledRun): Note {
  const why = reason ?? 'the rows could not be kept';
  return { code: 'run-unkept', text: `the run of ${timeOf(tickAt)} waits until its rows can be kept: ${why}` };
}

function fewRowsRun({ tickAt, reason }: ScheduledRun): Note {
  return { code: 'run-few-rows', text: `the run of ${timeOf(tickAt)} ${reason ?? 'had too few rows'}` };
}

function failedRun(tickAt: number, reason: string | null): Note {
  return { code: 'run-failed', text: `the run of ${timeOf(tickAt)} failed${reason === null ? '' : `: ${reason}`}` };
}

function givenUpRun(tickAt: number, reason: string | null): Note {
  return {
    code: 'run-given-up',
    text: `the run of ${timeOf(tickAt)} was given up${reason === null ? '' : `: ${reason}`}`,
  };
}

function lateRun(tickAt: number): Note {
  return { code: 'run-late', text: `the run of ${timeOf(tickAt)} was late` };
}

function timeOf(ms: number): string {
  return utcTime(new Date(ms).toISOString());
}
