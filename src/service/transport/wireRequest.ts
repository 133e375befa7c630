/** A request made ready: its address, its headers, and the errors it may end in. */

import { type CallIdentity, type Fail, type Fixes, failing, type ServiceError, unusable } from '../errors.ts';
import type { Answer } from '../reading/answers.ts';
import { type Redact, redactor } from '../redact.ts';
import { acceptedCodings } from './codings.ts';
import type { ExchangeRequest } from './exchange.ts';
import type { Repeats } from './resend.ts';
import type { RetryOptions } from './retries.ts';
import type { Received } from './transport.ts';

export interface WireRequest {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Encoded, begins with `/`. */
  path: string;
  query?: Record<string, string>;
  /** Sent as JSON. */
  body?: unknown;
  /** What kind of answer is asked for; JSON by default. */
  accept?: string;
  /** Hands the reader an answer that is no JSON as the text that it is: for calls that are billed, and those of which any 2xx will do. */
  takesText?: boolean;
  /** What is wrong with the answer as its headers have it. */
  fault?: (answer: Received) => ServiceError | undefined;
  /** Says that a PUT or POST changes nothing; a GET never does. */
  read?: boolean;
  /** What to do about an error of this call, where it is known better than in general. */
  fixes?: Fixes;
  /** Values in this request that must not be seen in its errors or in the log. */
  secrets?: readonly string[];
  /** When it is sent again, where this call has times of its own; what the user set comes before them. */
  retry?: RetryOptions;
  /** Which failures of a write are followed by another attempt; by default those that provably had no effect. */
  repeats?: Repeats;
  /** Makes a better error of a refusal than its status does, from its text. */
  explain?: (text: string, refusal: ServiceError, answer: Explained) => Error | undefined;
  signal?: AbortSignal | undefined;
}

/** What else there is of an answer to explain. */
export interface Explained extends Pick<Answer, 'header'> {
  /** Takes the secrets of this call out of words of the answer. */
  redact: Redact;
}

/** Where all calls go: the origin, and the path that is put before theirs (empty, or `/…`). */
export interface Base {
  origin: string;
  prefix: string;
}

export interface Call extends ExchangeRequest {
  identity: CallIdentity;
  fail: Fail;
  redact: Redact;
  explain: WireRequest['explain'];
  takesText: WireRequest['takesText'];
  fault: WireRequest['fault'];
}

/** Settings that all calls of a transport share. */
export interface CallDefaults {
  base: Base;
  headers: Record<string, string>;
  fixes: Fixes;
  signal: AbortSignal | undefined;
  redact: Redact;
}

export function callOf(request: WireRequest, { base, headers, fixes, signal, ...defaults }: CallDefaults): Call {
  const { method, path, query, body, accept = 'application/json', read = method === 'GET' } = request;
  const redact = redactAlso(request.secrets, defaults.redact);
  const search = query === undefined ? '' : queryText(query);
  const target = base.prefix + path + (search === '' ? '' : `?${search}`);
  const identity = new Identity(method, read, base.origin + target, redact);
  return {
    identity,
    method,
    target,
    headers: {
      accept,
      'accept-encoding': acceptedCodings,
      ...headers,
      ...(body === undefined ? {} : jsonContent),
    },
    body: body === undefined ? undefined : JSON.stringify(body),
    signal: eitherOf(signal, request.signal),
    fail: failing(identity, { ...fixes, ...request.fixes }),
    redact,
    explain: request.explain,
    takesText: request.takesText,
    fault: request.fault,
  };
}

/** A query in percent-encoding alone: a `+` for a space is read as such by form decoders only. */
export function queryText(query: Readonly<Record<string, string>>): string {
  const encode = (text: string) => encodeURIComponent(text.toWellFormed());
  return Object.entries(query)
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .join('&');
}

/** Only logs and errors show the URL, and taking secrets out of it costs more than all else that makes a call ready. */
class Identity implements CallIdentity {
  readonly method: string;
  readonly read: boolean;
  readonly #url: string;
  readonly #redact: Redact;

  constructor(method: string, read: boolean, url: string, redact: Redact) {
    this.method = method;
    this.read = read;
    this.#url = url;
    this.#redact = redact;
  }

  get url(): string {
    return this.#redact(this.#url);
  }
}

/** @throws ServiceError for what is no plain http or https address. */
export function baseOf(url: string, redact: Redact): Base {
  const parsed = URL.parse(url);
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) {
    throw unusableUrl(url, redact, 'is not an http or https URL', 'Write it like https://api.example.com.');
  }
  if (parsed.username || parsed.password || parsed.search || parsed.hash) {
    const fix = 'Leave only the scheme, host, port and path; credentials have their own setting.';
    throw unusableUrl(url, redact, 'has more in it than an address', fix);
  }
  return { origin: parsed.origin, prefix: parsed.pathname.replace(/\/+$/, '') };
}

/** One segment of a path. @throws ServiceError for a name that would change the path around it. */
export function pathSegment(name: string): string {
  if (/^\.{0,2}$/.test(name) || !name.isWellFormed()) {
    throw unusable('refused', name, `the name "${name}" cannot stand in a URL's path`, 'Give the name itself.');
  }
  return encodeURIComponent(name);
}

/** The header value of a key or token. @throws ServiceError for what no header can carry; it never shows the secret. */
export function headerSecret(secret: string, what: string, url: string, fix: string): string {
  if (secret === '') throw unusable('unauthorized', url, `${what} is empty`, fix);
  if (/^[\x21-\x7e]+$/.test(secret)) return secret;
  const message = `${what} has a space, a line break or another character that no header can carry`;
  throw unusable('unauthorized', url, message, fix);
}

/** The values of one call go first, as a name might find only a part of one. */
function redactAlso(secrets: readonly string[] = [], redact: Redact): Redact {
  if (secrets.length === 0) return redact;
  const own = redactor(secrets);
  return (text) => redact(own(text));
}

const jsonContent = { 'content-type': 'application/json' };

function unusableUrl(url: string, redact: Redact, what: string, fix: string) {
  const shown = redact(url);
  return unusable('unreachable', shown, `the URL "${shown}" ${what}`, fix);
}

function eitherOf(one: AbortSignal | undefined, other: AbortSignal | undefined): AbortSignal | undefined {
  return one && other ? AbortSignal.any([one, other]) : (one ?? other);
}
