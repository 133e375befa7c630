/** Answers of another shape, size, encoding or protocol. */
import { type FaultKind, page } from './kind.ts';

const shapes: FaultKind[] = [
  shape('invalid JSON', half, {
    passes: true,
    told: /with malformed JSON|broke off|not JSON|unexpected shape|is not ready/,
  }),
  shape('text', () => 'The service is resting.', {
    told: /with text instead of JSON|unexpected shape|not ready: The service|: The service is resting/,
  }),
  shape('an empty body', () => '', { told: /with an empty body|unexpected shape|an empty answer/ }),
  shape('an HTML page', () => page('Sign in'), {
    told: /an HTML page instead of (JSON|CSV): Sign in|is still there after its deletion/,
  }),
  {
    ...shape('an HTML page before the effect', () => page('Sign in'), {
      told: /an HTML page instead of (JSON|CSV): Sign in|is still there after its deletion/,
    }),
    effect: 'before',
  },
  shape('another type', (text) => (text.trimStart().startsWith('[') ? '{"rows":17}' : '[17]'), {
    isJson: true,
    told: /unexpected shape|not an object/,
  }),
  shape('null', () => 'null', { isJson: true, told: /unexpected shape|instead of JSON|not ready: null|: null/ }),
  shape('fields of other types', otherTypes, {
    isJson: true,
    // An id of another type is polled for in vain.
    told: /unexpected shape|not an object|no result after the maximum wait/,
  }),
];

const encodings: FaultKind[] = [
  {
    // Labelled as gzip, and plain all the same: it is read as it is.
    ...shape('gzip that is none', (text) => text, { harmless: true, told: /^/ }),
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
    group: 'missing or unusual HTTP',
    play: { as: 'no HTTP' },
    effect: 'before',
    passes: false,
    told: /something other than HTTP/,
  },
  {
    name: 'a megabyte of headers',
    group: 'missing or unusual HTTP',
    play: { as: 'many headers' },
    effect: 'after',
    passes: true,
    told: /headers/i,
  },
  {
    name: 'early hints',
    group: 'missing or unusual HTTP',
    play: { as: 'early hints' },
    effect: 'after',
    passes: false,
    harmless: true,
    told: /^/,
  },
  {
    name: 'the last answer of its connection',
    group: 'missing or unusual HTTP',
    play: { as: 'last of its connection' },
    effect: 'after',
    passes: false,
    harmless: true,
    told: /^/,
  },
];

export const bodies: readonly FaultKind[] = [...shapes, ...encodings];

function shape(
  name: string,
  change: (text: string) => string,
  { passes = false, ...more }: Partial<FaultKind> & Pick<FaultKind, 'told'>,
): FaultKind {
  return {
    name,
    group: 'answer of a different shape',
    play: { as: 'body', change },
    effect: 'after',
    passes,
    shape: true,
    ...more,
  };
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
