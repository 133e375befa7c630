/**
 * What can go wrong with a call, as typed data: what happened, what the service said about it, what to do, and whether
 * the request can have changed anything. Every error of the client is a `ServiceError`, made by one of the functions here.
 */
import { isTransientStatus, provesNoEffect } from './transport/statuses.ts';

/** Stable: programs may switch over it. */
export type ServiceErrorCode =
  | 'unauthorized'
  | 'forbidden'
  | 'not-found'
  | 'rate-limited'
  /** Any other 4xx. */
  | 'refused'
  | 'server-error'
  /** Nothing was sent: an unusable address, no such host, a refused connection, a failed TLS handshake. */
  | 'unreachable'
  | 'timed-out'
  /** The connection broke after the request was sent and before an answer came. */
  | 'connection-lost'
  /** HTML, malformed or truncated JSON, a wrong shape: `message` shows the path of the field. */
  | 'unexpected-answer'
  /** The service says that a collector job or a snapshot failed, was cancelled or timed out. */
  | 'job-failed'
  /** A job has no result after the maximum wait. It may still go on. */
  | 'max-wait-reached'
  | 'aborted';

export interface ServiceErrorDetails {
  code: ServiceErrorCode;
  /** The request, redacted. */
  request: { method: string; url: string };
  /** The HTTP status, where an answer came. */
  status?: number;
  /** The service's own words: redacted, on one line, at most 300 characters. */
  said?: string;
  /** The redacted text of an answer that came and could not be read: it may have been paid for. */
  body?: string;
  /** What to do about it, as sentences. */
  fix: string;
  /** Whether the request can have changed anything: never for a read, or where it provably was not carried out. */
  effect: 'none' | 'unknown';
  /** Whether the same request may be sent again later: never where its effect is unknown. */
  transient: boolean;
  /** How long the service asks to wait before the next request, in milliseconds (`Retry-After`, capped). */
  retryAfterMs?: number;
  cause?: unknown;
}

export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly code: ServiceErrorCode;
  readonly request: { method: string; url: string };
  readonly status: number | undefined;
  readonly said: string | undefined;
  readonly body: string | undefined;
  readonly fix: string;
  readonly effect: 'none' | 'unknown';
  readonly transient: boolean;
  readonly retryAfterMs: number | undefined;

  /** `message` is one line: the request, and what became of it. */
  constructor(message: string, details: ServiceErrorDetails) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = details.code;
    this.request = details.request;
    this.status = details.status;
    this.said = details.said;
    this.body = details.body;
    this.fix = details.fix;
    this.effect = details.effect;
    this.transient = details.transient;
    this.retryAfterMs = details.retryAfterMs;
  }
}

/** The key or its role was refused: whatever else is sent with it will be too. */
export function isKeyRefusal(error: unknown): boolean {
  return error instanceof ServiceError && (error.code === 'unauthorized' || error.code === 'forbidden');
}

/**
 * The service itself gave no readable answer to a write that was sent (none came, it broke off, a gateway spoke for it): it may
 * carry the write out, and may do so later.
 */
export function isUnanswered({ effect, status = 0 }: ServiceError): boolean {
  return effect === 'unknown' && (status < 400 || gatewayStatuses.has(status));
}

/** Statuses that a gateway sends where the service has not answered in time. */
const gatewayStatuses: ReadonlySet<number> = new Set([408, 425, 502, 504]);

/** What to do, by code: what a peer or a single call knows better than the general advice. */
export type Fixes = Partial<Record<ServiceErrorCode, string>>;

export interface Circumstances {
  status?: number;
  said?: string | undefined;
  body?: string | undefined;
  /** Advice for this very error, in place of that for its code. */
  fix?: string | undefined;
  retryAfterMs?: number | undefined;
  /** False where it is proven that no byte of the request left this machine. */
  sent?: boolean;
  /** Where the code alone does not tell. */
  transient?: boolean | undefined;
  cause?: unknown;
}

/** Makes the error of one call; `what` completes the sentence that begins with its method and URL. */
export type Fail = (code: ServiceErrorCode, what: string, circumstances?: Circumstances) => ServiceError;

/** The call that errors are about: `url` redacted, `read` where it changes nothing. */
export interface CallIdentity {
  method: string;
  url: string;
  read: boolean;
}

/** The one place that knows which errors leave it open whether a request had an effect. */
export function failing(identity: CallIdentity, fixes: Fixes): Fail {
  return (code, what, { sent = true, fix, body, ...circumstances } = {}) => {
    const { method, url, read } = identity;
    const effect = read || !sent || provesNoEffect(circumstances.status ?? 0) ? 'none' : 'unknown';
    const words = circumstances.said === undefined ? '' : `: ${circumstances.said}`;
    return new ServiceError(`${method} ${url} ${what}${words}`, {
      ...circumstances,
      ...(body === undefined ? {} : { body }),
      code,
      transient:
        effect === 'none' &&
        (circumstances.transient ?? (transientCodes.has(code) || isTransientStatus(circumstances.status ?? 0))),
      request: { method, url },
      fix: adviceOn(code, effect, fix === undefined ? fixes : { [code]: fix }, circumstances.retryAfterMs).join(' '),
      effect,
    });
  };
}

/** For what is wrong before anything can be sent: an unusable URL, key or name. */
export function unusable(code: ServiceErrorCode, url: string, message: string, fix: string): ServiceError {
  const request = { method: 'GET', url };
  return new ServiceError(message, { code, request, fix, effect: 'none', transient: false });
}

/** Advice to send a write again would pay twice for one whose answer was lost: looking comes first. */
function adviceOn(code: ServiceErrorCode, effect: 'none' | 'unknown', fixes: Fixes, retryAfterMs = 0): string[] {
  const wait = retryAfterMs > 0 ? [`It asks to wait ${Math.ceil(retryAfterMs / 1000)} s.`] : [];
  const isRepeat = effect === 'unknown' && repeatCodes.has(code);
  const general = isRepeat ? [] : [generalFixes[code]];
  const specific = fixes[code] === undefined ? general : [fixes[code]];
  return [...(effect === 'unknown' ? [lookFirst] : []), ...specific, ...wait];
}

const lookFirst = 'It is unknown whether the request took effect. Look at the live state before you send it again.';

/** Their general advice is to send the request again. */
const repeatCodes: ReadonlySet<ServiceErrorCode> = new Set(['server-error', 'timed-out', 'connection-lost', 'aborted']);

const transientCodes: ReadonlySet<ServiceErrorCode> = new Set([
  'rate-limited',
  'server-error',
  'timed-out',
  'connection-lost',
]);

const generalFixes: Record<ServiceErrorCode, string> = {
  unauthorized: 'Use a valid API key (WEBDATA_API_KEY): this one may have expired or been refreshed.',
  forbidden: 'Use the API key of a user whose permission level allows this call.',
  'not-found': 'Check the URL and the names in the request.',
  'rate-limited': 'Wait, and make fewer calls at a time.',
  refused: 'Check the values of the request against what was said.',
  'server-error': 'Try again later.',
  unreachable: 'Check the URL, and that it can be reached from this machine.',
  'timed-out': 'Try again, or allow more time (timeoutMs).',
  'connection-lost': 'Try again.',
  'unexpected-answer':
    'Check the URL; if it is right, this service differs from the specification (see the service profile).',
  'job-failed': 'Read why it failed, then trigger it again if it is still wanted; every trigger is billed.',
  'max-wait-reached': 'Wait for it again; nothing has to be triggered again.',
  aborted: 'Run it again if it is still wanted.',
};
