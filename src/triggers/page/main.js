// @ts-check
/** The status page: shows answers of the API, and loads them again after each change. */
import { ApiError, forgetToken } from './api.js';
import { deliveryList } from './deliveries.js';
import { byId, element, replaceInside } from './dom.js';
import { listen } from './live.js';
import { refreshOpenRun, runList, unknownList } from './runs.js';
import { scheduleList } from './schedules.js';
import { keepTimesUp, number, setClock } from './words.js';

/** @typedef {import('./live.js').Totals} Totals */

/** The pause between two loads: busy ledgers change all the time. */
const betweenLoadsMs = 1000;

const unknown = unknownList(act);
const runs = runList(look);
const deliveries = deliveryList(look);
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
  deliveries.setTotals(totals);
  void loadSoon();
});

let isLoading = false;
let isStale = false;

/** Runs one load at a time; the next one shows what changed meanwhile. */
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
  await Promise.all([
    schedules.load(),
    schedules.loadOwners(),
    deliveries.load(),
    runs.load(),
    unknown.load(),
    refreshOpenRun(),
  ]);
}

/**
 * Runs an action of the user, shows its error, and reloads at once.
 * @param {() => Promise<unknown>} work
 */
function act(work) {
  return look(async () => {
    await work();
    await loadAll();
  });
}

/**
 * Runs a query of the user, and shows its error.
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
    byId('alert-text').textContent = error instanceof ApiError ? error.message : 'The trigger service is unreachable.';
    byId('alert').hidden = false;
  }
}

/** @param {Totals} totals */
function showTotals({ schedules, paused, deliveries, lateNow, runs, service }) {
  byId('service').textContent = service === undefined ? '' : new URL(service).host;
  const active = runs.waiting + runs.triggering + runs.running;
  const failed = runs.failed + runs['given-up'] + runs.expired + runs.lost + runs['few-rows'];
  const shown = /** @type {[number, string, boolean?][]} */ ([
    [schedules, schedules === 1 ? 'schedule' : 'schedules'],
    [paused, 'paused'],
    [deliveries, deliveries === 1 ? 'delivery' : 'deliveries'],
    [active, 'active'],
    [lateNow, 'late', lateNow > 0],
    [failed, 'failed'],
    [runs.unknown, 'unknown', runs.unknown > 0],
    ...(runs.unkept > 0 ? [[runs.unkept, 'not kept', true]] : []),
    ...(runs.undelivered > 0 ? [[runs.undelivered, 'not delivered', true]] : []),
  ]);
  replaceInside(
    byId('totals'),
    ...shown.map(([count, word, isBad]) =>
      element('li', { class: isBad ? 'is-bad' : '' }, element('b', {}, number(count)), ` ${word}`),
    ),
  );
}

/** Sets the table roles explicitly: the phone layout shows tables as cards, which removes their implicit roles. */
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
