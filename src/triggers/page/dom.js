// @ts-check
/** Builds and updates elements of the page. Data is inserted as text, never as markup. */

/** @typedef {Node | string | number | null | undefined | false} Child */
/** @typedef {Record<string, string | number | boolean | ((event: Event) => void) | undefined>} Attributes */

/** @param {string} id */
export function byId(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no ${id}`);
  return found;
}

/**
 * @param {string} tag
 * @param {Attributes} [attributes] functions are listeners
 * @param {...Child} children
 */
export function element(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

/**
 * @param {string} tag
 * @param {Attributes} [attributes]
 * @param {...Child} children
 */
export function drawn(tag, attributes = {}, ...children) {
  return filled(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children);
}

/**
 * @template {Element} Made
 * @param {Made} made
 * @param {Attributes} attributes
 * @param {Child[]} children
 */
function filled(made, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') made.addEventListener(name, value);
    else if (value === true) made.setAttribute(name, '');
    else if (value !== false && value !== undefined) made.setAttribute(name, String(value));
  }
  made.append(...present(children));
  return made;
}

/** @param {Child[]} children */
function present(children) {
  return children.flatMap((child) => {
    if (child === null || child === undefined || child === false) return [];
    return typeof child === 'number' ? String(child) : child;
  });
}

/**
 * @param {Element} parent
 * @param {...Child} children
 */
export function replaceInside(parent, ...children) {
  parent.replaceChildren(...present(children));
}

/**
 * The data that each shown element was made of.
 * @type {WeakMap<Element, string>}
 */
const madeOf = new WeakMap();

/**
 * Shows one element per item, and replaces only those that have changed, so that the focus is kept.
 * @template Item
 * @param {Element} parent
 * @param {Item[]} items
 * @param {(item: Item) => string} keyOf
 * @param {(item: Item) => Element} make
 */
export function showEach(parent, items, keyOf, make) {
  const before = new Map([...parent.children].map((child) => [child.getAttribute('data-key'), child]));
  const wanted = new Set(items.map(keyOf));
  for (const [key, child] of before) if (key === null || !wanted.has(key)) child.remove();
  items.forEach((item, index) => {
    const key = keyOf(item);
    const text = JSON.stringify(item);
    const known = before.get(key);
    const shown = known ?? make(item);
    if (known && madeOf.get(known) !== text) renew(known, make(item));
    shown.setAttribute('data-key', key);
    madeOf.set(shown, text);
    const there = parent.children[index];
    if (there !== shown) parent.insertBefore(shown, there ?? null);
  });
}

/**
 * Replaces the content, and moves the focus to the same control in it.
 * @param {Element} known
 * @param {Element} made
 */
function renew(known, made) {
  const control = known.contains(document.activeElement) ? controlOf(document.activeElement) : undefined;
  known.className = made.className;
  known.replaceChildren(...made.childNodes);
  if (control) focusOn(known.querySelector(control));
}

/**
 * Runs the action of a button in a list. Afterwards the focus is where it was, or on the fallback if that is gone.
 * @param {Event} event
 * @param {Element | null} fallback
 * @param {() => Promise<void>} work
 */
export async function keepingFocus({ currentTarget }, fallback, work) {
  const button = currentTarget instanceof Element ? currentTarget : null;
  const [row, control] = [button?.closest('[data-key]'), controlOf(button)];
  await work();
  if (!isFocusLost()) return;
  focusOn((row?.isConnected && control && row.querySelector(control)) || fallback);
}

/** Controls of a closed dialog keep the focus for a moment. */
function isFocusLost() {
  const at = document.activeElement;
  return at === null || at === document.body || at.closest('dialog:not([open])') !== null;
}

/** @param {Element | null} button */
function controlOf(button) {
  const name = button?.getAttribute('data-control');
  return name ? `[data-control="${name}"]` : undefined;
}

/** @param {Element | null} target */
function focusOn(target) {
  if (target instanceof HTMLElement) target.focus({ preventScroll: true });
}

/**
 * Delays calls, and makes only the last of them.
 * @param {number} ms
 * @param {() => void} work
 */
export function debounced(ms, work) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(work, ms);
  };
}
