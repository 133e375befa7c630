// @ts-check
/** Asks for the totals while the page is visible, and shows whether the service answers. */
import { get } from './api.js';
import { byId } from './dom.js';

/** @typedef {import('../api/runs.ts').Totals} Totals */

const pauseMs = 1000;
const longestPauseMs = 30_000;

/** @param {(totals: Totals) => void} changed is called with the first totals, and after each change */
export function listen(changed) {
  /** @type {AbortController | undefined} */
  let open;
  const start = () => {
    if (document.hidden || open) return;
    open = new AbortController();
    void keepAsking(open.signal, changed);
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
async function keepAsking(signal, changed) {
  let known = '';
  for (let waitMs = pauseMs; !signal.aborted; await new Promise((done) => setTimeout(done, waitMs))) {
    try {
      /** @type {Totals} */
      const totals = await get('/v1/totals', signal);
      waitMs = pauseMs;
      showState('on', 'Live');
      const seen = JSON.stringify({ ...totals, now: 0 });
      if (seen !== known) changed(totals);
      known = seen;
    } catch (error) {
      if (signal.aborted) return;
      waitMs = Math.min(waitMs * 2, longestPauseMs);
      const isStore = error instanceof Error && 'status' in error && error.status === 503;
      showState('away', isStore ? 'The store does not answer' : 'Connection lost, retrying');
    }
  }
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
