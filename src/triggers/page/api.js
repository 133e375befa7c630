// @ts-check
/** Calls the API with the token, which the page asks for once and keeps until the tab is closed. */
import { askToken } from './dialogs.js';

const kept = 'webdata-triggers-token';

/** Rows that are loaded at first, and with each "Show 100 more". */
export const pageSize = 100;

/** The maximum number of rows in one answer of the API. */
export const mostShown = 1000;

/** An error answer of the API, with its own message. */
export class ApiError extends Error {
  /**
   * @param {number} status
   * @param {string} message
   */
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

/** @type {Promise<string> | undefined} */
let asking;

/** @param {string} [why] */
function token(why) {
  const known = sessionStorage.getItem(kept);
  if (known !== null) return Promise.resolve(known);
  // Several requests may need the token at the same time; ask only once.
  asking ??= askToken(why).then((given) => {
    sessionStorage.setItem(kept, given);
    asking = undefined;
    return given;
  });
  return asking;
}

export function forgetToken() {
  sessionStorage.removeItem(kept);
}

/**
 * Sends a request, and asks for the token again while it is wrong.
 * @param {string} path
 * @param {RequestInit} [init]
 * @param {string} [why]
 * @returns {Promise<Response>}
 */
export async function request(path, init = {}, why) {
  const given = await token(why);
  const response = await fetch(path, { ...init, headers: { ...init.headers, authorization: `Bearer ${given}` } });
  if (response.status === 401) {
    if (sessionStorage.getItem(kept) === given) forgetToken();
    return request(path, init, "Wrong token. Use the service's WEBDATA_TRIGGERS_TOKEN.");
  }
  if (!response.ok) throw new ApiError(response.status, await messageOf(response));
  return response;
}

/**
 * @template Answer
 * @param {string} path
 * @param {AbortSignal} [signal]
 * @returns {Promise<Answer>}
 */
export async function get(path, signal) {
  return (await request(path, signal ? { signal } : {})).json();
}

/**
 * Wraps a load so that a new call cancels the one before it.
 * @param {(signal: AbortSignal) => Promise<void>} load
 * @returns {() => Promise<void>}
 */
export function latest(load) {
  /** @type {AbortController | undefined} */
  let loading;
  return async () => {
    loading?.abort();
    loading = new AbortController();
    const { signal } = loading;
    try {
      await load(signal);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  };
}

/**
 * @template Answer
 * @param {string} path
 * @param {unknown} [body]
 * @returns {Promise<Answer>}
 */
export async function post(path, body) {
  const json =
    body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  return (await request(path, { method: 'POST', ...json })).json();
}

/**
 * Builds a path or query with encoded values.
 * @param {TemplateStringsArray} texts
 * @param {...string} values
 */
export function url(texts, ...values) {
  return texts
    .map((text, index) => text + (index < values.length ? encodeURIComponent(values[index] ?? '') : ''))
    .join('');
}

/** @param {Record<string, string | number | undefined>} fields empty fields are left out */
export function query(fields) {
  const filled = Object.entries(fields).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [[name, String(value)]],
  );
  return `?${new URLSearchParams(filled)}`;
}

/**
 * Saves an answer as a file. A plain link could not carry the token.
 * @param {string} path
 * @param {string} name
 */
export async function save(path, name) {
  const href = URL.createObjectURL(await (await request(path)).blob());
  const link = Object.assign(document.createElement('a'), { href, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(href), 60_000);
}

/** @param {Response} response */
async function messageOf(response) {
  const answer = await response.json().catch(() => undefined);
  const problems = Array.isArray(answer?.error) ? answer.error : [];
  const texts = problems.map(
    (/** @type {{ found: string, allowed?: string, fix?: string }} */ { found, allowed, fix }) =>
      [found, allowed && `allowed: ${allowed}`, fix].filter(Boolean).join('; '),
  );
  return texts.join('\n') || `the trigger service answered ${response.status}`;
}
