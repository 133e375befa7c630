/**
 * Distinguishes a result from a notice in its place. Collector jobs (`GET /dca/dataset`) and snapshots (`GET
 * /datasets/snapshots/ID/download`) share it, in the client and in the trigger service.
 *
 * The status decides first, then the content type, then the shape; text decides last, and never against the status.
 */
import { isMapValue, parsedJson } from '../../../../base/values/plain.ts';
import { isAboutJob, isGenericError, meaningOfText, type Notice, noticeIn, noticeInOne } from './noticeObject.ts';

export type ResultFormat = 'json' | 'ndjson' | 'csv';

/** Layout of content. Billed content is kept in any layout, regardless of the requested format. */
export type ContentForm = 'array' | 'objects' | 'lines' | 'table';

interface ResultAnswer {
  status: number;
  contentType: string | undefined;
  /** The beginning of the decompressed body. */
  text: string;
  /** True if `text` is the whole body. */
  isWhole: boolean;
}

export interface ResultRequest {
  format: ResultFormat;
  /** Id of the requested job or snapshot. */
  id: string;
  /** True if it was triggered so recently that the service may not know it yet. */
  isRecent: boolean;
}

export type ResultReading =
  | { kind: 'content'; form: ContentForm }
  /** Poll again: building, not known yet, or in an unknown state. */
  | { kind: 'notReady'; words: string }
  /** The job ended without a result. */
  | { kind: 'failed'; words: string }
  /** The service does not know the job, or no longer knows it. */
  | { kind: 'gone'; words: string }
  /** Neither a result nor a notice: a refused key, an HTML page, an error object. */
  | { kind: 'refused'; words: string }
  /** The service could not answer: 5xx, 429 or 408. This says nothing about the job. */
  | { kind: 'unavailable'; words: string };

/** Length of a body that is examined; no notice is longer. */
export const longestNotice = 16 * 1024;

/** Time after a trigger during which the service may not know the job yet. */
export const recentMs = 5 * 60_000;

export function readResult(answer: ResultAnswer, request: ResultRequest): ResultReading {
  const { status } = answer;
  const text = answer.text.trim();
  const reading =
    status >= 200 && status < 300 ? readSuccess(answer, text, request) : readRefusal(status, text, request);
  // In the first minutes, "not found" means that the service does not know the job yet; 410 is definite.
  if (reading.kind === 'gone' && request.isRecent && status !== 410) return { ...reading, kind: 'notReady' };
  return reading;
}

function readSuccess(answer: ResultAnswer, text: string, request: ResultRequest): ResultReading {
  if (answer.status === 202 || answer.status === 204 || answer.status === 205) return readUnfinished(text, request);
  if (text === '' && answer.isWhole) return emptyBody(request.format);
  if (text.startsWith('<')) return { kind: 'refused', words: pageWords(text, request.format) };
  return answer.isWhole ? readWhole(answer, text, request) : { kind: 'content', form: longForm(text, request.format) };
}

/** Reads 202, 204, 409 and 425, which mean "not ready" unless the body names a state in which the job ended. */
function readUnfinished(text: string, request: ResultRequest): ResultReading {
  const notice = noticeOfText(text, request);
  const isEnd = notice?.meaning === 'failed' && notice.state !== undefined;
  return { kind: isEnd ? 'failed' : 'notReady', words: wordsOf(text, notice, request.format) };
}

function readRefusal(status: number, text: string, request: ResultRequest): ResultReading {
  const notice = noticeOfText(text, request);
  const words = wordsOf(text, notice, request.format);
  if (refused.has(status) || status < 400) return { kind: 'refused', words };
  if (status >= 500 || status === 429 || status === 408) return { kind: 'unavailable', words };
  if (status === 409 || status === 425) return readUnfinished(text, request);
  if (status === 410) return { kind: 'gone', words };
  const meaning = notice?.meaning ?? meaningOfText(words);
  if (meaning === 'notReady') return { kind: 'notReady', words };
  if (meaning === 'failed' && isEndOfJob(notice, words)) return { kind: 'failed', words };
  if (status === 404) return { kind: 'gone', words };
  if (meaning === 'unknown' && notice?.state !== undefined) return { kind: 'notReady', words };
  return { kind: meaning === 'gone' ? 'gone' : 'refused', words };
}

/** Statuses that text cannot turn into "not ready": the key, its role, a payment or the law; 501 and 505 are permanent. */
const refused: ReadonlySet<number> = new Set([401, 402, 403, 407, 451, 501, 505]);

/**
 * Returns true if the job failed. A refusal also reports an error about the request, so only a state or a sentence about the job counts.
 */
function isEndOfJob(notice: Notice | undefined, words: string): boolean {
  const { state } = notice ?? {};
  return isAboutJob(words) || (state !== undefined && !isGenericError(state));
}

/** Reads an empty body. It is not a result: JSON without rows would be `[]`. */
function emptyBody(format: ResultFormat): ResultReading {
  if (format === 'json') return { kind: 'notReady', words: 'an empty answer' };
  return { kind: 'content', form: format === 'csv' ? 'table' : 'lines' };
}

function readWhole({ contentType = '' }: ResultAnswer, text: string, request: ResultRequest): ResultReading {
  const { format, id } = request;
  const value = parsed(text);
  if (text.startsWith('[')) {
    const [only] = Array.isArray(value) && value.length === 1 ? value : [];
    const notice = isMapValue(only) ? noticeInOne(only, id) : undefined;
    return notice === undefined ? { kind: 'content', form: 'array' } : readingOf(notice);
  }
  if (isMapValue(value)) {
    const notice = noticeIn(value, format === 'ndjson', id);
    return notice === undefined ? { kind: 'content', form: 'objects' } : readingOf(notice);
  }
  if (isLines(text)) return { kind: 'content', form: 'lines' };
  if (/^\{.*\}\s*\{/.test(text)) return { kind: 'content', form: 'objects' };
  const isTable = format === 'csv' || /\bcsv\b/i.test(contentType) || hasEqualRows(text);
  if (isTable && typeof value !== 'string') return readTable(text, contentType);
  if (isTable && !isAboutJob(String(value))) return { kind: 'content', form: 'table' };
  return readSentence(typeof value === 'string' ? value : text);
}

/** Reads a body that is only text. Text without a known meaning belongs to a job that is still running. */
function readSentence(words: string): ResultReading {
  return readingOf({ meaning: meaningOfText(words), words: oneLine(words), state: undefined });
}

function readingOf({ meaning, words }: Notice): ResultReading {
  return { kind: meaning === 'unknown' ? 'notReady' : meaning, words: oneLine(words) };
}

/**
 * Reads a table. It begins with the names of its columns, which may be any words. A notice in its place is one sentence, or a column
 * `error` or `message` with a sentence about the job below it.
 */
function readTable(text: string, contentType: string): ResultReading {
  const content: ResultReading = { kind: 'content', form: 'table' };
  const [first = '', ...rest] = text.split(/\r?\n/);
  if (/^"?(?:error|message)"?(?:,|$)/i.test(first) && rest.length === 1) {
    return isAboutJob(rest[0] ?? '') ? readSentence(unquoted(rest[0] ?? '')) : content;
  }
  const isCells = /,\S|[;\t|]/.test(first);
  if (!isCells && isAboutJob(first) && rest.length < 3) return readSentence(text);
  if (isCells || rest.length > 0 || /\bcsv\b/i.test(contentType)) return content;
  const isSentence = /[.!…]$/.test(first) || first.split(' ').length > 3;
  return isSentence || meaningOfText(first) !== 'unknown' ? readSentence(first) : content;
}

/** Returns true if the first lines have the same number of cells, more than one. */
function hasEqualRows(text: string): boolean {
  const [first = 0, second = 0] = text.split(/\r?\n/, 2).map((line) => line.match(/,\S/g)?.length ?? 0);
  return first > 0 && first === second;
}

/** Returns the notice in the body of a refusal: an object, or a list of one. */
function noticeOfText(text: string, { id }: ResultRequest): Notice | undefined {
  const value = parsed(text);
  const object = Array.isArray(value) && value.length === 1 ? value[0] : value;
  return isMapValue(object) ? noticeIn(object, false, id) : undefined;
}

function wordsOf(text: string, notice: Notice | undefined, format: ResultFormat): string {
  if (notice !== undefined) return oneLine(notice.words);
  if (text.startsWith('<')) return pageWords(text, format);
  const value = text.startsWith('"') ? parsed(text) : text;
  return oneLine(typeof value === 'string' ? value : text);
}

function pageWords(text: string, format: ResultFormat): string {
  const title = /<title[^>]*>([^<]*)</i.exec(text)?.[1]?.trim() ?? '';
  return `an HTML page instead of ${format === 'csv' ? 'CSV' : 'JSON'}${title === '' ? '' : `: ${oneLine(title)}`}`;
}

function longForm(text: string, format: ResultFormat): ContentForm {
  if (text.startsWith('[')) return 'array';
  if (format === 'ndjson') return 'lines';
  return text.startsWith('{') ? 'objects' : 'table';
}

/** Returns true if the first line is a complete object. */
function isLines(text: string): boolean {
  const end = text.indexOf('\n');
  return end > 0 && isMapValue(parsed(text.slice(0, end).trim()));
}

function parsed(text: string): unknown {
  return /^[[{"]/.test(text) ? parsedJson(text) : undefined;
}

function unquoted(text: string): string {
  return text.replaceAll(/(^|,)"|"(?=,|$)/g, '$1');
}

const mostWords = 1000;

function oneLine(text: string): string {
  const line = text.replaceAll(/[\s\p{Cc}\p{Cf}\p{Cs}]+/gu, ' ').trim();
  return line.length > mostWords ? `${line.slice(0, mostWords - 1)}…` : line;
}
