// @ts-check
/** The list of deliveries. It is loaded when it is opened, and again when their number changes. */
import { get, latest, url } from './api.js';
import { byId, element, showEach } from './dom.js';
import { number } from './words.js';

/** @typedef {import('../api/records.ts').RegisteredDelivery} Delivery */
/** @typedef {import('../api/records.ts').RegisteredSchedule} Schedule */
/** @typedef {Delivery & { uses: number }} Used */

/** More owners are searched with `webdata triggers`. */
const mostOwners = 100;

/** @param {import('./runs.js').Act} look */
export function deliveryList(look) {
  const fold = /** @type {HTMLDetailsElement} */ (byId('deliveries-fold'));
  let loaded = '';
  let wanted = '';

  const load = latest(async (signal) => {
    if (!fold.open || loaded === wanted) return;
    const loading = wanted;
    const owners = /** @type {string[]} */ (await get('/v1/owners', signal));
    /** @type {Used[]} */
    const found = [];
    for (const owner of owners.slice(0, mostOwners)) {
      const { deliveries, schedules } = /** @type {{ deliveries: Delivery[], schedules: Schedule[] }} */ (
        await get(url`/v1/owners/${owner}`, signal)
      );
      found.push(...deliveries.map((delivery) => ({ ...delivery, uses: usesOf(delivery, schedules) })));
    }
    showEach(byId('deliveries'), found, ({ owner, name }) => JSON.stringify([owner, name]), row);
    byId('no-deliveries').hidden = found.length > 0;
    loaded = loading;
  });
  fold.addEventListener('toggle', () => void look(load));

  return {
    load,
    /** @param {import('../api/runs.ts').Totals} totals */
    setTotals({ deliveries, schedules }) {
      wanted = JSON.stringify([deliveries, schedules]);
      byId('deliveries-count').textContent = number(deliveries);
    },
  };
}

/**
 * @param {Delivery} delivery
 * @param {Schedule[]} schedules
 */
function usesOf({ name }, schedules) {
  return schedules.filter(({ spec }) => spec.delivery === name).length;
}

/** @param {Used} delivery */
function row({ owner, name, spec, uses }) {
  const { authorization, notify, compression } = spec;
  return element(
    'tr',
    { role: 'row' },
    element('th', { role: 'rowheader', scope: 'row' }, `${owner}/${name}`),
    cell('Destination', destinationOf(spec)),
    cell('Compression', String(compression ?? 'none')),
    cell('Authorization', authorization === undefined ? 'none' : 'set'),
    cell('Notifies', notify === undefined ? 'nobody' : String(notify.type)),
    cell('Schedules', number(uses), 'number'),
  );
}

/**
 * Names a webhook by its origin: its path may contain a token.
 * @param {Delivery['spec']} spec
 */
function destinationOf({ endpoint, destination }) {
  if (typeof endpoint === 'string') return URL.parse(endpoint)?.origin ?? 'a webhook';
  return destination === undefined ? 'as the collector is set' : String(destination.type);
}

/**
 * @param {string} label
 * @param {string} text
 * @param {string} [kind]
 */
function cell(label, text, kind = '') {
  return element('td', { role: 'cell', 'data-label': label, class: kind }, text);
}
