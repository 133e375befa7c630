/** Mutations of real examples: text that is cut, doubled and mixed, and JSON with changed values. */
import type { Random } from './random.ts';

/** Applies several mutations, or occasionally none, so that valid inputs are tried too. */
export function mutatedText(random: Random, examples: readonly string[], tokens: readonly string[]): string {
  let text = random.pick(examples);
  for (let left = random.below(5); left > 0; left -= 1)
    text = random.pick(textMutations)(text, random, examples, tokens);
  return text.slice(0, longestText);
}

const longestText = 200_000;

type TextMutation = (text: string, random: Random, examples: readonly string[], tokens: readonly string[]) => string;

const textMutations: readonly TextMutation[] = [
  (text, random) => span(text, random, () => ''),
  (text, random) => span(text, random, (part) => part + part),
  (text, random, _, tokens) => span(text, random, () => random.pick(tokens)),
  (text, random, _, tokens) => inserted(text, random, random.pick(tokens)),
  (text, random, _, tokens) => inserted(text, random, random.pick(tokens)),
  (text, random) => inserted(text, random, random.pick(oddTexts)),
  (text, random, examples) => inserted(text, random, part(random.pick(examples), random)),
  (text, random) => text.slice(0, random.below(text.length + 1)),
  (text, random) => lines(text, random),
  (text, random) => text.replace(/-?\d+/g, (number) => (random.oneIn(6) ? random.pick(oddNumbers) : number)),
  (text, random) => inserted(text, random, String.fromCodePoint(random.below(random.oneIn(2) ? 0x80 : 0xd800))),
  (text, random) => inserted(text, random, part(text, random).repeat(1 + random.below(20))),
];

function span(text: string, random: Random, change: (part: string) => string): string {
  const start = random.below(text.length + 1);
  const end = Math.min(text.length, start + random.below(random.oneIn(4) ? 200 : 12));
  return text.slice(0, start) + change(text.slice(start, end)) + text.slice(end);
}

function inserted(text: string, random: Random, more: string): string {
  const at = random.below(text.length + 1);
  return text.slice(0, at) + more + text.slice(at);
}

function part(text: string, random: Random): string {
  const start = random.below(text.length + 1);
  return text.slice(start, start + random.below(80));
}

function lines(text: string, random: Random): string {
  const all = text.split('\n');
  const [from, to] = [random.below(all.length), random.below(all.length)];
  const [moved = ''] = all.splice(from, 1);
  all.splice(to, 0, random.oneIn(3) ? `  ${moved}` : moved);
  return all.join('\n');
}

/** Texts that often break programs. */
export const oddTexts: readonly string[] = [
  ...[
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'hasOwnProperty',
    'valueOf',
    '__defineGetter__',
    'then',
    'length',
  ],
  ...[
    '../',
    '../../../../etc/passwd',
    '..\\..\\',
    '/etc/passwd',
    '%2e%2e%2f',
    '%00',
    '\u0000',
    'file:///etc/passwd',
    '.',
    '..',
  ],
  ...['\u001b[2J', '\u202e', '\u2028', '\uFEFF', '\uD800', '\uDFFF', '😀', 'ß', 'İ', '\r\n', '\t', '\u0085'],
  ...[
    '${A}',
    '${',
    '$${A}',
    '${__proto__}',
    '${constructor}',
    '{{',
    '%s%n',
    '`id`',
    '$(id)',
    ';',
    '|',
    '&&',
    "'",
    '"',
    '\\',
  ],
  ...[
    'null',
    'undefined',
    'NaN',
    'Infinity',
    '-0',
    'true',
    '[]',
    '{}',
    '',
    ' ',
    '0',
    '1e999',
    '<script>',
    '*',
    '**',
    '(a+)+$',
  ],
  ...[
    '999.999.999.999',
    '0x7f.1',
    '::1',
    '192.0.2.10/33',
    '192.0.2.010',
    'a'.repeat(5000),
    '-'.repeat(300),
    '&a'.repeat(50),
  ],
];

export const oddNumbers: readonly string[] = [
  ...[
    '0',
    '-1',
    '1',
    '1.5',
    '-0',
    '1e308',
    '1e309',
    '-1e999',
    '9007199254740993',
    '99999999999999999999999999',
    '0.1e-400',
  ],
  ...['2147483648', '4294967296', '65536', '1e5', '0x10', '010', '1_000', '1n', '.5', '5.', '+1', '١', String(2 ** 53)],
];

/** Returns JSON in which some values, keys and lists are changed. */
export function mutatedJson(random: Random, example: unknown): string {
  let value = example;
  for (let left = random.below(4); left > 0; left -= 1) value = bent(value, random, 2 + random.below(6));
  const text = JSON.stringify(value) ?? '';
  return random.oneIn(12) ? span(text, random, () => random.pick(oddTexts)) : text;
}

/** Changes a value at a random depth. */
function bent(value: unknown, random: Random, depth: number): unknown {
  if (depth > 0 && Array.isArray(value) && value.length > 0) {
    const at = random.below(value.length);
    if (random.oneIn(8)) return listMutation(value, at, random);
    return value.map((item, index) => (index === at ? bent(item, random, depth - 1) : item));
  }
  if (depth > 0 && typeof value === 'object' && value !== null) {
    const entries = Object.entries(value);
    const at = random.below(Math.max(1, entries.length));
    if (entries.length === 0 || random.oneIn(5)) return Object.fromEntries(fieldMutation(entries, at, random));
    return Object.fromEntries(
      entries.map(([key, its], index) => [key, index === at ? bent(its, random, depth - 1) : its]),
    );
  }
  return oddValue(value, random);
}

function listMutation(list: readonly unknown[], at: number, random: Random): unknown[] {
  if (random.oneIn(3)) return list.filter((_, index) => index !== at);
  if (random.oneIn(2)) return [...list, list[at]];
  return [...list, oddValue(list[at], random)];
}

/** Changes a field. `Object.fromEntries` makes even `__proto__` an ordinary field. */
function fieldMutation(entries: readonly [string, unknown][], at: number, random: Random): [string, unknown][] {
  const [key = 'a', value] = entries[at] ?? [];
  const others = entries.filter((_, index) => index !== at);
  if (random.oneIn(3)) return others;
  if (random.oneIn(2)) return [...others, [random.pick(oddTexts), value]];
  return [
    ...entries,
    [random.pick(['__proto__', 'constructor', random.pick(oddTexts), `${key}x`]), oddValue(value, random)],
  ];
}

function oddValue(value: unknown, random: Random): unknown {
  if (typeof value === 'number' && random.oneIn(2)) return Number(random.pick(oddNumbers));
  if (typeof value === 'string' && random.oneIn(2)) return inserted(value, random, random.pick(oddTexts));
  return random.pick<() => unknown>([
    () => random.pick(oddTexts),
    () => Number(random.pick(oddNumbers)),
    () => null,
    () => random.oneIn(2),
    () => [],
    () => ({}),
    () => [value],
    () => ({ value }),
    () =>
      Object.fromEntries([
        ['__proto__', { polluted: true }],
        ['constructor', { prototype: { polluted: true } }],
      ]),
    () => nested(random.below(60), value),
  ])();
}

function nested(depth: number, value: unknown): unknown {
  return Array.from({ length: depth }).reduce<unknown>(
    (inner, _, index) => (index % 2 ? [inner] : { a: inner }),
    value,
  );
}
