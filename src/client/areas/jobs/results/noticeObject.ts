/** Notices as JSON objects that a service sends instead of a result, such as `{status: building}` or `{error: Snapshot not ready}`. */
import { isMapValue } from '../../../../base/values/plain.ts';

export interface Notice {
  meaning: WordsMeaning;
  /** Text of the notice, the most specific first. */
  words: string;
  /** Value of the notice's `status` or `state` field, or a flag that is set, such as `pending`. */
  state: string | undefined;
}

/**
 * Returns the notice in an object, or undefined if the object is content. `isRow`: rows of the requested format have this shape, so an
 * object counts as a notice only if it has no other fields.
 */
export function noticeIn(object: Readonly<Record<string, unknown>>, isRow: boolean, id: string): Notice | undefined {
  const inner = wrapped(object);
  const fields = Object.entries(inner === undefined ? object : { ...object, ...inner });
  if (fields.some(isContent) || (isRow && isOtherRecord(fields, id))) return undefined;
  const named = fields.flatMap(([name, value]) => (stateName.test(name) ? wordsOf(value) : []))[0];
  const messages = fields.flatMap(([name, value]) => (messageName.test(name) ? wordsOf(value) : []));
  const extras = fields.filter((field) => !isNoticeField(field));
  // The fields that a service adds to a notice are mostly numbers, while a record has many texts.
  const texts = extras.filter(([, value]) => typeof value === 'object' || typeof value === 'string');
  const isRecord = texts.length > 0 || (isRow && messages.length > 0);
  const state = named ?? (isRecord ? undefined : fields.flatMap((field) => stateOfFlag(field) ?? [])[0]);
  const meaning = meaningOf(state, messages, fields);
  const notice = { meaning, words: allWords(state, messages, fields), state };
  const saysNothing = state === undefined && messages.length === 0;
  if (isRow) return extras.length > 0 || !isNoticeOnly(notice, fields, id) ? undefined : notice;
  if (saysNothing) return extras.length === 0 ? notice : undefined;
  return texts.length <= (meaning === 'unknown' ? 0 : mostOtherTexts) ? notice : undefined;
}

/** Returns true if an object that may be a row is a notice: it has a state, an error, a message with a known meaning, or the job's id. */
function isNoticeOnly({ meaning, state }: Notice, fields: readonly Field[], id: string): boolean {
  const has = (pattern: RegExp) => fields.some(([name, value]) => pattern.test(name) && isSaid(value));
  return state !== undefined || has(errorName) || (meaning !== 'unknown' && has(plainMessage)) || names(fields, id);
}

/** Returns the notice in a list of one object. Such a list has the shape of a result, so it is a notice only if its text is about the job. */
export function noticeInOne(object: Readonly<Record<string, unknown>>, id: string): Notice | undefined {
  const notice = noticeIn(object, true, id);
  return notice !== undefined && notice.state === undefined && isAboutJob(notice.words) ? notice : undefined;
}

const mostOtherTexts = 3;

type Field = [name: string, value: unknown];

function meaningOf(state: string | undefined, messages: readonly string[], fields: readonly Field[]): WordsMeaning {
  const said = messages.map(meaningOfText);
  const byMessages = (['notReady', 'gone', 'failed', 'refused'] as const).find((meaning) => said.includes(meaning));
  const byState = state === undefined ? 'unknown' : meaningOfState(state);
  if (byState === 'failed' && isGenericError(state ?? '') && byMessages !== undefined) {
    return byMessages;
  }
  if (byState !== 'unknown') return byState;
  if (byMessages !== undefined) return byMessages;
  // An unknown error is a refusal; an unknown message or state belongs to a job that is still running.
  return fields.some(([name, value]) => errorName.test(name) && isSaid(value)) ? 'refused' : 'unknown';
}

/** Returns the inner object of a notice such as `{snapshot: {status: building}}`. */
function wrapped(object: Readonly<Record<string, unknown>>): Record<string, unknown> | undefined {
  return Object.entries(object).flatMap(([name, value]) =>
    wrapperName.test(name) && isMapValue(value) && !Object.entries(value).some(isContent) ? [value] : [],
  )[0];
}

/** Returns true for a field of a row: rows repeat their input (specification, "Dataset"), and a list of objects is rows. */
function isContent([name, value]: Field): boolean {
  if (/^input$/i.test(name)) return true;
  return Array.isArray(value) && value.some(isMapValue) && !messageName.test(name);
}

/** Returns true if an `id` identifies something other than the job: a record that happens to have a state. */
function isOtherRecord(fields: readonly Field[], id: string): boolean {
  return fields.some(
    ([name, value]) => /^id$/i.test(name) && value !== id && !(typeof value === 'string' && /^[js]_/.test(value)),
  );
}

function names(fields: readonly Field[], id: string): boolean {
  return fields.some(([, value]) => value === id);
}

function wordsOf(value: unknown, depth = 0): string[] {
  if (typeof value === 'string') return value.trim() === '' ? [] : [value];
  if (depth > 2 || typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap((each) => wordsOf(each, depth + 1));
}

function isSaid(value: unknown): boolean {
  return value !== null && value !== false && value !== '' && value !== 0;
}

function allWords(state: string | undefined, messages: readonly string[], fields: readonly Field[]): string {
  const others = fields
    .filter(([name, value]) => !stateName.test(name) && !messageName.test(name) && !isFlag([name, value]))
    .map(([name, value]) => [name, typeof value === 'object' ? wordsOf(value).join(' ') : String(value)])
    .filter(([, text]) => text !== '')
    .map(([name, text]) => `${name}: ${text}`);
  const words = [...(state === undefined ? [] : [state]), ...messages, ...others];
  return [...new Set(words)].join(', ') || 'an object without rows';
}

function isNoticeField([name, value]: Field): boolean {
  const isNamed = [stateName, messageName, wrapperName, detailName].some((pattern) => pattern.test(name));
  return isNamed || isFlag([name, value]);
}

/** Returns true for a state that is the name of a field, such as `{pending: true}` or `{finished: false}`. */
function isFlag([name, value]: Field): boolean {
  if (typeof value !== 'boolean') return false;
  const word = flagWord(name);
  return finishedFlag.test(word) || (word.split(' ').length < 3 && meaningOfState(word) !== 'unknown');
}

/** Returns the state of a flag in words, or undefined if it denies a state or names an end without a reason. */
function stateOfFlag([name, value]: Field): string | undefined {
  if (!isFlag([name, value])) return undefined;
  const word = flagWord(name);
  if (finishedFlag.test(word)) return value === true ? undefined : `not ${word}`;
  return value === true ? word : undefined;
}

function flagWord(name: string): string {
  return normalized(name).replace(/^(?:is|was|has|still) /, '');
}

const finishedFlag = /^(?:ready|built|finished|completed?|available|done|prepared)$/;

const stateName = /^(?:status|state|phase|stage|(?:job|snapshot|collection|run)_?(?:status|state))$/i;

const errorName = /^(?:errors?|error_?(?:message|description|code|text))$/i;

const plainMessage = /^(?:message|msg|detail|code|reason)$/i;

const messageName =
  /^(?:errors?|error_?(?:message|description|code|text|type)|warnings?|message|msg|text|details?|description|reason|title|hint|info|note|code|status_?(?:text|message))$/i;

const wrapperName = /^(?:snapshot|collection|job|run|data|result|response)$/i;

const detailName =
  /^(?:id|.*_id|.*[a-z]Id|type|success|ok|status_?code|progress|percent(?:age)?|eta|.*_eta|retry_?after|.*_(?:at|time|ms|seconds|minutes)|time|timestamp|date|created|updated|started|finished|ready|position|queue|collector|data_?set|docs?|documentation|help|href|link|path)$/i;

/** Meaning of a text about a job; `unknown` if it names nothing that ends or refuses it. */
type WordsMeaning = 'notReady' | 'failed' | 'gone' | 'refused' | 'unknown';

/** Returns the meaning of free text: a sentence, or the message in an error object. */
export function meaningOfText(text: string): WordsMeaning {
  const words = normalized(text);
  const outcomes = words.replace(counted, '').replace(denied, '');
  if (buildFailed.test(outcomes)) return 'failed';
  if (working.test(words)) return 'notReady';
  if (missing.test(words)) return 'gone';
  if (failure.test(outcomes)) return 'failed';
  if (refusal.test(words)) return 'refused';
  return askedToWait.test(words) ? 'notReady' : 'unknown';
}

/** Returns the meaning of a `status` or `state` field. An unknown state is `unknown`, which means still running. */
function meaningOfState(state: string): WordsMeaning {
  const words = normalized(state);
  const outcomes = words.replace(counted, '').replace(denied, '');
  if (buildFailed.test(outcomes)) return 'failed';
  if (working.test(words)) return 'notReady';
  if (failure.test(outcomes)) return 'failed';
  return /^(?:expired|deleted|removed|gone|not found)$/.test(words) ? 'gone' : 'unknown';
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

const subjects = '(?:snapshot|collection|job|data ?set|batch|run|crawl|scrape|record|result|id)s?';

/** Counts of failed inputs and of retries, which say nothing about the job as a whole. A number after its name is that of a job. */
const counted =
  /(?<!\b(?:job|snapshot|collection|batch|run|crawl|scrape) )\b\d+ (?:\w+ ){0,3}(?:failed|failures?|errors?|timeouts?|timed out)\b|\bretr(?:y|ies|ying)\b.*/g;

const denied = /\b(?:no|without|not|0) (?:an? )?(?:errors?|failures?|failed|cancell?ed|aborted)\b/g;

const buildFailed =
  /\bbuild(?:ing)? (?:the \w+ )?(?:has |was |is )?(?:failed|errored|cancell?ed|aborted|stopped|timed out|timeout|error)\b/;

const working = new RegExp(
  [
    String.raw`\bnot (?:yet )?(?:been )?(?:ready|built|finished|completed?|available|done|prepared)\b`,
    String.raw`\bnot (?:found|available) yet\b|\b(?:is|are)n['’]t (?:yet )?ready\b|\bunready\b`,
    String.raw`\b(?:building|pending|queued|queueing|running|processing|collecting|crawling|scraping|preparing|generating)\b`,
    String.raw`\b(?:gathering|fetching|exporting|compiling|starting|initiali[sz]ing|scheduled|in progress|in queue|working)\b`,
    String.raw`\b(?:being|still) (?:\w+ed|\w+ing|built)\b|^(?:waiting|started|created)$`,
  ].join('|'),
);

const missing = new RegExp(
  [
    String.raw`\b${subjects}\b[^.]{0,80}\b(?:not (?:be )?found|does ?n[o'’]t exist|is unknown|no longer exists|expired|(?:was|been|is) (?:deleted|removed))\b`,
    String.raw`\b(?:unknown|no such|no) ${subjects}\b`,
    String.raw`^(?:error:? )?(?:404:? )?not found\W*$|^(?:gone|expired)\W*$`,
  ].join('|'),
);

const failure =
  /\b(?:fail(?:ed|ure|s)?|error(?:ed)?|cancell?ed|abort(?:ed)?|time ?out|timed out|crashed|rejected|terminated|killed)\b/;

const refusal =
  /\b(?:unauthori[sz]ed|forbidden|denied|permission|invalid|malformed|unsupported|not (?:supported|allowed|permitted)|api key|token|log ?in|sign in|credentials?|payment|suspended|quota|bad request)\b/;

const askedToWait = /\b(?:try again|come back|check back|wait|later|soon|minutes?|moment)\b/;
