// @ts-check
/**
 * The interactive parts of the page: light and dark, the text for a band, and the list of all moves with search, filters and sorting.
 * The rest of the page works without JavaScript.
 */

const firstRows = 50;
const moreRows = 200;
/** Longer names of zones may break. */
const longestWhole = 24;

/** @typedef {{ words: string[], of: number[] }} Column */
/** @typedef {{ ips: string[], columns: Record<string, Column> }} MoveData */

themeButton();
readouts();
printing();
const data = moveData();
if (data) moveList(data);

function themeButton() {
  const button = /** @type {HTMLButtonElement} */ (byId('theme'));
  const root = document.documentElement;
  const preferred = matchMedia('(prefers-color-scheme: dark)');
  const isDark = () => (root.dataset.theme ?? (preferred.matches ? 'dark' : 'light')) === 'dark';
  const show = () => {
    button.textContent = isDark() ? 'Light' : 'Dark';
  };
  button.addEventListener('click', () => {
    root.dataset.theme = isDark() ? 'light' : 'dark';
    show();
  });
  preferred.addEventListener('change', show);
  button.hidden = false;
  show();
}

/** Shows below the chart which band is focused or under the pointer. */
function readouts() {
  const readout = document.getElementById('readout');
  if (!readout) return;
  const hint = 'Click a band to list its IPs.';
  const show = (/** @type {Element | null} */ band) => {
    readout.textContent = band?.getAttribute('aria-label') ?? hint;
    readout.classList.toggle('is-about', band !== null);
  };
  for (const band of document.querySelectorAll('.band')) {
    for (const event of ['pointerenter', 'focus']) band.addEventListener(event, () => show(band));
    for (const event of ['pointerleave', 'blur']) band.addEventListener(event, () => show(null));
  }
  readout.hidden = false;
  show(null);
}

/** Opens folded parts for printing. */
function printing() {
  /** @type {HTMLDetailsElement[]} */
  let opened = [];
  addEventListener('beforeprint', () => {
    opened = [...document.querySelectorAll('details')].filter(({ open }) => !open);
    for (const details of opened) details.open = true;
  });
  addEventListener('afterprint', () => {
    for (const details of opened) details.open = false;
  });
}

/** @returns {MoveData | undefined} */
function moveData() {
  const text = document.getElementById('move-data')?.textContent;
  return text ? JSON.parse(text) : undefined;
}

/** @param {MoveData} data */
function moveList(data) {
  const form = /** @type {HTMLFormElement} */ (byId('move-filters'));
  const more = byId('move-more');
  const order = { column: '', isDescending: false };
  let found = orderOf(data, order);
  let shown = firstRows;

  const show = () => {
    showRows(data, found, shown);
    byId('move-count').textContent = countText(found.length, data.ips.length, shown);
    more.hidden = found.length <= shown;
  };
  let sorted = found;
  const search = () => {
    const matches = matcher(data, new FormData(form));
    found = sorted.filter(matches);
    shown = firstRows;
    show();
  };

  fillSelects(data, form);
  form.addEventListener('input', search);
  form.addEventListener('submit', (event) => event.preventDefault());
  // The form is reset after the event.
  form.addEventListener('reset', () => setTimeout(search));
  more.addEventListener('click', () => {
    const first = shown;
    shown += moreRows;
    show();
    if (more.hidden) focusRow(first);
  });
  onSort((column) => {
    order.isDescending = order.column === column && !order.isDescending;
    order.column = column;
    sorted = orderOf(data, order);
    search();
    return order.isDescending;
  });
  onBand(data, form, search);
  onPrint(
    () => showRows(data, found, found.length),
    () => show(),
  );
  byId('no-move-list').hidden = true;
  byId('move-list').hidden = false;
  show();
}

/**
 * @param {MoveData} data
 * @param {HTMLFormElement} form
 */
function fillSelects({ columns }, form) {
  for (const select of form.querySelectorAll('select')) {
    const words = columns[select.name]?.words ?? [];
    select.append(...words.map((word, index) => new Option(word === '' ? 'unknown' : word, String(index))));
  }
}

/**
 * Returns a test for moves: the IP begins with the text, or a zone contains it, and every filter matches.
 * @param {MoveData} data
 * @param {FormData} query
 * @returns {(move: number) => boolean}
 */
function matcher({ ips, columns }, query) {
  const text = String(query.get('text') ?? '')
    .trim()
    .toLowerCase();
  const filters = Object.entries(columns).flatMap(([name, { of }]) => {
    const word = String(query.get(name) ?? '');
    return word === '' ? [] : [{ of, word: Number(word) }];
  });
  const zones = ['from', 'to'].flatMap((name) => {
    const column = columns[name];
    return column ? [{ of: column.of, holds: column.words.map((word) => word.toLowerCase().includes(text)) }] : [];
  });
  const isFound = (/** @type {number} */ move) =>
    ips[move]?.startsWith(text) || zones.some(({ of, holds }) => holds[of[move] ?? -1]);
  return (move) => filters.every(({ of, word }) => of[move] === word) && (text === '' || Boolean(isFound(move)));
}

/**
 * Sorts the indexes of all moves by a column, or by their calls if no column is named.
 * @param {MoveData} data
 * @param {{ column: string, isDescending: boolean }} order
 */
function orderOf({ ips, columns }, { column, isDescending }) {
  const all = ips.map((_, move) => move);
  if (column === '') return all;
  const keys = column === 'ip' ? ips.map(addressKey) : (columns[column]?.of ?? []);
  const sign = isDescending ? -1 : 1;
  const compare = (/** @type {string | number} */ a, /** @type {string | number} */ b) => (a < b ? -1 : a > b ? 1 : 0);
  return all.sort((a, b) => sign * compare(keys[a] ?? 0, keys[b] ?? 0) || a - b);
}

/**
 * Makes addresses sort by number: 192.0.2.9 before 192.0.2.10.
 * @param {string} ip
 */
function addressKey(ip) {
  return ip.replaceAll(/\d+/g, (digits) => digits.padStart(5, '0'));
}

/**
 * @param {MoveData} data
 * @param {number[]} found
 * @param {number} shown
 */
function showRows({ ips, columns }, found, shown) {
  const rows = found.slice(0, shown).map((move) => {
    const row = document.createElement('tr');
    row.insertCell().textContent = ips[move] ?? '';
    for (const [name, { words, of }] of Object.entries(columns)) {
      const word = words[of[move] ?? -1] ?? '';
      const cell = row.insertCell();
      cell.textContent = word === '' ? 'unknown' : word;
      if ((name === 'from' || name === 'to') && word.length <= longestWhole) cell.className = 'whole';
    }
    return row;
  });
  document.querySelector('#move-table tbody')?.replaceChildren(...rows);
}

/**
 * @param {number} found
 * @param {number} all
 * @param {number} shown
 */
function countText(found, all, shown) {
  const number = (/** @type {number} */ count) => count.toLocaleString('en');
  const part = found > shown ? `; the first ${number(shown)} are shown` : '';
  return found === all ? `${number(all)} IPs${part}.` : `${number(found)} of ${number(all)} IPs match${part}.`;
}

/** Focuses the first new row when the pressed button is hidden. @param {number} index */
function focusRow(index) {
  const row = /** @type {HTMLElement | undefined} */ (document.querySelectorAll('#move-table tbody tr')[index]);
  if (row) row.tabIndex = -1;
  row?.focus();
}

/** @param {(column: string) => boolean} sort returns whether the new order is descending */
function onSort(sort) {
  const buttons = /** @type {NodeListOf<HTMLButtonElement>} */ (document.querySelectorAll('.sort'));
  for (const button of buttons) {
    button.addEventListener('click', () => {
      const isDescending = sort(button.dataset.column ?? '');
      for (const other of buttons) other.closest('th')?.setAttribute('aria-sort', 'none');
      button.closest('th')?.setAttribute('aria-sort', isDescending ? 'descending' : 'ascending');
    });
  }
}

/**
 * Lists the moves of a pair of zones when its band is clicked.
 * @param {MoveData} data
 * @param {HTMLFormElement} form
 * @param {() => void} search
 */
function onBand({ columns }, form, search) {
  for (const band of /** @type {NodeListOf<SVGAElement>} */ (document.querySelectorAll('.band[data-from]'))) {
    band.addEventListener('click', (event) => {
      event.preventDefault();
      form.reset();
      for (const name of ['from', 'to']) {
        const select = /** @type {HTMLSelectElement} */ (form.elements.namedItem(name));
        select.value = String(columns[name]?.words.indexOf(band.dataset[name] ?? ''));
      }
      search();
      byId('moves').scrollIntoView();
      form.querySelector('input')?.focus({ preventScroll: true });
    });
  }
}

/**
 * @param {() => void} before
 * @param {() => void} after
 */
function onPrint(before, after) {
  addEventListener('beforeprint', before);
  addEventListener('afterprint', after);
}

/** @param {string} id */
function byId(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the page has no #${id}`);
  return element;
}
