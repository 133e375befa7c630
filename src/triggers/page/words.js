// @ts-check
/** Formats times, states and timings. */
import { cronWords } from './cronWords.js';
import { element } from './dom.js';

/** @typedef {import('../api/runs.ts').ScheduledRun} Run */
/** @typedef {import('../api/runs.ts').RunState} RunState */

/** The difference between the ledger's clock and this machine's. */
let clockOffset = 0;

/** @param {number} ledgerNow */
export function setClock(ledgerNow) {
  clockOffset = ledgerNow - Date.now();
}

export function now() {
  return Date.now() + clockOffset;
}

/**
 * The signs of states, so that color is not the only difference; the worst first.
 * @type {Record<RunState, string>}
 */
export const signs = {
  unknown: '?',
  failed: '✕',
  unkept: '!',
  undelivered: 'U',
  'few-rows': '<',
  'given-up': 'G',
  expired: 'E',
  lost: 'L',
  waiting: 'W',
  triggering: 'T',
  running: 'R',
  cancelled: 'C',
  skipped: 'S',
  finished: '✓',
};

/** @type {RunState[]} */
export const states = /** @type {RunState[]} */ (Object.keys(signs));

/** @param {RunState} state */
export function stateBadge(state) {
  return element(
    'span',
    { class: `state is-${state}` },
    element('span', { class: 'sign', 'aria-hidden': 'true' }, signs[state]),
    ` ${state}`,
  );
}

const dateTime = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
const clockTime = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' });
const dayTime = new Intl.DateTimeFormat(undefined, { weekday: 'short', hour: 'numeric', minute: '2-digit' });
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'always', style: 'long' });
const numbers = new Intl.NumberFormat('en');

/** @param {number} value */
export function number(value) {
  return numbers.format(value);
}

/** @param {number} at */
export function clock(at) {
  return clockTime.format(at);
}

/** @param {number} at */
export function day(at) {
  return dayTime.format(at);
}

/**
 * Returns the time from one moment to another, with the day unless all of it is today.
 * @param {number} from
 * @param {number} to
 */
export function period(from, to) {
  const isToday = new Date(from).toDateString() === new Date(now()).toDateString();
  return (isToday ? clockTime : dayTime).formatRange(from, to);
}

/** @param {number} at */
export function absolute(at) {
  return dateTime.format(at);
}

/**
 * Returns a relative time and the remark; the absolute time appears on hover.
 * @param {number} at
 * @param {string} [remark]
 */
export function timeOf(at, remark) {
  return element(
    'time',
    { datetime: new Date(at).toISOString(), title: absolute(at) },
    relativeTime(at),
    remark !== undefined && element('span', { class: 'quiet' }, ` ${remark}`),
  );
}

/**
 * Returns a relative time, which `keepTimesUp` updates.
 * @param {number} at
 */
export function relativeTime(at) {
  return element('span', { class: 'relative', 'data-at': at }, relativeTo(at));
}

export function keepTimesUp() {
  setInterval(() => {
    for (const shown of document.querySelectorAll('.relative')) {
      const text = relativeTo(Number(shown.getAttribute('data-at')));
      if (shown.textContent !== text) shown.textContent = text;
    }
  }, 1000);
}

/** @type {[Intl.RelativeTimeFormatUnit, number][]} */
const units = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
];

/** @param {number} at */
function relativeTo(at) {
  const seconds = Math.round((at - now()) / 1000);
  const [unit, size] = units.find(([, each]) => Math.abs(seconds) >= each * (each > 60 ? 1.5 : 1)) ?? ['second', 1];
  return relative.format(Math.round(seconds / size), unit);
}

/** @param {number} ms */
function duration(ms) {
  const seconds = ms / 1000;
  if (seconds < 1) return '< 1 s';
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 120) return `${Math.round(seconds)} s`;
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`;
  return `${Math.round(seconds / 3600)} h`;
}

/**
 * Returns how long its job took, or has taken so far.
 * @param {Run} run
 */
export function tookOf({ triggeredAt, endedAt, state }) {
  if (triggeredAt === null) return state === 'waiting' || state === 'triggering' ? 'not started' : null;
  return duration(Math.max(0, (endedAt ?? now()) - triggeredAt));
}

/**
 * Returns how long after its tick a late run was triggered.
 * @param {Run} run
 */
export function latenessOf({ late, triggeredAt, tickAt }) {
  if (!late) return null;
  const text = triggeredAt === null ? ' late' : ` ${duration(Math.max(0, triggeredAt - tickAt))} late`;
  return element('strong', { class: 'late' }, text);
}

/** Ends of runs with which a person has something to do. */
const bad = new Set(['unknown', 'failed', 'given-up', 'expired', 'lost', 'unkept', 'undelivered', 'few-rows']);

/** @param {{ state: string } | null} run */
export function isBad(run) {
  return run !== null && bad.has(run.state);
}

/** @param {{ cron?: unknown, timeZone?: unknown, every?: unknown }} spec */
export function timingOf({ cron, timeZone, every }) {
  if (typeof cron !== 'string') return `every ${every}`;
  const words = cronWords(cron);
  return `${words === undefined ? '' : `${words}, `}${timeZone ?? 'UTC'} (${cron})`;
}

/**
 * Returns a reason whose addresses do not break.
 * @param {string | null} reason
 */
export function reasonOf(reason) {
  if (reason === null) return null;
  const parts = reason.split(/(https?:\/\/[^\s,;)]+)/);
  return element(
    'span',
    {},
    ...parts.map((part, index) => (index % 2 === 1 ? element('span', { class: 'address', title: part }, part) : part)),
  );
}
