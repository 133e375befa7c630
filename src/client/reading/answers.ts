/** Converts the text of an answer to a value of a known shape, or to an error. */
import { z } from 'zod';
import { parsedJson } from '../../base/values/plain.ts';
import type { Fail, ServiceError, ServiceErrorCode } from '../errors.ts';
import type { Redact } from '../redact.ts';
import { isTransientStatus } from '../transport/statuses.ts';
import type { Misfits } from './misfits.ts';
import { type Reader, reportedError, ShapeFault, startOf } from './readers.ts';

export interface Answer {
  status: number;
  text: string;
  /** Why letters of the text had to be replaced. A page may be text like this, data may not. */
  replaced?: string | undefined;
  /** Returns the value of a header, or the first one if it was sent more than once. */
  header(name: string): string | undefined;
  /** Wait that `Retry-After` requests, in milliseconds. */
  retryAfterMs: number | undefined;
}

/** Returns the error for a status other than 2xx. */
export function refusal({ status, text, retryAfterMs }: Answer, fail: Fail, redact: Redact): ServiceError | undefined {
  if (status >= 200 && status < 300) return undefined;
  const said = wordsIn(text, redact);
  return fail(codeFor(status), `was answered ${status}`, {
    status,
    said,
    body: shownBody(text, redact),
    retryAfterMs,
    transient: isTransientStatus(status),
    fix: isAboutPayment(status, said) ? paymentFix : undefined,
  });
}

/** A role of the key cannot fix a refusal that speaks of money. */
function isAboutPayment(status: number, said = ''): boolean {
  return status === 402 || (status === 403 && paymentWords.test(said));
}

/** Returns true for the message of a refusal, such as a journal keeps, that speaks of money. */
export function speaksOfPayment(message: string): boolean {
  const [, status, said] = /was answered (\d+)(?:: (.*))?$/s.exec(message) ?? [];
  return isAboutPayment(Number(status), said);
}

const paymentWords =
  /\b(?:pay(?:ment|ments|ing)?|paid|unpaid|billing|billed|balance|quotas?|credits?|credit card|funds?|invoices?|overdue|subscription|prepaid|spend(?:ing)?|budget)\b/i;

export const paymentFix =
  'Check the balance, the payment method and the limits of the account in the control panel of the service, then run it again.';

/**
 * Reads a 2xx answer. An empty one is undefined; with `takesText`, text that is not JSON is passed to the reader.
 * @throws ServiceError `unexpected-answer` from `fail`, with the path of the value and the text of the answer
 */
export function readAnswer<T>(
  answer: Answer,
  read: Reader<T>,
  { fail, redact, takesText = false }: { fail: Fail; redact: Redact; takesText?: boolean | undefined },
  misfits: Misfits,
): T {
  const { status, text } = answer;
  assertDecoded(answer, fail);
  const value = valueOrText({ status, text }, takesText, fail, redact);
  try {
    return read(value, startOf(misfits));
  } catch (error) {
    if (!(error instanceof ShapeFault)) throw error;
    const said = errorTextIn(value, redact);
    throw fail('unexpected-answer', `was answered ${status} with an unexpected shape: ${redact(error.message)}`, {
      status,
      said,
      body: shownBody(text, redact),
      fix: error.fix,
      reportsError: reportedError(value) !== undefined,
    });
  }
}

/**
 * Reads a 2xx answer by a strict schema, for services of this project.
 * @throws ServiceError `unexpected-answer` from `fail`, with the path of the field
 */
export function valueIn<Schema extends z.ZodType>(
  answer: Answer,
  schema: Schema,
  fail: Fail,
  redact: Redact,
): z.output<Schema> {
  const { status, text } = answer;
  assertDecoded(answer, fail);
  const value = parseJson(text, status, fail, redact);
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const what = `was answered ${status} with an unexpected shape: ${firstOf(result.error.issues)}`;
  throw fail('unexpected-answer', what, { status, said: errorTextIn(value, redact) });
}

/** Data with replaced letters could name another zone. */
function assertDecoded({ status, replaced }: Answer, fail: Fail): void {
  if (replaced !== undefined) throw fail('unexpected-answer', `was answered ${status} with ${replaced}`, { status });
}

function codeFor(status: number): ServiceErrorCode {
  const exact: Partial<Record<number, ServiceErrorCode>> = {
    401: 'unauthorized',
    403: 'forbidden',
    404: 'not-found',
    429: 'rate-limited',
  };
  if (status >= 500) return 'server-error';
  return exact[status] ?? (status >= 400 ? 'refused' : 'unexpected-answer');
}

function parseJson(text: string, status: number, fail: Fail, redact: Redact): unknown {
  if (isHtml(text)) {
    throw htmlInstead(text, status, fail, redact);
  }
  try {
    return JSON.parse(text);
  } catch {
    // Truncated JSON is a transient error; text that never was JSON is not.
    const transient = /^\s*[[{]/.test(text);
    const what = transient ? 'malformed JSON' : text.trim() === '' ? 'an empty body' : 'text instead of JSON';
    const said = transient ? undefined : wordsIn(text, redact);
    throw fail('unexpected-answer', `was answered ${status} with ${what}`, {
      status,
      said,
      transient,
      body: shownBody(text, redact),
      fix: transient ? damaged : undefined,
    });
  }
}

/** Does not ask to send the request again: an answer to a write can be damaged too. */
const damaged =
  'The answer was cut off or damaged on its way. If that happens again, look at what is between this machine and the service, such as a proxy.';

/** Returns undefined for an answer without a body, if its status or its call allows that. */
function valueOrText(
  { status, text }: Pick<Answer, 'status' | 'text'>,
  takesText: boolean,
  fail: Fail,
  redact: Redact,
) {
  if (text.trim() === '' && (takesText || status === 204 || status === 205)) return undefined;
  return takesText ? jsonOrText(text, status, fail, redact) : parseJson(text, status, fail, redact);
}

/** Parses JSON and keeps other text: the answer to a billed call may still contain an id. */
function jsonOrText(text: string, status: number, fail: Fail, redact: Redact): unknown {
  if (isHtml(text)) throw htmlInstead(text, status, fail, redact);
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function htmlInstead(text: string, status: number, fail: Fail, redact: Redact): ServiceError {
  const said = wordsIn(text, redact);
  const what = `was answered ${status} with an HTML page instead of JSON`;
  return fail('unexpected-answer', what, { status, said, body: shownBody(text, redact) });
}

function firstOf([first, ...more]: z.core.$ZodIssue[]): string {
  const path = z.core.toDotPath(first?.path ?? []) || 'the answer';
  const message = first?.message.replace(/^Invalid input: /, '') ?? 'invalid';
  return `${path}: ${message}${more.length > 0 ? ` (and ${more.length} more)` : ''}`;
}

/** Returns the redacted text of an answer for an error. */
function shownBody(text: string, redact: Redact): string | undefined {
  return text === '' ? undefined : redact(text.slice(0, maxBody));
}

/** Maximum length of a kept body. */
const maxBody = 4 * 1024 * 1024;

const maxWords = 300;

/** Maximum length of text that is searched for a message. */
const maxLookedAt = 64 * 1024;

/** Returns the message in an error's body on one line, without secrets and control characters. */
function wordsIn(text: string, redact: Redact): string | undefined {
  const said = isHtml(text) ? titleOf(text) : (errorWords(parsedJson(text)) ?? text.slice(0, maxLookedAt));
  const line = redact(said)
    .replaceAll(/[\s\p{Cc}\p{Cf}\p{Cs}]+/gu, ' ')
    .trim();
  if (line === '') return undefined;
  return line.length > maxWords ? `${line.slice(0, maxWords - 1)}…` : line;
}

/** Returns the message of an error object that came with a 2xx (specification, C2), if the value is one. */
function errorTextIn(value: unknown, redact: Redact): string | undefined {
  const words = errorWords(reportedError(value));
  return words === undefined ? undefined : wordsIn(words, redact);
}

/** Returns the message in `"…"`, `{error: …}`, `{message: …}`, `{errors: […]}` and the like. */
function errorWords(value: unknown, depth = 0): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null || depth > 2) return undefined;
  const candidates: unknown[] = Array.isArray(value)
    ? value.slice(0, 1)
    : errorFields.map((name) => Reflect.get(value, name));
  return candidates.map((candidate) => errorWords(candidate, depth + 1)).find((words) => words !== undefined);
}

const errorFields = ['error', 'message', 'errors', 'error_description', 'detail', 'reason', 'title'];

function isHtml(text: string): boolean {
  return /^\s*<(?:!doctype|html|head|body|\?xml)/i.test(text);
}

function titleOf(html: string): string {
  return /<title[^>]*>([^<]*)</i.exec(html.slice(0, maxLookedAt))?.[1] ?? '';
}
