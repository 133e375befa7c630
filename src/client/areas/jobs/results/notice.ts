/** Notices that a service sends instead of a result: text, or JSON such as `{status: building}` and `{error: Snapshot not ready}`. */
import { isMapValue } from '../../../../base/values/plain.ts';

/** Meaning of a text about a job; `unknown` if it names nothing that ends or refuses it. */
type WordsMeaning = 'notReady' | 'failed' | 'gone' | 'refused' | 'unknown';

export interface Notice {
  meaning: WordsMeaning;
  /** Text of the notice, the most specific first. */
  words: string;
  /** Value of the notice's `status` or `state` field. */
  state: string | undefined;
}

type Field = [name: string, value: unknown];

/** A notice may have this many texts under names of its own. A record has more. */
const mostOtherTexts = 3;

/**
 * Returns the notice in an object, or undefined if the object is content. `isRow`: rows of the requested format have this shape, so an
 * object counts as a notice only if it has no other fields.
 */
export function noticeIn(object: Readonly<Record<string, unknown>>, isRow: boolean, id: string): Notice | undefined {
  const inner = Object.entries(object).find(([name, value]) => wrapperName.test(name) && isMapValue(value));
  const fields = Object.entries({ ...object, ...(inner?.[1] as object | undefined) });
  if (fields.some(isContent)) return undefined;
  const [state] = textsUnder(stateName, fields);
  const messages = textsUnder(messageName, fields);
  const meaning = meaningOf(state, messages, textsUnder(errorName, fields).length > 0);
  const others = fields.filter(
    ([name, value]) => typeof value !== 'boolean' && !noticeNames.some((pattern) => pattern.test(name)),
  );
  const notice = { meaning, words: allWords(state, messages, fields), state };
  if (isRow) {
    const isSaid = state !== undefined || meaning !== 'unknown' || fields.some(([, value]) => value === id);
    return others.length === 0 && isSaid && !isOtherRecord(object.id, id) ? notice : undefined;
  }
  if (state === undefined && messages.length === 0) return others.length === 0 ? notice : undefined;
  const texts = others.filter(([, value]) => typeof value === 'object' || typeof value === 'string');
  return texts.length <= (meaning === 'unknown' ? 0 : mostOtherTexts) ? notice : undefined;
}

/** Returns true for a field of a row: rows repeat their input (specification, "Dataset"), and a list of objects is rows. */
function isContent([name, value]: Field): boolean {
  return /^input$/i.test(name) || (Array.isArray(value) && value.some(isMapValue) && !messageName.test(name));
}

/** Returns true if an `id` identifies something other than the job: a record that happens to have a state. */
function isOtherRecord(found: unknown, id: string): boolean {
  return found !== undefined && found !== id && !/^[js]_/.test(String(found));
}

/** Returns the meaning of the first text that has one: the state, unless it only says that an error occurred, then the messages. */
function meaningOf(state: string | undefined, messages: readonly string[], hasError: boolean): WordsMeaning {
  const texts = state === undefined || isGenericError(state) ? [...messages, state ?? ''] : [state, ...messages];
  const known = texts.map(meaningOfText).find((meaning) => meaning !== 'unknown');
  // An unknown error is a refusal; an unknown message or state belongs to a job that is still running.
  return known ?? (hasError ? 'refused' : 'unknown');
}

function textsUnder(pattern: RegExp, fields: readonly Field[]): string[] {
  return fields.flatMap(([name, value]) => (pattern.test(name) ? textsIn(value) : []));
}

function textsIn(value: unknown, depth = 0): string[] {
  if (typeof value === 'string') return value.trim() === '' ? [] : [value];
  if (depth > 2 || typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap((inner) => textsIn(inner, depth + 1));
}

function allWords(state: string | undefined, messages: readonly string[], fields: readonly Field[]): string {
  const others = fields
    .filter(([name]) => !stateName.test(name) && !messageName.test(name))
    .map(([name, value]) => [name, typeof value === 'object' ? textsIn(value).join(' ') : String(value)])
    .filter(([, text]) => text !== '')
    .map(([name, text]) => `${name}: ${text}`);
  const words = [...(state === undefined ? [] : [state]), ...messages, ...others];
  return [...new Set(words)].join(', ') || 'an object without rows';
}

const stateName = /^(?:status|state|phase|stage|(?:job|snapshot|collection|run)_?(?:status|state))$/i;

const errorName = /^(?:errors?|error_?(?:message|description|code|text))$/i;

const messageName =
  /^(?:errors?|error_?(?:message|description|code|text|type)|warnings?|message|msg|details?|reason|code|status_?(?:text|message))$/i;

const wrapperName = /^(?:snapshot|collection|job|run|data|result|response)$/i;

/** Names of the ids, times and links that a service adds to a notice. */
const detailName =
  /^(?:id|.*_id|.*[a-z]Id|type|success|ok|status_?code|progress|percent(?:age)?|eta|.*_eta|retry_?after|.*_(?:at|time|ms|seconds|minutes)|time|timestamp|date|created|updated|started|position|queue|docs?|documentation|help|href|link|path)$/i;

const noticeNames = [stateName, messageName, wrapperName, detailName];

/** Returns the meaning of free text: a sentence, a state, or the message in an error object. */
export function meaningOfText(text: string): WordsMeaning {
  const words = normalized(text);
  if (failure.test(words)) return 'failed';
  if (working.test(words)) return 'notReady';
  if (missing.test(words)) return 'gone';
  if (refusal.test(words)) return 'refused';
  return askedToWait.test(words) ? 'notReady' : 'unknown';
}

/** Returns true if a state only says that an error occurred, so that the message next to it gives the cause. */
export function isGenericError(state: string): boolean {
  return /^(?:error|fail|failure|ko|nok|false)$/.test(normalized(state));
}

/** Returns true if the text is a sentence about the job itself that no column or field of a result would contain. */
export function isAboutJob(text: string): boolean {
  const words = normalized(text);
  return subject.test(words) && /^(?:notReady|failed|gone)$/.test(meaningOfText(text)) && words.includes(' ');
}

/** Returns words in lower case separated by one space: `not_ready`, `NotReady` and `Not  ready` become the same. */
function normalized(text: string): string {
  return text
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll(/[\s_-]+/g, ' ')
    .trim()
    .toLowerCase();
}

const subject = /\b(?:snapshot|collection|job|data ?sets?|batch|run|crawl|scrape)\b/;

/** A number or a denial before it, as in `3 inputs failed` and `no errors`, says nothing about the job as a whole. */
const failure =
  /(?<!\b(?:\d+ \w+s|0|no|not|without) (?:any )?)\b(?:fail(?:ed|ure|s)?|error(?:ed)?|cancell?ed|abort(?:ed)?|time ?out|timed out|crashed|rejected|terminated|killed)\b(?!:? .*\bnot (?:yet )?(?:ready|found)\b)/;

const working =
  /\b(?:not|isn['’]t) (?:yet )?(?:been )?(?:ready|built|finished|completed?|available|done|prepared)\b|\bnot (?:found|available) yet\b|\b(?:building|pending|queued|running|processing|collecting|crawling|scraping|preparing|generating|starting|scheduled|in progress|still)\b/;

const missing =
  /\b(?:snapshot|collection|job|data ?set|batch|run|crawl|scrape|record|result|id)s?\b[^.]{0,80}\b(?:not (?:be )?found|does ?n[o'’]t exist|is unknown|no longer exists|expired|(?:was|been|is) (?:deleted|removed))\b|\b(?:unknown|no such|no) (?:snapshot|collection|job|data ?set|id)s?\b|^(?:error:? )?(?:404:? )?(?:not found|gone|expired|deleted|removed)\W*$/;

const refusal =
  /\b(?:unauthori[sz]ed|forbidden|denied|permission|invalid|malformed|unsupported|not (?:supported|allowed|permitted)|api key|token|log ?in|sign in|credentials?|payment|suspended|quota|bad request)\b/;

const askedToWait = /\b(?:try again|come back|check back|wait|later|soon|minutes?|moment)\b/;
