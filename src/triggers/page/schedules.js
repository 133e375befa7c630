// @ts-check
/** The list of schedules. The server searches and pages, so that any number of them is fast. */
import { get, latest, mostShown, pageSize, post, query, url } from './api.js';
import { confirmed } from './dialogs.js';
import { byId, debounced, element, keepingFocus, replaceInside, showEach } from './dom.js';
import { isBad, now, number, stateBadge, states, timeOf, timingOf } from './words.js';

/** @typedef {import('../api/records.ts').RegisteredSchedule} Schedule */
/** @typedef {import('../api/report.ts').ScheduleReport} Report */
/** @typedef {Schedule & { report?: Report }} Reported */
/** @typedef {import('../api/runs.ts').Totals} Totals */

/**
 * @typedef {object} Actions
 * @property {import('./runs.js').Act} act runs a change, shows its error, and reloads
 * @property {import('./runs.js').Act} look runs a query and shows its error
 * @property {(schedule: Schedule) => void} showRuns
 */

/** @param {Actions} actions */
export function scheduleList(actions) {
  const form = /** @type {HTMLFormElement} */ (byId('schedule-filters'));
  const more = byId('more-schedules');
  let wanted = pageSize;
  let offeredBefore = '';
  /** @type {Totals | undefined} */
  let totals;

  const load = latest(async (signal) => {
    const filter = texts(Object.fromEntries(new FormData(form)));
    const asked = { ...filter, limit: wanted };
    const found = await get(`/v1/schedules${query({ ...asked, brief: 'true' })}`, signal);
    const reports = await reported(asked, signal);
    const shown = /** @type {Schedule[]} */ (found).map((each) => ({
      ...each,
      report: reports.get(scheduleKey(each)),
    }));
    show(shown, filter);
  });

  /**
   * @param {Reported[]} found
   * @param {Record<string, string>} filter
   */
  const show = (found, filter) => {
    const failedFirst = found.toSorted((a, b) => Number(needsPerson(b)) - Number(needsPerson(a)));
    showEach(byId('schedules'), failedFirst, scheduleKey, (schedule) => row(schedule, actions));
    const isAll = Object.values(filter).every((text) => text === '');
    byId('schedule-count').textContent = countText(found.length, isAll ? totals?.schedules : undefined, wanted);
    more.hidden = found.length < wanted || wanted >= mostShown;
  };

  const search = debounced(150, () => {
    wanted = pageSize;
    void actions.look(load);
  });
  form.addEventListener('input', search);
  form.addEventListener('submit', (event) => event.preventDefault());
  more.addEventListener('click', () => {
    const first = wanted;
    wanted = Math.min(wanted + pageSize, mostShown);
    void actions.look(async () => {
      await load();
      const next = byId('schedules').children[first]?.querySelector('button');
      if (more.hidden) next?.focus();
    });
  });

  return {
    load,
    /** @param {Totals} now */
    setTotals(now) {
      totals = now;
    },
    async loadOwners() {
      const owners = /** @type {string[]} */ (await get('/v1/owners'));
      // The search finds owners beyond these.
      const offered = owners.slice(0, 500);
      // Replacing an unchanged list would close it while the user chooses.
      if (JSON.stringify(offered) === offeredBefore) return;
      offeredBefore = JSON.stringify(offered);
      const select = /** @type {HTMLSelectElement} */ (form.elements.namedItem('owner'));
      const chosen = select.value;
      replaceInside(
        select,
        element('option', { value: '' }, 'All owners'),
        ...offered.map((owner) => element('option', { value: owner }, owner)),
      );
      select.value = owners.includes(chosen) ? chosen : '';
    },
  };
}

/** A report reads the runs of two days, so it is loaded once a minute. */
const reportEveryMs = 60_000;

/** @type {{ asked: string, until: number, reports: Map<string, Report> }} */
let known = { asked: '', until: 0, reports: new Map() };

/**
 * Returns what the schedules did since yesterday.
 * @param {Record<string, string | number>} asked
 * @param {AbortSignal} signal
 */
async function reported(asked, signal) {
  if (known.asked === JSON.stringify(asked) && now() < known.until) return known.reports;
  const today = new Date(now());
  const since = new Date(today.getFullYear(), today.getMonth(), today.getDate() - 1).getTime();
  const { schedules } = /** @type {{ schedules: Report[] }} */ (
    await get(`/v1/report${query({ ...asked, since })}`, signal)
  );
  const reports = new Map(schedules.map((each) => [scheduleKey({ owner: each.owner, name: each.schedule }), each]));
  known = { asked: JSON.stringify(asked), until: now() + reportEveryMs, reports };
  return reports;
}

/** @param {Record<string, FormDataEntryValue>} filter */
function texts(filter) {
  return Object.fromEntries(Object.entries(filter).map(([name, text]) => [name, String(text)]));
}

/** @param {Schedule} schedule */
function needsPerson({ lastRun, unresolved }) {
  return isBad(lastRun) || unresolved.length > 0;
}

/** @param {{ owner: string, name: string }} schedule */
function scheduleKey({ owner, name }) {
  return JSON.stringify([owner, name]);
}

/**
 * @param {number} shown
 * @param {number | undefined} all
 * @param {number} wanted
 */
function countText(shown, all, wanted) {
  const noun = (/** @type {number} */ count) => `${number(count)} ${count === 1 ? 'schedule' : 'schedules'}`;
  if (all !== undefined) return all > shown ? `${noun(all)}, the first ${number(shown)} are shown.` : `${noun(all)}.`;
  return shown < wanted
    ? `${noun(shown)} ${shown === 1 ? 'matches' : 'match'}.`
    : `The first ${noun(shown)} that match are shown.`;
}

/**
 * @param {Reported} schedule
 * @param {Actions} actions
 */
function row(schedule, actions) {
  const { owner, name, spec, lastRun, report } = schedule;
  const fullName = `${owner}/${name}`;
  return element(
    'tr',
    { role: 'row', class: needsPerson(schedule) ? 'is-bad-row' : '' },
    element(
      'th',
      { role: 'rowheader', scope: 'row' },
      element(
        'button',
        {
          type: 'button',
          class: 'link',
          'data-control': 'runs',
          title: 'Show its runs',
          click: () => actions.showRuns(schedule),
        },
        fullName,
      ),
      element('span', { class: 'quiet under-name' }, `${spec.collector ?? spec.dataset ?? ''} · ${timingOf(spec)}`),
    ),
    element('td', { role: 'cell', 'data-label': 'Next tick' }, nextTick(schedule)),
    element('td', { role: 'cell', 'data-label': 'Last run' }, ...lastRunOf(lastRun)),
    element('td', { role: 'cell', 'data-label': 'Since yesterday' }, ...sinceYesterday(report)),
    element('td', { role: 'cell', class: 'buttons' }, pauseButton(schedule, actions), runButton(schedule, actions)),
  );
}

/** @param {Schedule} schedule */
function nextTick({ spec, nextTickAt, pausedBy, changedAt }) {
  if (!spec.paused) return nextTickAt === null ? element('span', { class: 'quiet' }, 'none') : timeOf(nextTickAt);
  const by = pausedBy === 'hand' ? [' by hand, ', timeOf(changedAt)] : [' in the declaration'];
  return element('span', { class: 'paused' }, 'paused', ...by);
}

/** @param {Schedule['lastRun']} run */
function lastRunOf(run) {
  return run === null
    ? [element('span', { class: 'quiet' }, 'none yet')]
    : [stateBadge(run.state), ' ', timeOf(run.tickAt)];
}

/**
 * Returns the runs since yesterday by state, the worst first, and the rows against their usual number.
 * @param {Report | undefined} report
 */
function sinceYesterday(report) {
  if (report === undefined) return [];
  const { runs, rows, usualRows, problems } = report;
  const missing = problems.filter(({ what }) => what === 'missing').length;
  const counts = states.flatMap((state) => (runs[state] === undefined ? [] : [`${number(runs[state])} ${state}`]));
  const words = [...counts, ...(missing > 0 ? [`${number(missing)} missing`] : [])].join(', ');
  const usual = usualRows === null ? '' : ` (usually ${number(usualRows)})`;
  const quiet = rows === null ? '' : `${number(rows)} ${rows === 1 ? 'row' : 'rows'}${usual}`;
  return [words === '' ? 'no run' : words, element('span', { class: 'quiet under-name' }, quiet)];
}

/**
 * @param {Schedule} schedule
 * @param {Actions} actions
 */
function pauseButton({ owner, name, spec }, { act }) {
  const word = spec.paused ? 'Resume' : 'Pause';
  const path = spec.paused
    ? url`/v1/owners/${owner}/schedules/${name}/resume`
    : url`/v1/owners/${owner}/schedules/${name}/pause`;
  const click = (/** @type {Event} */ event) =>
    keepingFocus(event, byId('schedules-title'), () => act(() => post(path)));
  return element(
    'button',
    { type: 'button', 'data-control': 'pause', 'aria-label': `${word} ${owner}/${name}`, click },
    word,
  );
}

/**
 * @param {Schedule} schedule
 * @param {Actions} actions
 */
function runButton({ owner, name }, { act }) {
  const question = {
    title: `Run ${owner}/${name} now?`,
    text: 'The run starts at once, in addition to the ticks, and is billed.',
    yes: 'Run now',
  };
  const click = (/** @type {Event} */ event) =>
    keepingFocus(event, byId('schedules-title'), async () => {
      if (await confirmed(question)) await act(() => post(url`/v1/owners/${owner}/schedules/${name}/run`));
    });
  return element(
    'button',
    { type: 'button', 'data-control': 'run', 'aria-label': `Run now: ${owner}/${name}`, click },
    'Run now',
  );
}
