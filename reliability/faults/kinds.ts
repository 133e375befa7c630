/** The faults: what a peer does in place of its answer, whether the request has had its effect, and what a client may make of it. */

/** How a fault is played; see `play.ts`. */
export type Play =
  | { as: 'status'; status: number; headers?: Readonly<Record<string, string>>; text?: string }
  | { as: 'redirect'; status: number }
  | { as: 'silence' }
  /** The effect comes when all is over. */
  | { as: 'late' }
  | { as: 'drop' }
  | { as: 'reset' }
  | { as: 'cut'; chunked?: true }
  | { as: 'endless drip' }
  | { as: 'slow' }
  | { as: 'body'; change: (text: string) => string | Buffer; headers?: Readonly<Record<string, string>> }
  | { as: 'zeros'; compressed?: true }
  | { as: 'declared size' }
  | { as: 'no HTTP' }
  | { as: 'many headers' }
  | { as: 'early hints' }
  | { as: 'last of its connection' };

export interface FaultKind {
  name: string;
  /** In the page's table. */
  group: string;
  play: Play;
  /** Whether the request has had its effect when the fault shows; `never` where it proves that there is none. */
  effect: 'never' | 'before' | 'after';
  /** It may pass by itself, and a read is sent again. */
  passes: boolean;
  /** The answer is as good as any. */
  harmless?: true;
  /** It has to do with the shape of what is answered: says nothing of an answer without a shape. */
  shape?: true;
  /** What is answered is JSON all the same. */
  isJson?: true;
  /** How the line ends that tells of it. */
  told: RegExp;
  /** Takes as long as a time-out. */
  slow?: true;
  /** Costs so much that not every consumer of a call is shown it. */
  heavy?: true;
}

/** What the peer says with a status. */
export const words = 'no, says the service';

const clientErrors = [400, 401, 402, 403, 404, 405, 406, 408, 409, 410, 413, 415, 422, 423, 425, 426, 428, 431, 451];
const serverErrors = [500, 501, 502, 503, 504, 505, 507, 508, 511, 520, 522, 524, 529];
/** These say that it will never work. */
const forGood: readonly number[] = [501, 505];

const said = (status: number) => new RegExp(`(was answered ${status}|the (service|manager) said): ${words}`);
const answered = (status: number) => ({ as: 'status', status, text: JSON.stringify({ error: words }) }) as const;

const refusals: FaultKind[] = clientErrors.map((status) => ({
  name: `${status}`,
  group: '4xx',
  play: answered(status),
  effect: 'never',
  passes: false,
  told: said(status),
}));

const limits: FaultKind[] = [
  {
    name: '429',
    group: '4xx',
    play: { ...answered(429), headers: { 'retry-after': '1' } },
    effect: 'never',
    passes: true,
    told: said(429),
  },
  {
    name: '429 without Retry-After',
    group: '4xx',
    play: answered(429),
    effect: 'never',
    passes: true,
    told: said(429),
  },
  {
    name: '418, an HTML page',
    group: '4xx',
    play: { as: 'status', status: 418, text: page('Blocked') },
    effect: 'never',
    passes: false,
    told: /(was answered 418|the (service|manager) said): Blocked/,
  },
  {
    name: '401, an empty body',
    group: '4xx',
    play: { as: 'status', status: 401, text: '' },
    effect: 'never',
    passes: false,
    told: /was answered 401(?!:)/,
  },
];

const breakdowns: FaultKind[] = (['before', 'after'] as const).flatMap((effect) =>
  serverErrors.map((status) => ({
    name: `${status} ${effect}`,
    group: `5xx ${effect} the effect`,
    play: answered(status),
    effect,
    passes: !forGood.includes(status),
    told: said(status),
  })),
);

const noAnswer = /had no answer in time/;
const lost = /lost its connection before an answer/;

const silences: FaultKind[] = [
  {
    name: 'time-out before',
    group: 'time-out',
    play: { as: 'silence' },
    effect: 'before',
    passes: true,
    told: noAnswer,
    slow: true,
  },
  {
    name: 'time-out after',
    group: 'time-out',
    play: { as: 'silence' },
    effect: 'after',
    passes: true,
    told: noAnswer,
    slow: true,
  },
  {
    name: 'time-out, and the effect later',
    group: 'time-out',
    play: { as: 'late' },
    effect: 'before',
    passes: true,
    told: noAnswer,
    slow: true,
  },
  { name: 'drop before', group: 'connection cut', play: { as: 'drop' }, effect: 'before', passes: true, told: lost },
  { name: 'drop after', group: 'connection cut', play: { as: 'drop' }, effect: 'after', passes: true, told: lost },
  { name: 'reset before', group: 'connection cut', play: { as: 'reset' }, effect: 'before', passes: true, told: lost },
  { name: 'reset after', group: 'connection cut', play: { as: 'reset' }, effect: 'after', passes: true, told: lost },
];

const brokeOff = /the answer broke off after \d+ bytes|broke off after \d+ rows?|with malformed JSON/;
const tooSlow = /too slowly|stalled after/;

const pieces: FaultKind[] = [
  {
    name: 'truncated',
    group: 'broken off or slow',
    play: { as: 'cut' },
    effect: 'after',
    passes: true,
    told: brokeOff,
  },
  {
    name: 'truncated in chunks',
    group: 'broken off or slow',
    play: { as: 'cut', chunked: true },
    effect: 'after',
    passes: true,
    told: brokeOff,
  },
  {
    name: 'an endless drip',
    group: 'broken off or slow',
    play: { as: 'endless drip' },
    effect: 'after',
    passes: true,
    told: tooSlow,
    slow: true,
  },
  {
    name: 'a slow answer',
    group: 'broken off or slow',
    play: { as: 'slow' },
    effect: 'after',
    passes: true,
    harmless: true,
    told: /^/,
  },
];

const shapes: FaultKind[] = [
  shape('invalid JSON', half, { passes: true, told: /with malformed JSON|broke off|not JSON/ }),
  shape('text', () => 'The service is resting.', { told: /with text instead of JSON|unexpected shape/ }),
  shape('an empty body', () => '', { told: /with an empty body|unexpected shape/ }),
  shape('an HTML page', () => page('Sign in'), {
    told: /with an HTML page instead of JSON: Sign in|is still there after its deletion/,
  }),
  {
    ...shape('an HTML page before the effect', () => page('Sign in'), {
      told: /with an HTML page instead of JSON: Sign in|is still there after its deletion/,
    }),
    effect: 'before',
  },
  shape('another type', (text) => (text.trimStart().startsWith('[') ? '{"rows":17}' : '[17]'), {
    isJson: true,
    told: /unexpected shape|not an object/,
  }),
  shape('null', () => 'null', { isJson: true, told: /unexpected shape|instead of JSON/ }),
  shape('fields of other types', otherTypes, { isJson: true, told: /unexpected shape|not an object/ }),
];

const encodings: FaultKind[] = [
  {
    ...shape('gzip that is none', (text) => text, { passes: true, told: brokeOff }),
    play: { as: 'body', change: (text) => text, headers: { 'content-encoding': 'gzip' } },
    group: 'size and encoding',
  },
  {
    name: 'a body without end',
    group: 'size and encoding',
    play: { as: 'zeros' },
    effect: 'after',
    passes: false,
    shape: true,
    heavy: true,
    told: /more than \d+ bytes|with text instead of JSON/,
  },
  {
    name: 'a small gzip that is a huge body',
    group: 'size and encoding',
    play: { as: 'zeros', compressed: true },
    effect: 'after',
    passes: false,
    shape: true,
    heavy: true,
    told: /more than \d+ bytes|with text instead of JSON/,
  },
  {
    name: 'a declared size of a terabyte',
    group: 'size and encoding',
    play: { as: 'declared size' },
    effect: 'after',
    passes: false,
    shape: true,
    told: /more than \d+ bytes/,
  },
  {
    name: 'no HTTP',
    group: 'no or odd HTTP',
    play: { as: 'no HTTP' },
    effect: 'before',
    passes: false,
    told: /something other than HTTP/,
  },
  {
    name: 'a megabyte of headers',
    group: 'no or odd HTTP',
    play: { as: 'many headers' },
    effect: 'after',
    passes: true,
    told: /headers/i,
  },
  {
    name: 'early hints',
    group: 'no or odd HTTP',
    play: { as: 'early hints' },
    effect: 'after',
    passes: false,
    harmless: true,
    told: /^/,
  },
  {
    name: 'the last answer of its connection',
    group: 'no or odd HTTP',
    play: { as: 'last of its connection' },
    effect: 'after',
    passes: false,
    harmless: true,
    told: /^/,
  },
];

const redirects: FaultKind[] = [301, 302, 303, 307, 308].map((status) => ({
  name: `${status} to elsewhere`,
  group: 'redirect to elsewhere',
  play: { as: 'redirect', status },
  effect: 'before',
  passes: false,
  told: new RegExp(`was answered ${status}`),
}));

export const faultKinds: readonly FaultKind[] = [
  ...refusals,
  ...limits,
  ...breakdowns,
  ...silences,
  ...pieces,
  ...shapes,
  ...encodings,
  ...redirects,
];

function shape(
  name: string,
  change: (text: string) => string,
  { passes = false, ...more }: Partial<FaultKind> & Pick<FaultKind, 'told'>,
): FaultKind {
  return {
    name,
    group: 'answer of another shape',
    play: { as: 'body', change },
    effect: 'after',
    passes,
    shape: true,
    ...more,
  };
}

function page(title: string): string {
  return `<!doctype html>\n<html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>\n`;
}

function half(text: string): string {
  return text.slice(0, Math.floor(text.length / 2)) || '{';
}

/** Numbers as texts, texts as numbers, all the way down. */
function otherTypes(text: string): string {
  const turned = (value: unknown): unknown => {
    if (typeof value === 'string') return 17;
    if (typeof value === 'number' || typeof value === 'boolean') return `${value}`;
    if (Array.isArray(value)) return value.map(turned);
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, turned(each)]));
  };
  try {
    return JSON.stringify(turned(JSON.parse(text)));
  } catch {
    return '17';
  }
}
