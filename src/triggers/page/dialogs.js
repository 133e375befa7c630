// @ts-check
/** The dialogs of the page: the token, confirmation, and resolving an unknown run. */
import { byId } from './dom.js';

/** @typedef {import('../api/runs.ts').Resolution} Resolution */
/** @typedef {import('../api/runs.ts').ScheduledRun} Run */

/** @param {string} id */
export function dialog(id) {
  return /** @type {HTMLDialogElement} */ (byId(id));
}

for (const button of document.querySelectorAll('dialog [data-close]')) {
  button.addEventListener('click', () => button.closest('dialog')?.close());
}

/**
 * Opens a dialog with a form. Returns what `read` makes of the submitted form, or undefined if the dialog was closed. If `read` returns
 * undefined, the dialog stays open.
 * @template Answer
 * @param {HTMLDialogElement} shown
 * @param {(fields: FormData) => Answer | undefined} read
 * @returns {Promise<Answer | undefined>}
 */
function answerOf(shown, read) {
  const form = /** @type {HTMLFormElement} */ (shown.querySelector('form'));
  const ended = new AbortController();
  const { signal } = ended;
  return new Promise((done) => {
    form.addEventListener(
      'submit',
      (event) => {
        event.preventDefault();
        const answer = read(new FormData(form));
        if (answer === undefined) return;
        done(answer);
        shown.close();
      },
      { signal },
    );
    shown.addEventListener(
      'close',
      () => {
        ended.abort();
        form.reset();
        done(undefined);
      },
      { signal },
    );
    shown.showModal();
  });
}

/** @param {string} [why] */
export async function askToken(why) {
  const shown = dialog('token-dialog');
  if (why) byId('token-why').textContent = why;
  for (;;) {
    const given = await answerOf(shown, (fields) => String(fields.get('token')).trim() || undefined);
    // Without a token there is nothing to show, so ask again.
    if (given !== undefined) return given;
  }
}

/** @param {{ title: string, text: string, yes: string }} question */
export async function confirmed({ title, text, yes }) {
  byId('confirm-title').textContent = title;
  byId('confirm-text').textContent = text;
  byId('confirm-yes').textContent = yes;
  return (await answerOf(dialog('confirm-dialog'), () => true)) === true;
}

/**
 * @param {Run} run
 * @returns {Promise<Resolution | undefined>}
 */
export function askResolution(run) {
  const shown = dialog('resolve-dialog');
  const form = /** @type {HTMLFormElement} */ (shown.querySelector('form'));
  const missing = byId('resolve-missing');
  const sure = /** @type {HTMLInputElement} */ (form.elements.namedItem('sure'));
  const id = /** @type {HTMLInputElement} */ (form.elements.namedItem('collectionId'));
  byId('resolve-run').textContent = `${run.owner}/${run.schedule}, ${run.id}: ${run.reason ?? 'the answer was lost'}`;
  const offer = () => {
    const chosen = new FormData(form).get('as');
    sure.disabled = chosen !== 'resend';
    id.disabled = chosen !== 'triggered';
    missing.textContent = '';
  };
  form.addEventListener('change', offer);
  offer();
  return answerOf(shown, (fields) => {
    const answer = resolutionOf(fields);
    if (typeof answer !== 'string') return answer;
    missing.textContent = answer;
    return undefined;
  }).finally(() => form.removeEventListener('change', offer));
}

/**
 * Returns the resolution, or what is missing in the form.
 * @param {FormData} fields
 * @returns {Resolution | string}
 */
function resolutionOf(fields) {
  const as = fields.get('as');
  if (as === 'lost') return { as };
  if (as === 'resend') return fields.get('sure') ? { as } : 'Check the box to confirm that both may be billed.';
  const collectionId = String(fields.get('collectionId') ?? '').trim();
  return collectionId === ''
    ? 'Enter the collection id that the service shows for the job.'
    : { as: 'triggered', collectionId };
}
