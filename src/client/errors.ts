/**
 * Errors of calls as typed data: the failure, the service's message, advice, and whether the request may have changed anything. Every
 * error of the client is a `ServiceError`, made by a function in this file.
 */
import { type FixesFor, type FixText, renderFix } from '../base/diagnostics/fix.ts';
import { isTransientStatus, provesNoEffect } from './transport/statuses.ts';

/** Stable codes that programs may switch on. */
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
  /** HTML, malformed or truncated JSON, or a wrong shape. `message` shows the path of the field. */
  | 'unexpected-answer'
  /** The service reports that a collector job or a snapshot failed, was cancelled or timed out. */
  | 'job-failed'
  /** A job has no result after the maximum wait. It may still be running. */
  | 'max-wait-reached'
  | 'aborted';

interface ServiceErrorDetails {
  code: ServiceErrorCode;
  /** The request, redacted. */
  request: { method: string; url: string };
  /** HTTP status, if the service answered. */
  status?: number;
  /** The service's message: redacted, on one line, at most 300 characters. */
  said?: string;
  /** Redacted text of an answer that could not be read. It may have been billed. */
  body?: string;
  /** Advice in full sentences. */
  fix: string;
  /** The fix in the words of other fronts, where they differ. */
  fixFor?: FixesFor;
  /** Possible effect of the request: `none` for a read and for a request that provably was not carried out. */
  effect: 'none' | 'unknown';
  /** True if a write was answered 2xx, without the report of an error, and only the answer could not be read: the service accepted it. */
  isAcceptance?: boolean;
  /** True if the same request may be sent again later; never if its effect is unknown. */
  transient: boolean;
  /** Wait in milliseconds that the service requests before the next request (`Retry-After`). */
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
  readonly fixFor: FixesFor | undefined;
  readonly effect: 'none' | 'unknown';
  readonly isAcceptance: boolean;
  readonly transient: boolean;
  readonly retryAfterMs: number | undefined;

  /** `message` is one line: the request and its outcome. */
  constructor(message: string, details: ServiceErrorDetails) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = details.code;
    this.request = details.request;
    this.status = details.status;
    this.said = details.said;
    this.body = details.body;
    this.fix = details.fix;
    this.fixFor = details.fixFor;
    this.effect = details.effect;
    this.isAcceptance = details.isAcceptance ?? false;
    this.transient = details.transient;
    this.retryAfterMs = details.retryAfterMs;
  }
}

/** Returns true if the key or its role was refused, so that all further requests with it will be refused as well. */
export function isKeyRefusal(error: unknown): boolean {
  return error instanceof ServiceError && (error.code === 'unauthorized' || error.code === 'forbidden');
}

/**
 * Returns true if a write was sent and the service gave no readable answer (none arrived, it broke off, or a gateway answered). The
 * service may still carry it out, even later.
 */
export function isUnanswered({ effect, status = 0 }: ServiceError): boolean {
  return effect === 'unknown' && (status < 400 || gatewayStatuses.has(status));
}

/** Statuses that a gateway returns if the service has not answered in time. */
const gatewayStatuses: ReadonlySet<number> = new Set([408, 425, 502, 504]);

/** Advice by code, more specific than the general advice. */
export type Fixes = Partial<Record<ServiceErrorCode, FixText>>;

interface Circumstances {
  status?: number;
  said?: string | undefined;
  body?: string | undefined;
  /** Advice for this error instead of that for its code. */
  fix?: FixText | undefined;
  retryAfterMs?: number | undefined;
  /** False if it is proven that no byte of the request left this machine. */
  sent?: boolean;
  /** True if the answer itself reports an error, also with a 2xx. */
  reportsError?: boolean;
  /** Overrides the rule for the code. */
  transient?: boolean | undefined;
  cause?: unknown;
}

/** Makes an error of one call. `what` completes the sentence that begins with its method and URL. */
export type Fail = (code: ServiceErrorCode, what: string, circumstances?: Circumstances) => ServiceError;

/** Identity of a call in errors. `url` is redacted; `read` is true if the call changes nothing. */
export interface CallIdentity {
  method: string;
  url: string;
  read: boolean;
}

/** Returns a function that makes the errors of a call. Only this function decides whether a failed request may have had an effect. */
export function failing(identity: CallIdentity, fixes: Fixes): Fail {
  return (code, what, { sent = true, reportsError = false, fix, body, ...circumstances } = {}) => {
    const { method, url, read } = identity;
    const { status = 0 } = circumstances;
    const effect = read || !sent || provesNoEffect(status) ? 'none' : 'unknown';
    const words = circumstances.said === undefined ? '' : `: ${circumstances.said}`;
    return new ServiceError(`${method} ${url} ${what}${words}`, {
      ...circumstances,
      ...(body === undefined ? {} : { body }),
      code,
      transient:
        effect === 'none' && (circumstances.transient ?? (transientCodes.has(code) || isTransientStatus(status))),
      request: { method, url },
      ...renderFix(...adviceOn(code, effect, fix === undefined ? fixes : { [code]: fix }, circumstances.retryAfterMs)),
      effect,
      isAcceptance: effect === 'unknown' && status >= 200 && status < 300 && !reportsError,
    });
  };
}

/** Makes an error for a URL, key or name that makes it impossible to send anything. */
export function unusable(code: ServiceErrorCode, url: string, message: string, fix: FixText): ServiceError {
  const request = { method: 'GET', url };
  return new ServiceError(message, { code, request, ...renderFix(fix), effect: 'none', transient: false });
}

/**
 * Returns the advice. After a write whose answer was lost, checking the live state comes first, because a second write would be billed
 * again.
 */
function adviceOn(code: ServiceErrorCode, effect: 'none' | 'unknown', fixes: Fixes, retryAfterMs = 0): FixText[] {
  const isRepeat = effect === 'unknown' && repeatCodes.has(code);
  const general = isRepeat ? [] : [generalFixes[code]];
  const specific = fixes[code] === undefined ? general : [fixes[code]];
  return [...(effect === 'unknown' ? [lookFirst] : []), ...specific, ...waitAdvice(retryAfterMs)];
}

function waitAdvice(retryAfterMs: number): string[] {
  return retryAfterMs > 0 ? [`The service asks to wait ${Math.ceil(retryAfterMs / 1000)} s.`] : [];
}

/** Returns the error with advice on what was seen since: `advice` replaces that to look. */
export function advised(error: ServiceError, advice: FixText): ServiceError {
  return new ServiceError(error.message, { ...error, ...renderFix(advice, ...waitAdvice(error.retryAfterMs ?? 0)) });
}

const lookFirst = 'It is unknown whether the request took effect. Look at the live state before you send it again.';

/** Codes whose general advice is to send the request again. */
const repeatCodes: ReadonlySet<ServiceErrorCode> = new Set(['server-error', 'timed-out', 'connection-lost', 'aborted']);

const transientCodes: ReadonlySet<ServiceErrorCode> = new Set([
  'rate-limited',
  'server-error',
  'timed-out',
  'connection-lost',
]);

const generalFixes: Record<ServiceErrorCode, FixText> = {
  unauthorized: ({ apiKeyShort }) =>
    `Use a valid API key (${apiKeyShort}): this one may have expired or been refreshed.`,
  forbidden: 'Use the API key of a user whose role allows this call.',
  'not-found': 'Check the URL and the names in the request.',
  'rate-limited': 'Wait, and make fewer concurrent calls.',
  refused: 'Compare the values of the request with the message of the service.',
  'server-error': 'Try again later.',
  unreachable: 'Check the URL, and that this machine can reach it.',
  'timed-out': 'Try again, or allow more time (timeoutMs).',
  'connection-lost': 'Try again.',
  'unexpected-answer':
    'Check the URL. If it is correct, this service differs from the specification (see the service profile).',
  'job-failed': 'Find out why it failed, then trigger it again if necessary; every trigger is billed.',
  'max-wait-reached': 'Wait for it again; no new trigger is needed.',
  aborted: 'Run it again if necessary.',
};
