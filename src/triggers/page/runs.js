// @ts-check
/** The lists of runs: unknown runs first, then all runs, and the details of one run. */
import { get, latest, mostShown, post, query, save, url } from './api.js';
import { askResolution, dialog } from './dialogs.js';
import { byId, debounced, element, keepingFocus, replaceInside, showEach } from './dom.js';
import { rowsOf, toggleFold } from './folds.js';
import { drawTimeline } from './timeline.js';
import { absolute, latenessOf, number, period, reasonOf, stateBadge, states, timeOf, tookOf } from './words.js';

/** @typedef {import('../api/runs.ts').ScheduledRun} Run */
/** @typedef {import('../api/runs.ts').RunEvent} RunEvent */
/** @typedef {(work: () => Promise<unknown>) => Promise<void>} Act */

/** Runs that are loaded at first, and with "Show 500 more". More than of other lists, because repeated ones are folded. */
const pageSize = 500;

/** @param {Act} look */
export function runList(look) {
  const form = /** @type {HTMLFormElement} */ (byId('run-filters'));
  const more = byId('more-runs');
  let wanted = pageSize;
  /** @type {{ owner?: string, schedule?: string }} */
  let scope = {};
  /** @type {Run[]} */
  let found = [];

  const draw = () => drawTimeline(found, found.length === wanted, Number(new FormData(form).get('hours')));
  const showRows = () =>
    showEach(
      byId('runs'),
      rowsOf(found),
      (row) => ('fold' in row ? row.fold.id : row.run.id),
      (row) => ('fold' in row ? foldRow(row.fold, toggle) : runRow(row, look)),
    );
  /** @param {string} foldId */
  const toggle = (foldId) => {
    toggleFold(found, foldId);
    showRows();
  };
  const load = latest(async (signal) => {
    const state = String(new FormData(form).get('state'));
    found = await get(`/v1/runs${query({ ...scope, state, limit: wanted })}`, signal);
    showRows();
    byId('no-runs').hidden = found.length > 0;
    more.hidden = found.length < wanted || wanted >= mostShown;
    draw();
  });

  /** @param {{ owner?: string, schedule?: string }} narrowed */
  const narrow = (narrowed) => {
    scope = narrowed;
    wanted = pageSize;
    byId('run-scope').hidden = scope.schedule === undefined;
    byId('run-scope-name').textContent = `${scope.owner}/${scope.schedule}`;
    void look(load);
  };

  const select = /** @type {HTMLSelectElement} */ (form.elements.namedItem('state'));
  select.append(...states.map((state) => element('option', { value: state }, state)));
  form.addEventListener('change', () => {
    wanted = pageSize;
    void look(load);
  });
  form.addEventListener('submit', (event) => event.preventDefault());
  more.addEventListener('click', () => {
    wanted = Math.min(wanted + pageSize, mostShown);
    void look(load);
  });
  byId('all-runs').addEventListener('click', () => {
    narrow({});
    select.focus();
  });
  new ResizeObserver(debounced(100, draw)).observe(byId('timeline'));
  return { load, narrow };
}

/**
 * @param {{ run: Run, isFolded: boolean }} row
 * @param {Act} look
 */
function runRow({ run, isFolded }, look) {
  const { owner, schedule, state, tickAt, origin, rows, deliveredAt, collectionId, reason } = run;
  return element(
    'tr',
    { role: 'row' },
    element('td', { role: 'cell', class: isFolded && 'in-fold' }, stateBadge(state)),
    element('th', { role: 'rowheader', scope: 'row' }, `${owner}/${schedule}`),
    cell('Tick', 'tick-time', timeOf(tickAt, origin === 'hand' ? 'by hand' : undefined)),
    cell('Took', 'figure', tookOf(run), latenessOf(run)),
    cell(
      'Rows',
      'number',
      rows !== null && number(rows),
      keptLink(run, look),
      deliveredAt !== null && element('span', { class: 'quiet', title: absolute(deliveredAt) }, ' delivered'),
    ),
    cell('Job', 'code', collectionId),
    cell('Reason', 'why', reasonOf(reason)),
    element('td', { role: 'cell', class: 'buttons' }, detailsButton(run)),
  );
}

/**
 * Returns a link to the file with the rows of a run.
 * @param {Run} run
 * @param {Act} look
 */
function keptLink({ id, owner, schedule, kept }, look) {
  if (kept === null) return null;
  const click = () => look(() => save(url`/v1/runs/${id}/rows`, kept.slice(kept.lastIndexOf('/') + 1)));
  const label = `Rows of ${owner}/${schedule}, ${id}`;
  const attributes = { type: 'button', class: 'link', 'data-control': 'rows', title: kept, 'aria-label': label, click };
  return element('span', {}, ' ', element('button', attributes, 'kept'));
}

/**
 * @param {import('./folds.js').Fold} fold
 * @param {(foldId: string) => void} toggle
 */
function foldRow({ id, latest: run, slowest, count, from, rows, isOpen }, toggle) {
  const name = `${run.owner}/${run.schedule}`;
  const ticks = period(from, run.tickAt);
  const longest = tookOf(slowest);
  const word = isOpen ? 'Hide' : `Show ${count}`;
  const button = element(
    'button',
    {
      type: 'button',
      'data-control': 'fold',
      'aria-expanded': String(isOpen),
      'aria-label': `${word}: runs of ${name}, ${ticks}`,
      click: () => toggle(id),
    },
    word,
  );
  return element(
    'tr',
    { role: 'row' },
    element('td', { role: 'cell' }, element('b', {}, `${number(count)} ×`), ' ', stateBadge(run.state)),
    element('th', { role: 'rowheader', scope: 'row' }, name),
    cell('Ticks', 'tick-time', ticks),
    cell('Took', 'figure', longest && `at most ${longest}`, run.late && element('strong', { class: 'late' }, ' late')),
    cell('Rows', 'number', rows !== null && number(rows)),
    cell('Job', 'code', null),
    cell('Reason', 'why', reasonOf(run.reason)),
    element('td', { role: 'cell', class: 'buttons' }, button),
  );
}

/**
 * Returns a cell of the table. On a phone, empty cells are hidden.
 * @param {string} label
 * @param {string} kind
 * @param {...import('./dom.js').Child} children
 */
function cell(label, kind, ...children) {
  const isEmpty = children.every((child) => child === null || child === false);
  const shown = isEmpty ? ['–'] : children;
  return element('td', { role: 'cell', 'data-label': label, class: isEmpty ? `${kind} none` : kind }, ...shown);
}

/** @param {Run} run */
function detailsButton({ id, owner, schedule }) {
  return element(
    'button',
    {
      type: 'button',
      'data-control': 'details',
      'aria-label': `Details of ${owner}/${schedule}, ${id}`,
      click: (event) => keepingFocus(event, byId('runs-title'), () => openRun(id)),
    },
    'Details',
  );
}

/** @param {Act} act */
export function unknownList(act) {
  resolveOpenRun(act);
  return {
    async load() {
      const found = /** @type {Run[]} */ (await get(`/v1/runs${query({ state: 'unknown', limit: mostShown })}`));
      byId('needs-you').hidden = found.length === 0;
      showEach(
        byId('unknown-runs'),
        found,
        (run) => run.id,
        (run) => card(run, act),
      );
    },
  };
}

/**
 * @param {Run} run
 * @param {Act} act
 */
function card(run, act) {
  const { id, owner, schedule, target, reason, tickAt } = run;
  const click = (/** @type {Event} */ event) =>
    keepingFocus(event, afterResolving(), async () => {
      const resolution = await askResolution(run);
      if (resolution) await act(() => post(url`/v1/runs/${id}/resolve`, resolution));
    });
  return element(
    'li',
    {},
    element(
      'p',
      {},
      stateBadge('unknown'),
      ' ',
      element('b', {}, `${owner}/${schedule}`),
      ' ',
      element('span', { class: 'quiet' }, target),
    ),
    element('p', {}, 'Tick ', timeOf(tickAt), reason && element('span', { class: 'reason' }, reasonOf(reason))),
    element(
      'p',
      { class: 'buttons' },
      element(
        'button',
        {
          type: 'button',
          class: 'main-button',
          'data-control': 'resolve',
          'aria-label': `Resolve ${owner}/${schedule}, ${id}`,
          click,
        },
        'Resolve',
      ),
      detailsButton(run),
    ),
  );
}

/** The heading disappears with the last unknown run. */
function afterResolving() {
  return byId('unknown-runs').children.length > 1 ? byId('needs-you-title') : byId('main');
}

/** @type {string | undefined} */
let openId;
/** @type {Run | undefined} */
let openedRun;

/**
 * Resolves the open run from its details.
 * @param {Act} act
 */
function resolveOpenRun(act) {
  byId('run-resolve').addEventListener('click', async () => {
    if (openedRun === undefined) return;
    const { id } = openedRun;
    const resolution = await askResolution(openedRun);
    if (resolution) await act(() => post(url`/v1/runs/${id}/resolve`, resolution));
    dialog('run-dialog').querySelector('button')?.focus();
  });
}

/**
 * Shows a run until its dialog is closed.
 * @param {string} id
 */
async function openRun(id) {
  openId = id;
  replaceInside(byId('run-events'));
  replaceInside(byId('run-facts'));
  byId('run-title').textContent = `Run ${id}`;
  byId('run-resolve').hidden = true;
  const shown = dialog('run-dialog');
  shown.showModal();
  void refreshOpenRun();
  await new Promise((done) => shown.addEventListener('close', done, { once: true }));
}

/** Updates the open run. */
export async function refreshOpenRun() {
  if (openId === undefined || !dialog('run-dialog').open) return;
  const { run, events } = /** @type {{ run: Run, events: RunEvent[] }} */ (
    await get(url`/v1/runs/${openId}`).catch(() => ({ run: undefined, events: [] }))
  );
  if (run === undefined || run.id !== openId) return;
  openedRun = run;
  byId('run-resolve').hidden = run.state !== 'unknown';
  replaceInside(byId('run-facts'), ...factsOf(run));
  showEach(
    byId('run-events'),
    events,
    ({ id }) => String(id),
    ({ at, state, text }) =>
      element(
        'li',
        {},
        element('time', { datetime: new Date(at).toISOString(), class: 'quiet' }, absolute(at)),
        ' ',
        stateBadge(state),
        ' ',
        text,
      ),
  );
}

/** @param {Run} run */
function factsOf(run) {
  /** @type {[string, import('./dom.js').Child][]} */
  const facts = [
    ['State', stateBadge(run.state)],
    ['Schedule', `${run.owner}/${run.schedule}`],
    ['Target', run.target],
    [run.origin === 'hand' ? 'Started by hand' : 'Tick', timeOf(run.tickAt)],
    ['Triggered', run.triggeredAt === null ? '–' : timeOf(run.triggeredAt)],
    ['Ended', run.endedAt === null ? 'not yet' : timeOf(run.endedAt)],
    ['Requests', run.attempts],
    ['Rows', run.rows === null ? '–' : number(run.rows)],
    ['Kept', run.kept ?? '–'],
    ['Delivered', run.deliveredAt === null ? '–' : timeOf(run.deliveredAt)],
    ['Job', run.collectionId ?? '–'],
    ['Took', tookOf(run) ?? '–'],
    ['Reason', reasonOf(run.reason) ?? '–'],
  ];
  return facts.flatMap(([name, value]) => [element('dt', {}, name), element('dd', {}, value)]);
}
