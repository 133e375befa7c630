/** Faults: answers with another shape, size, encoding or protocol. */
import { type FaultKind, page } from './kind.ts';

const shapes: FaultKind[] = [
  shape('invalid JSON', half, {
    passes: true,
    message: /with malformed JSON|broke off|not JSON|unexpected shape|is not ready/,
  }),
  shape('text', () => 'The service is resting.', {
    message: /with text instead of JSON|unexpected shape|not ready: The service|: The service is resting/,
  }),
  shape('an empty body', () => '', { message: /with an empty body|unexpected shape|an empty answer/ }),
  shape('an HTML page', () => page('Sign in'), {
    message: /an HTML page instead of (JSON|CSV): Sign in|is still there after its deletion/,
  }),
  {
    ...shape('an HTML page before the effect', () => page('Sign in'), {
      message: /an HTML page instead of (JSON|CSV): Sign in|is still there after its deletion/,
    }),
    effect: 'before',
  },
  shape('another type', (text) => (text.trimStart().startsWith('[') ? '{"rows":17}' : '[17]'), {
    isJson: true,
    message: /unexpected shape|not an object/,
  }),
  shape('null', () => 'null', { isJson: true, message: /unexpected shape|instead of JSON|not ready: null|: null/ }),
  shape('fields of other types', otherTypes, {
    isJson: true,
    // A job whose ID has another type never has a result.
    message: /unexpected shape|not an object|no result after the maximum wait/,
  }),
];

const encodings: FaultKind[] = [
  {
    // Labelled as gzip, but not compressed: clients read it as plain text.
    ...shape('gzip that is none', (text) => text, { harmless: true, message: /^/ }),
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
    message: /more than \d+ bytes|with text instead of JSON/,
  },
  {
    name: 'a small gzip that is a huge body',
    group: 'size and encoding',
    play: { as: 'zeros', compressed: true },
    effect: 'after',
    passes: false,
    shape: true,
    heavy: true,
    message: /more than \d+ bytes|with text instead of JSON/,
  },
  {
    name: 'a declared size of a terabyte',
    group: 'size and encoding',
    play: { as: 'declared size' },
    effect: 'after',
    passes: false,
    shape: true,
    message: /more than \d+ bytes/,
  },
  {
    name: 'no HTTP',
    group: 'missing or unusual HTTP',
    play: { as: 'no HTTP' },
    effect: 'before',
    passes: false,
    message: /something other than HTTP/,
  },
  {
    name: 'a megabyte of headers',
    group: 'missing or unusual HTTP',
    play: { as: 'many headers' },
    effect: 'after',
    passes: true,
    message: /headers/i,
  },
  {
    name: 'early hints',
    group: 'missing or unusual HTTP',
    play: { as: 'early hints' },
    effect: 'after',
    passes: false,
    harmless: true,
    message: /^/,
  },
  {
    name: 'the last answer of its connection',
    group: 'missing or unusual HTTP',
    play: { as: 'last of its connection' },
    effect: 'after',
    passes: false,
    harmless: true,
    message: /^/,
  },
];

export const bodies: readonly FaultKind[] = [...shapes, ...encodings];

function shape(
  name: string,
  change: (text: string) => string,
  { passes = false, ...more }: Partial<FaultKind> & Pick<FaultKind, 'message'>,
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

/** Turns numbers into texts and texts into numbers, at every depth. */
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
