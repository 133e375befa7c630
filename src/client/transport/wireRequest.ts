/** A prepared request: its address, headers and possible errors. */

import type { z } from 'zod';
import type { FixText } from '../../base/diagnostics/fix.ts';
import { fitsHeader } from '../../base/values/headerText.ts';
import { wrongServerUrl } from '../../base/values/serverUrl.ts';
import { type CallIdentity, type Fail, type Fixes, failing, type ServiceError, unusable } from '../errors.ts';
import { type Redact, redactor } from '../redact.ts';
import { acceptedCodings } from './codings.ts';
import type { ExchangeRequest } from './exchange.ts';
import type { Repeats, RetryOptions } from './retries.ts';

export interface WireRequest {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Encoded path, beginning with `/`. */
  path: string;
  query?: Record<string, string | undefined>;
  /** Sent as JSON. */
  body?: unknown;
  /** Accepted media type. Default JSON. */
  accept?: string;
  /** Passes an answer that is not JSON to the reader as text. For billed calls, and for calls that accept any 2xx. */
  takesText?: boolean;
  /** Returns an error for an answer whose headers are wrong. */
  fault?: (answer: Received) => ServiceError | undefined;
  /** Marks a PUT or POST as a read. A GET always is one. */
  read?: boolean;
  /** Advice by error code, more specific than the general one. */
  fixes?: Fixes;
  /** True if the answer may hold passwords: then errors and logs show nothing of it. */
  isConfidential?: boolean;
  /** Values in this request that never appear in errors or logs. */
  secrets?: readonly string[];
  /** Retry times of this call. Settings of the user take precedence. */
  retry?: RetryOptions;
  /** Failures after which a write is repeated; by default those that provably had no effect. */
  repeats?: Repeats;
  /** Returns a more specific error for a refusal, by its text. */
  explain?: (text: string, refusal: ServiceError, answer: Pick<Received, 'header' | 'redact'>) => Error | undefined;
  signal?: AbortSignal | undefined;
  /** Called immediately before every attempt. If it throws, the request is not sent, and the call fails with its error. */
  beforeAttempt?: (() => void) | undefined;
}

/** An answer whose body the caller reads. */
export interface Received {
  status: number;
  header(name: string): string | undefined;
  /** Reads the text of this answer by the schema. @throws ServiceError */
  value<Schema extends z.ZodType>(text: string, schema: Schema): z.output<Schema>;
  /** Makes an error of this call. */
  fail: Fail;
  /** Removes the secrets of this call from a text. */
  redact: Redact;
}

/** Address of all calls: the origin, and the path in front of the path of each call (empty, or `/…`). */
export interface Base {
  origin: string;
  prefix: string;
}

export interface PreparedCall extends ExchangeRequest {
  identity: CallIdentity;
  fail: Fail;
  redact: Redact;
  explain: WireRequest['explain'];
  takesText: WireRequest['takesText'];
  fault: WireRequest['fault'];
}

/** Settings of all calls of a transport. */
interface CallDefaults {
  base: Base;
  headers: Record<string, string>;
  fixes: Fixes;
  signal: AbortSignal | undefined;
  redact: Redact;
}

export function callOf(
  request: WireRequest,
  { base, headers, fixes, signal, ...defaults }: CallDefaults,
): PreparedCall {
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
    redact: request.isConfidential ? () => '(not shown)' : redact,
    explain: request.explain,
    takesText: request.takesText,
    fault: request.fault,
  };
}

/** Encodes a query with percent-encoding only, because only form decoders read `+` as a space. Leaves out what is undefined. */
export function queryText(query: Readonly<Record<string, string | undefined>>): string {
  const encode = (text: string) => encodeURIComponent(text.toWellFormed());
  return Object.entries(query)
    .flatMap(([name, value]) => (value === undefined ? [] : [`${encode(name)}=${encode(value)}`]))
    .join('&');
}

/**
 * Identity of a call. The URL is redacted only on demand, for logs and errors, because that costs more than the rest of the preparation.
 */
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

/** Parses the URL of a service. @throws ServiceError for anything but a plain http or https address */
export function baseOf(url: string, redact: Redact): Base {
  const wrong = wrongServerUrl(url);
  if (wrong !== undefined) throw unusableUrl(url, redact, wrong.why, wrong.fix);
  const { origin, pathname } = new URL(url);
  return { origin, prefix: pathname.replace(/\/+$/, '') };
}

/** Encodes one segment of a path. @throws ServiceError for a name that would change the path */
export function pathSegment(name: string): string {
  if (/^\.{0,2}$/.test(name) || !name.isWellFormed()) {
    throw unusable('refused', name, `the name "${name}" cannot be part of a URL's path`, 'Pass the plain name.');
  }
  return encodeURIComponent(name);
}

/** Returns the header value of a key or token. @throws ServiceError for a value that no header can carry; the secret is never shown */
export function headerSecret(secret: string, what: string, url: string, fix: FixText): string {
  if (secret === '') throw unusable('unauthorized', url, `${what} is empty`, fix);
  if (fitsHeader(secret)) return secret;
  const message = `${what} contains a space, a line break or another character that no header can carry`;
  throw unusable('unauthorized', url, message, fix);
}

/** Adds secrets of one call to a redactor. They are redacted first, because redaction by name may remove only a part of a value. */
function redactAlso(secrets: readonly string[] = [], redact: Redact): Redact {
  if (secrets.length === 0) return redact;
  const own = redactor(secrets);
  return (text) => redact(own(text));
}

const jsonContent = { 'content-type': 'application/json' };

/** Shows nothing before the last `@`, because an address that cannot be parsed may have a password anywhere. */
function unusableUrl(url: string, redact: Redact, what: string, fix: string) {
  const shown = redact(url.replace(/^([a-z][a-z\d+.-]*:\/\/)?.*@/is, '$1***@'));
  return unusable('unreachable', shown, `the URL "${shown}" ${what}`, fix);
}

function eitherOf(one: AbortSignal | undefined, other: AbortSignal | undefined): AbortSignal | undefined {
  return one && other && one !== other ? AbortSignal.any([one, other]) : (one ?? other);
}
