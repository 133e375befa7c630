/** The page: two editors, the plan beside them, and the problems as the command line prints them. */
import { files, planTexts } from './plan.ts';

/** @typedef {'declaration' | 'account'} Name */

const { assets, examples } = JSON.parse(element('data', HTMLElement).textContent);
const names = /** @type {const} */ (['declaration', 'account']);
const areas = {
  declaration: element('declaration', HTMLTextAreaElement),
  account: element('account', HTMLTextAreaElement),
};
const main = /** @type {HTMLElement} */ (document.querySelector('main'));
const [status, problems] = [element('status', HTMLElement), element('problems', HTMLElement)];
const report = element('report', HTMLIFrameElement);

/** The typing pause after which the plan is made again. */
const pauseMs = 250;
/** The report that is shown: an equal one must not scroll it back. */
let shown = '';
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;
let round = 0;

/**
 * @template {HTMLElement} E
 * @param {string} id
 * @param {new () => E} type
 * @returns {E}
 */
function element(id, type) {
  const found = document.getElementById(id);
  if (!(found instanceof type)) throw new TypeError(`no element ${id}`);
  return found;
}

const theme = storedTheme();
if (theme !== '') document.documentElement.dataset.theme = theme;

/** The choice on the other pages of the site. Pages from files have no storage in some browsers. */
function storedTheme() {
  try {
    const stored = localStorage.getItem('theme');
    return stored === 'light' || stored === 'dark' ? stored : '';
  } catch {
    return '';
  }
}

async function replan() {
  round += 1;
  const own = round;
  const planned = await planTexts({ declaration: areas.declaration.value, account: areas.account.value }, assets);
  if (own !== round) return;
  const isWrong = planned.problems !== '';
  for (const name of names) showLines(name, planned.lines[name]);
  status.textContent = statusText(isWrong, planned);
  status.classList.toggle('is-wrong', isWrong);
  problems.hidden = !isWrong;
  problems.classList.toggle('is-all', planned.html === undefined);
  problems.replaceChildren(...problemTexts(planned.problems));
  report.hidden = planned.html === undefined;
  if (planned.html === undefined || planned.html === shown) return;
  shown = planned.html;
  report.srcdoc = theme === '' ? shown : shown.replace('<html lang="en">', `<html lang="en" data-theme="${theme}">`);
}

/** @param {boolean} isWrong @param {{ html?: string, leftOut: string[] }} planned */
function statusText(isWrong, { html, leftOut }) {
  const left = leftOut.length > 0 ? ` Left out, because they need the trigger service: ${leftOut.join(', ')}.` : '';
  if (isWrong && html === undefined) return `webdata plan would fail. Correct this first:${left}`;
  if (isWrong) return `webdata plan would fail, because these calls are not allowed or not possible:${left}`;
  return `webdata plan would print this report.${left}`;
}

/** @param {Name} name @param {number[]} wrong */
function showLines(name, wrong) {
  const area = areas[name];
  const gutter = /** @type {HTMLElement} */ (area.previousElementSibling);
  const count = area.value.split('\n').length;
  gutter.replaceChildren(
    ...Array.from({ length: count }, (_, index) => {
      const line = document.createElement('span');
      line.textContent = `${index + 1}`;
      line.classList.toggle('is-wrong', wrong.includes(index + 1));
      return line;
    }),
  );
  gutter.scrollTop = area.scrollTop;
  element(`tab-${name}`, HTMLElement).classList.toggle('is-wrong', wrong.length > 0);
}

/** Makes locations links to their lines. @param {string} text */
function problemTexts(text) {
  return text.split(/\n(?! )/).map((problem) => {
    const paragraph = document.createElement('p');
    const [, file = '', line = '', column = ''] = /^([\w.]+):(\d+):(\d+)/.exec(problem) ?? [];
    const name = names.find((each) => files[each] === file);
    if (name === undefined) paragraph.textContent = problem;
    else
      paragraph.append(
        locationLink(name, Number(line), Number(column)),
        problem.slice(`${file}:${line}:${column}`.length),
      );
    return paragraph;
  });
}

/** @param {Name} name @param {number} line @param {number} column */
function locationLink(name, line, column) {
  const link = document.createElement('a');
  link.href = `#${name}`;
  link.textContent = `${files[name]}:${line}:${column}`;
  link.addEventListener('click', (event) => {
    event.preventDefault();
    select(name);
    const area = areas[name];
    const before = area.value.split('\n').slice(0, line - 1);
    const position = before.reduce((sum, each) => sum + each.length + 1, 0) + column - 1;
    area.focus();
    area.setSelectionRange(position, position);
    area.scrollTop = (area.scrollHeight / area.value.split('\n').length) * Math.max(0, line - 6);
  });
  return link;
}

/** Shows a file or, on a narrow page, the plan. @param {Name | 'plan'} name */
function select(name) {
  main.classList.toggle('shows-plan', name === 'plan');
  for (const each of [...names, 'plan']) {
    const tab = element(`tab-${each}`, HTMLElement);
    tab.setAttribute('aria-selected', `${each === name}`);
    tab.tabIndex = each === name ? 0 : -1;
    if (each !== 'plan' && name !== 'plan') element(`pane-${each}`, HTMLElement).hidden = each !== name;
  }
}

function reset() {
  for (const name of names) areas[name].value = examples[name];
  replan();
}

for (const name of names) {
  const area = areas[name];
  area.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(replan, pauseMs);
  });
  area.addEventListener('scroll', () => {
    /** @type {HTMLElement} */ (area.previousElementSibling).scrollTop = area.scrollTop;
  });
}
for (const name of /** @type {const} */ (['declaration', 'account', 'plan'])) {
  const tab = element(`tab-${name}`, HTMLElement);
  tab.addEventListener('click', () => select(name));
  tab.addEventListener('keydown', ({ key }) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[key];
    if (step === undefined) return;
    const tabs = [...document.querySelectorAll('[role=tab]')].filter(
      (each) => /** @type {HTMLElement} */ (each).offsetParent,
    );
    const next = tabs.at((tabs.indexOf(tab) + step) % tabs.length);
    if (next instanceof HTMLElement) {
      next.click();
      next.focus();
    }
  });
}
element('example', HTMLElement).addEventListener('click', reset);
// A phone shows one pane: the plan is what the page is for.
if (matchMedia('(max-width: 50rem)').matches) select('plan');
reset();
