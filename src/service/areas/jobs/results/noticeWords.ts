/** Meanings of the text in a notice. Text decides last: resultReading.ts examines the status, the content type and the shape first. */

/** Meaning of a text about a job; `unknown` if it names nothing that ends or refuses it. */
export type WordsMeaning = 'notReady' | 'failed' | 'gone' | 'refused' | 'unknown';

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
export function meaningOfState(state: string): WordsMeaning {
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

/** Counts of failed inputs and of retries, which say nothing about the job as a whole. */
const counted = /\b\d+ (?:\w+ ){0,3}(?:failed|failures?|errors?|timeouts?|timed out)\b|\bretr(?:y|ies|ying)\b.*/g;

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
