// @ts-check
/** The status page: what is shown is what the API answers, loaded again whenever something has changed. */
import { ApiError, forgetToken } from './api.js';
import { byId, element, replaceInside } from './dom.js';
import { listen } from './live.js';
import { refreshOpenRun, runList, unknownList } from './runs.js';
import { scheduleList } from './schedules.js';
import { keepTimesUp, number, setClock } from './words.js';

/** @typedef {import('./live.js').Totals} Totals */

/** Busy ledgers change all the time; nobody reads faster than this. */
const betweenLoadsMs = 1000;

const unknown = unknownList(act);
const runs = runList(look);
const schedules = scheduleList({
  act,
  look,
  showRuns({ owner, name }) {
    runs.narrow({ owner, schedule: name });
    byId('runs-title').focus();
  },
});

byId('alert-close').addEventListener('click', () => {
  byId('alert').hidden = true;
  byId('main').focus();
});
byId('sign-out').addEventListener('click', () => {
  forgetToken();
  location.reload();
});
keepTimesUp();
nameTables();
listen((totals) => {
  byId('sign-out').hidden = false;
  setClock(totals.now);
  showTotals(totals);
  schedules.setTotals(totals);
  void loadSoon();
});

let isLoading = false;
let isStale = false;

/** One load at a time; what changes meanwhile is seen by the next. */
async function loadSoon() {
  isStale = true;
  if (isLoading) return;
  isLoading = true;
  while (isStale) {
    isStale = false;
    await attempt(loadAll);
    await new Promise((done) => setTimeout(done, betweenLoadsMs));
  }
  isLoading = false;
}

async function loadAll() {
  await Promise.all([schedules.load(), schedules.loadOwners(), runs.load(), unknown.load(), refreshOpenRun()]);
}

/**
 * What somebody asked for: what goes wrong is told, and what has changed is shown without waiting to be told of it.
 * @param {() => Promise<unknown>} work
 */
function act(work) {
  return look(async () => {
    await work();
    await loadAll();
  });
}

/**
 * What somebody asked to see, which changes nothing: only what goes wrong is told.
 * @param {() => Promise<unknown>} work
 */
async function look(work) {
  byId('alert').hidden = true;
  await attempt(work);
}

/** @param {() => Promise<unknown>} work */
async function attempt(work) {
  try {
    await work();
  } catch (error) {
    byId('alert-text').textContent =
      error instanceof ApiError ? error.message : 'The trigger service can’t be reached.';
    byId('alert').hidden = false;
  }
}

/** @param {Totals} totals */
function showTotals({ schedules, paused, deliveries, lateNow, runs }) {
  const underWay = runs.waiting + runs.triggering + runs.running;
  const shown = /** @type {[number, string, boolean?][]} */ ([
    [schedules, schedules === 1 ? 'schedule' : 'schedules'],
    [paused, 'paused'],
    [deliveries, deliveries === 1 ? 'delivery' : 'deliveries'],
    [underWay, 'under way'],
    [lateNow, 'late', lateNow > 0],
    [runs.unknown, 'unknown', runs.unknown > 0],
  ]);
  replaceInside(
    byId('totals'),
    ...shown.map(([count, word, isBad]) =>
      element('li', { class: isBad ? 'is-bad' : '' }, element('b', {}, number(count)), ` ${word}`),
    ),
  );
}

/** Said again, as a table that is laid out as cards on a phone is none any more for those who can't see it. */
function nameTables() {
  const roles = {
    table: 'table',
    'thead, tbody': 'rowgroup',
    'thead tr': 'row',
    'thead th': 'columnheader',
    'thead td': 'cell',
  };
  for (const [selector, role] of Object.entries(roles)) {
    for (const part of document.querySelectorAll(selector)) part.setAttribute('role', role);
  }
}
