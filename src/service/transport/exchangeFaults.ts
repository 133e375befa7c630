/**
 * Errors of a request or its answer. They differ by progress: a failure before the first byte left proves that the request had no effect.
 */
import { errors } from 'undici';
import type { Fail } from '../errors.ts';
import { TooSlow } from './slowBody.ts';

export interface Progress {
  /** True if the first byte of the request may have left. */
  sent: boolean;
}

/** Returns the error for a request without an answer. */
export function noAnswer(cause: unknown, { sent }: Progress, signal: AbortSignal | undefined, fail: Fail) {
  const code = codeOf(cause);
  if (signal?.aborted) return fail('aborted', 'was aborted', { sent, cause });
  if (closedCodes.has(code)) return fail('aborted', 'was abandoned because the client was closed', { sent, cause });
  if (code === 'UND_ERR_CONNECT_TIMEOUT') return fail('timed-out', 'could not connect in time', { sent, cause });
  if (code === 'UND_ERR_HEADERS_TIMEOUT') return fail('timed-out', 'was not answered in time', { sent, cause });
  if (cause instanceof errors.HTTPParserError) {
    // Not kept as the cause, because it contains the received bytes.
    return fail('unexpected-answer', 'was answered with something other than HTTP');
  }
  if (sent) return fail('connection-lost', `lost its connection before an answer (${reasonOf(cause)})`, { cause });
  return fail('unreachable', `could not be sent (${reasonOf(cause)})`, {
    sent,
    cause,
    transient: !permanentCode.test(code),
  });
}

/** Returns the error for a body that broke off. */
export function brokenBody(cause: unknown, status: number, size: number, signal: AbortSignal | undefined, fail: Fail) {
  if (signal?.aborted) return fail('aborted', 'was aborted while its answer was read', { status, cause });
  if (codeOf(cause) === 'UND_ERR_BODY_TIMEOUT') {
    return fail('timed-out', `was answered ${status}, but the answer stalled after ${size} bytes`, { status, cause });
  }
  if (cause instanceof TooSlow) {
    return fail('timed-out', `was answered ${status}, but too slowly (${cause.message})`, { status, cause });
  }
  const what = `was answered ${status}, but the answer broke off after ${size} bytes`;
  return fail('unexpected-answer', what, { status, cause, transient: true });
}

/** Returns the error for a body in a coding that was not requested. */
export function foreignCoding({ message }: Error, status: number, fail: Fail) {
  const what = `was answered ${status} with a body in the content-encoding ${message}, which was not requested`;
  return fail('unexpected-answer', what, { status });
}

const closedCodes: ReadonlySet<string> = new Set(['UND_ERR_CLOSED', 'UND_ERR_DESTROYED']);

/** Codes of failures that a retry does not fix, such as an unknown host or an invalid certificate. */
const permanentCode = /^(ENOTFOUND|EPROTO|CERT_|ERR_TLS|ERR_SSL|UNABLE_TO|DEPTH_ZERO|SELF_SIGNED)/;

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

function reasonOf(error: unknown): string {
  const code = codeOf(error);
  const words = knownReasons[code] ?? (error instanceof Error ? error.message : String(error));
  return code === '' || words.includes(code) ? words : `${words}, ${code}`;
}

const knownReasons: Record<string, string> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset',
  ENOTFOUND: 'the host does not exist',
  EAI_AGAIN: 'name resolution failed temporarily',
  UND_ERR_SOCKET: 'connection closed',
};
