/** The list of all faults. */
import { bodies } from './bodies.ts';
import { brokeOff, type FaultKind, page } from './kind.ts';

/** The text that the peer sends with a status. */
export const words = 'no, says the service';

const clientErrors = [400, 401, 402, 403, 404, 405, 406, 408, 409, 410, 413, 415, 422, 423, 425, 426, 428, 431, 451];
const serverErrors = [500, 501, 502, 503, 504, 505, 507, 508, 511, 520, 522, 524, 529];
/** Statuses that mean the request will never work. */
const forGood: readonly number[] = [501, 505];

const notThere = '(: the job does not exist, or its result is gone)?';
const said = (status: number) =>
  new RegExp(
    `(was answered ${status}${notThere}|the (service|manager) said|_ID|is not ready): ${words}|${words} \\(answered ${status}\\)`,
  );
const answered = (status: number) => ({ as: 'status', status, text: JSON.stringify({ error: words }) }) as const;

const refusals: FaultKind[] = clientErrors.map((status) => ({
  name: `${status}`,
  group: '4xx',
  play: answered(status),
  // A gateway may have passed on a request that it answers with 408.
  effect: status === 408 || status === 425 ? 'before' : 'never',
  passes: status === 408 || status === 425,
  message: said(status),
}));

const limits: FaultKind[] = [
  {
    name: '429',
    group: '4xx',
    play: { ...answered(429), headers: { 'retry-after': '1' } },
    effect: 'never',
    passes: true,
    message: said(429),
  },
  {
    name: '429 without Retry-After',
    group: '4xx',
    play: answered(429),
    effect: 'never',
    passes: true,
    message: said(429),
  },
  {
    name: '418, an HTML page',
    group: '4xx',
    play: { as: 'status', status: 418, text: page('Blocked') },
    effect: 'never',
    passes: false,
    message: /(was answered 418|the (service|manager) said): Blocked/,
  },
  {
    name: '401, an empty body',
    group: '4xx',
    play: { as: 'status', status: 401, text: '' },
    effect: 'never',
    passes: false,
    message: /was answered 401(?!:)/,
  },
];

const breakdowns: FaultKind[] = (['before', 'after'] as const).flatMap((effect) =>
  serverErrors.map((status) => ({
    name: `${status} ${effect}`,
    group: `5xx ${effect} the effect`,
    play: answered(status),
    effect,
    passes: !forGood.includes(status),
    message: said(status),
  })),
);

const noAnswer = /was not answered in time/;
const lost = /lost its connection before an answer/;

const silences: FaultKind[] = [
  {
    name: 'timeout before',
    group: 'timeout',
    play: { as: 'silence' },
    effect: 'before',
    passes: true,
    message: noAnswer,
    slow: true,
  },
  {
    name: 'timeout after',
    group: 'timeout',
    play: { as: 'silence' },
    effect: 'after',
    passes: true,
    message: noAnswer,
    slow: true,
  },
  {
    name: 'timeout, and the effect later',
    group: 'timeout',
    play: { as: 'late' },
    effect: 'before',
    passes: true,
    message: noAnswer,
    slow: true,
  },
  { name: 'drop before', group: 'connection cut', play: { as: 'drop' }, effect: 'before', passes: true, message: lost },
  { name: 'drop after', group: 'connection cut', play: { as: 'drop' }, effect: 'after', passes: true, message: lost },
  {
    name: 'reset before',
    group: 'connection cut',
    play: { as: 'reset' },
    effect: 'before',
    passes: true,
    message: lost,
  },
  { name: 'reset after', group: 'connection cut', play: { as: 'reset' }, effect: 'after', passes: true, message: lost },
];

const tooSlow = /too slowly|stalled after/;

const pieces: FaultKind[] = [
  {
    name: 'truncated',
    group: 'incomplete or slow answer',
    play: { as: 'cut' },
    effect: 'after',
    passes: true,
    message: brokeOff,
  },
  {
    name: 'truncated in chunks',
    group: 'incomplete or slow answer',
    play: { as: 'cut', chunked: true },
    effect: 'after',
    passes: true,
    message: brokeOff,
  },
  {
    name: 'an endless drip',
    group: 'incomplete or slow answer',
    play: { as: 'endless drip' },
    effect: 'after',
    passes: true,
    message: tooSlow,
    slow: true,
  },
  {
    name: 'a slow answer',
    group: 'incomplete or slow answer',
    play: { as: 'slow' },
    effect: 'after',
    passes: true,
    harmless: true,
    message: /^/,
  },
];

const redirects: FaultKind[] = [301, 302, 303, 307, 308].map((status) => ({
  name: `${status} to elsewhere`,
  group: 'redirect to another host',
  play: { as: 'redirect', status },
  effect: 'before',
  passes: false,
  message: new RegExp(`was answered ${status}`),
}));

export const faultKinds: readonly FaultKind[] = [
  ...refusals,
  ...limits,
  ...breakdowns,
  ...silences,
  ...pieces,
  ...bodies,
  ...redirects,
];
