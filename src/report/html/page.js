// @ts-check
/**
 * What the page can do beyond being read: light and dark, what a ribbon says, and the list of all moves with its search, filters and
 * order. Everything else is there without it.
 */

const firstRows = 50;
const moreRows = 200;

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

/** What is pointed at or focused, in words below the picture. */
function readouts() {
  const readout = document.getElementById('readout');
  if (!readout) return;
  const hint = 'Follow a ribbon to list its IPs.';
  const show = (/** @type {Element | null} */ ribbon) => {
    readout.textContent = ribbon?.getAttribute('aria-label') ?? hint;
    readout.classList.toggle('is-about', ribbon !== null);
  };
  for (const ribbon of document.querySelectorAll('.ribbon')) {
    for (const event of ['pointerenter', 'focus']) ribbon.addEventListener(event, () => show(ribbon));
    for (const event of ['pointerleave', 'blur']) ribbon.addEventListener(event, () => show(null));
  }
  readout.hidden = false;
  show(null);
}

/** What is folded would be missing on paper. */
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
  // The fields are emptied after the event.
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
  onRibbon(data, form, search);
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
 * Whether a move is asked for: its IP begins with the text, or one of its zones holds it, and every filter fits.
 * @param {MoveData} data
 * @param {FormData} asked
 * @returns {(move: number) => boolean}
 */
function matcher({ ips, columns }, asked) {
  const text = String(asked.get('text') ?? '')
    .trim()
    .toLowerCase();
  const filters = Object.entries(columns).flatMap(([name, { of }]) => {
    const word = String(asked.get(name) ?? '');
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
 * The numbers of all moves in an order; in that of the calls where no column is named.
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
 * By number and not by letter: 192.0.2.9 stands before 192.0.2.10.
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
    const words = Object.values(columns).map(({ words, of }) => words[of[move] ?? -1] ?? '');
    for (const word of [ips[move] ?? '', ...words]) row.insertCell().textContent = word === '' ? 'unknown' : word;
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
  const part = found > shown ? `, the first ${number(shown)} are shown` : '';
  return found === all ? `${number(all)} IPs${part}.` : `${number(found)} of ${number(all)} IPs match${part}.`;
}

/** The button that was pressed is gone: reading goes on at the first row that it showed. @param {number} index */
function focusRow(index) {
  const row = /** @type {HTMLElement | undefined} */ (document.querySelectorAll('#move-table tbody tr')[index]);
  if (row) row.tabIndex = -1;
  row?.focus();
}

/** @param {(column: string) => boolean} sort answers whether it is descending now */
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
 * A ribbon of one pair of zones lists the moves of that pair.
 * @param {MoveData} data
 * @param {HTMLFormElement} form
 * @param {() => void} search
 */
function onRibbon({ columns }, form, search) {
  for (const ribbon of /** @type {NodeListOf<SVGAElement>} */ (document.querySelectorAll('.ribbon[data-from]'))) {
    ribbon.addEventListener('click', (event) => {
      event.preventDefault();
      form.reset();
      for (const name of ['from', 'to']) {
        const select = /** @type {HTMLSelectElement} */ (form.elements.namedItem(name));
        select.value = String(columns[name]?.words.indexOf(ribbon.dataset[name] ?? ''));
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
