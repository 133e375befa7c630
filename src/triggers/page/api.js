// @ts-check
/** The API, as the page calls it: with the token, which is asked for once and kept until the tab is closed. */
import { askToken } from './dialogs.js';

const kept = 'webdata-triggers-token';

/** How many of a list are asked for at first, and each time that more are wanted. */
export const pageSize = 100;

/** The most that the API answers at once. */
export const mostShown = 1000;

/** What the API refused, in its words. */
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
  // Several requests may find it missing at once: one question is enough.
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
 * Asks for the token again for as long as it is the wrong one.
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
    return request(path, init, 'That was not the token. It is what the trigger service was started with.');
  }
  if (!response.ok) throw new ApiError(response.status, await told(response));
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
 * A load of what is looked at; one that is asked for while it goes on takes its place, and it ends without a word.
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
 * A path or query with its values in place.
 * @param {TemplateStringsArray} texts
 * @param {...string} values
 */
export function url(texts, ...values) {
  return texts
    .map((text, index) => text + (index < values.length ? encodeURIComponent(values[index] ?? '') : ''))
    .join('');
}

/** @param {Record<string, string | number | undefined>} fields those that are empty are left out */
export function query(fields) {
  const filled = Object.entries(fields).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [[name, String(value)]],
  );
  return `?${new URLSearchParams(filled)}`;
}

/** @param {Response} response */
async function told(response) {
  const answer = await response.json().catch(() => undefined);
  const problems = Array.isArray(answer?.error) ? answer.error : [];
  const texts = problems.map(
    (/** @type {{ found: string, allowed?: string, fix?: string }} */ { found, allowed, fix }) =>
      [found, allowed && `allowed: ${allowed}`, fix].filter(Boolean).join('; '),
  );
  return texts.join('\n') || `the trigger service answered ${response.status}`;
}
