/** Requests the result of a job: its content as a stream, or a notice that it is not ready. Anything else is an error. */

import { type Fail, failing, type ServiceError } from '../../../errors.ts';
import type { Redact } from '../../../redact.ts';
import { peekBody } from '../../../transport/peekBody.ts';
import { retryAfterMs } from '../../../transport/statuses.ts';
import type { Streamed, Transport } from '../../../transport/transport.ts';
import type { WireRequest } from '../../../transport/wireRequest.ts';
import {
  type ContentForm,
  longestNotice,
  type ResultReading,
  type ResultRequest,
  readResult,
  recentMs,
} from './resultReading.ts';
import { type ParseRow, type Row, readRows } from './rows.ts';

/** A job without a result yet. */
export interface Unfinished {
  /** The service's message, redacted, if it says more than "building" or "not ready". */
  said?: string;
  /** Requested wait before the next request in milliseconds (`Retry-After`, at most an hour). */
  retryAfterMs?: number;
}

export interface OpenResult {
  body: AsyncIterable<Uint8Array>;
  form: ContentForm;
  fail: Fail;
}

/** Outcome of a request for a result. `cause` is a transient failure, or a refusal that means "not ready": neither shows that the route exists. */
export type ResultOutcome<T> = { found: T } | { unfinished: Unfinished; cause?: unknown };

/** Requests a result. @throws ServiceError: `job-failed`, `not-found` for a job that does not exist, or the code of another answer */
export async function openResult(
  transport: Transport,
  request: WireRequest,
  result: ResultRequest,
): Promise<ResultOutcome<OpenResult>> {
  const explain: WireRequest['explain'] = (text, refusal, { header, redact }) => {
    const { status = 0 } = refusal;
    const reading = readResult({ status, contentType: header('content-type'), text, isWhole: true }, result);
    if (reading.kind === 'notReady') {
      const words = redact(reading.words) || `answered ${status}`;
      return new NotReady(unfinished(words, header('retry-after')));
    }
    const fail = failing({ ...refusal.request, read: true }, request.fixes ?? {});
    return ended(reading, redact, status, fail);
  };
  const answer = await transport.stream({ ...request, explain }).catch((error: unknown) => {
    if (error instanceof NotReady) return error;
    throw error;
  });
  return 'body' in answer ? contentOf(answer, result) : { unfinished: answer.unfinished, cause: answer };
}

/** Returns true if the service may not know yet a job that was triggered at this time. */
export function isRecent(triggeredAt: Date | undefined): boolean {
  return triggeredAt !== undefined && Date.now() - triggeredAt.getTime() < recentMs;
}

/** Returns the rows of a result in any layout. @throws ServiceError for a table, whose rows have no types */
export function rowsOf(
  { body, form, fail }: OpenResult,
  parseRow: ParseRow | undefined,
): AsyncGenerator<Row, void, undefined> {
  if (form === 'table') throw fail('unexpected-answer', 'was answered with a table (CSV) instead of JSON');
  return readRows(body, form, fail, parseRow);
}

/** A refusal that means "not ready". It passes the transport's retries as an error and becomes an ordinary outcome here. */
class NotReady extends Error {
  readonly unfinished: Unfinished;

  constructor(unfinished: Unfinished) {
    super(unfinished.said ?? 'not ready');
    this.unfinished = unfinished;
  }
}

async function contentOf(answer: Streamed, result: ResultRequest): Promise<ResultOutcome<OpenResult>> {
  const { status, header, fail, redact } = answer;
  const { text, isWhole, failure, body, cancel } = await peekBody(answer.body, longestNotice, isSurelyRows);
  // If rows break off, their iteration fails and reports how many arrived; anything else may be requested again.
  if (failure !== undefined && !text.startsWith('[')) throw failure;
  const reading = readResult({ status, contentType: header('content-type'), text, isWhole }, result);
  if (reading.kind === 'content') return { found: { body, form: reading.form, fail } };
  await cancel();
  if (reading.kind === 'notReady') return { unfinished: unfinished(redact(reading.words), header('retry-after')) };
  const said = redact(reading.words);
  throw (
    ended(reading, redact, status, fail) ??
    fail('unexpected-answer', `was answered ${status} without a result`, { status, said })
  );
}

/** Returns true if a list is too long to be a notice, so that rows are not held back until 16 KiB have arrived. */
function isSurelyRows(text: string): boolean {
  return text.startsWith('[') && text.length > 512;
}

function ended(reading: ResultReading, redact: Redact, status: number, fail: Fail): ServiceError | undefined {
  if (reading.kind !== 'failed' && reading.kind !== 'gone') return undefined;
  const circumstances = { status, said: redact(reading.words) || undefined, transient: false };
  if (reading.kind === 'failed') return fail('job-failed', `was answered ${status}: the job failed`, circumstances);
  return fail('not-found', `was answered ${status}: the job does not exist, or its result is gone`, circumstances);
}

const longestRetryAfterMs = 60 * 60_000;

function unfinished(words: string, retryAfter: string | undefined): Unfinished {
  const wait = retryAfterMs(retryAfter, longestRetryAfterMs);
  return { ...(isPlain(words) ? {} : { said: words }), ...(wait === undefined ? {} : { retryAfterMs: wait }) };
}

function isPlain(words: string): boolean {
  return /^(?:(?:snapshot (?:is )?)?(?:building|not ready)(?:[.,]? try again in a few minutes\.?)?)?$/i.test(words);
}
