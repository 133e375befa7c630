// @ts-check
/** Listens for changes while the page is visible, and shows whether it is connected. */
import { request } from './api.js';
import { byId } from './dom.js';

/** @typedef {import('../api/runs.ts').Totals} Totals */

const longestPauseMs = 30_000;

/** @param {(totals: Totals) => void} changed */
export function listen(changed) {
  /** @type {AbortController | undefined} */
  let open;
  const start = () => {
    if (document.hidden || open) return;
    open = new AbortController();
    void keepListening(open.signal, changed);
  };
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) return start();
    open?.abort();
    open = undefined;
  });
  start();
}

/**
 * @param {AbortSignal} signal
 * @param {(totals: Totals) => void} changed
 */
async function keepListening(signal, changed) {
  for (let pauseMs = 1000; !signal.aborted; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    try {
      const response = await request('/v1/events', { signal });
      pauseMs = 500;
      await hear(response, changed);
    } catch {
      // Any failure is retried below.
    }
    if (signal.aborted) return;
    showState('away', 'Connection lost, retrying');
    await new Promise((done) => setTimeout(done, pauseMs));
  }
}

/**
 * @param {Response} response
 * @param {(totals: Totals) => void} changed
 */
async function hear(response, changed) {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (;;) {
    const { value, done } = (await reader?.read()) ?? { done: true, value: undefined };
    if (done) return;
    const events = (text + value).split('\n\n');
    text = events.pop() ?? '';
    for (const event of events) hearOne(event, changed);
  }
}

/**
 * @param {string} event
 * @param {(totals: Totals) => void} changed
 */
function hearOne(event, changed) {
  const { 1: name, 2: data = '{}' } = /^event: (\w+)\ndata: (.*)$/.exec(event) ?? [];
  if (name === 'away') showState('away', 'The store does not answer');
  if (name !== 'changed') return;
  showState('on', 'Live');
  changed(JSON.parse(data));
}

/**
 * @param {'on' | 'away'} state
 * @param {string} text
 */
function showState(state, text) {
  const shown = byId('live');
  shown.dataset.state = state;
  if (shown.textContent !== text) shown.textContent = text;
}
