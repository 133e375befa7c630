// biome-ignore-all lint/suspicious/noTemplateCurlyInString: `${NAME}` is the syntax under test
import { describe, expect, it } from 'vitest';
import { ProblemError } from '../../../src/base/diagnostics/problem.ts';
import { mergeSources, type ReadOptions, readYaml } from '../../../src/base/yaml/source.ts';
import { formatProblems } from '../../../src/report/text/problems.ts';

/** The whole report on a text that is refused. */
function reportOn(text: string, options?: ReadOptions): string {
  try {
    readYaml(text, 'w.yaml', options);
  } catch (error) {
    if (error instanceof ProblemError) return formatProblems(error.problems);
    throw error;
  }
  return 'nothing is wrong';
}

const read = (text: string, env?: Record<string, string>) => readYaml(text, 'w.yaml', env && { env }).value;

describe('readYaml: values', () => {
  it.each<[string, unknown]>([
    ['', {}],
    ['# only a comment', {}],
    ['~', {}],
    ['\uFEFFa: 1', { a: 1 }],
    ['a: 1\r\nb: two\r\n', { a: 1, b: 'two' }],
    ['a: [1, 1.5, true, null, ~, "10", no, 0o17, 0x1F]', { a: [1, 1.5, true, null, null, '10', 'no', 15, 31] }],
    ['a:\nb: {c, d: }', { a: null, b: { c: null, d: null } }],
    ['a: |\n  one\n  two\nb: >-\n  one\n  two', { a: 'one\ntwo\n', b: 'one two' }],
    ['a: &x [1]\nb: *x', { a: [1], b: [1] }],
    ['a: &x {p: 1, q: 2}\nb: {<<: *x, q: 3}', { a: { p: 1, q: 2 }, b: { p: 1, q: 3 } }],
    ['a: {<<: [{p: 1}, {p: 2, q: 2}], r: 3}', { a: { p: 1, q: 2, r: 3 } }],
    ['a: [\n  1\n]', { a: [1] }],
    ['constructor: 1\ntoString: 2', { constructor: 1, toString: 2 }],
    [`a: !!str 5`, { a: '5' }],
  ])('%j', (text, value) => {
    expect(read(text)).toEqual(value);
  });

  it('takes a variable for text when it is told of no environment', () => {
    expect(read('a: ${A}\nb: $${B}')).toEqual({ a: '${A}', b: '$${B}' });
  });

  it('reads 50,000 entries, and finds places in them, without looking twice at each', () => {
    const text = Array.from({ length: 50_000 }, (_, index) => `- 192.0.2.${index % 256}`).join('\n');
    const source = readYaml(text, 'w.yaml', { env: {} });
    for (let index = 0; index < 50_000; index += 1) source.locationOf([index]);
    expect(source.value).toHaveLength(50_000);
  });
});

it.each([
  'a:\u00a01',
  'a\u00a0: 1',
  'a: 1\u00a0',
  '-\u00a0a',
  'a: [1, 2\u3000]',
  'a: 1\u202f # b',
])('readYaml refuses a space that only looks like one: %j', (text) => {
  expect(() => readYaml(text, 'w.yaml')).toThrow('the text has an unusual space, U+');
});

it.each([
  'a: 10\u00a0000',
  'a: "\u00a0b"',
  'a: b # c\u00a0',
  'a: |\n  \u00a0b',
])('readYaml takes it as text where it is meant: %j', (text) => {
  expect(() => readYaml(text, 'w.yaml')).not.toThrow();
});

describe('readYaml: what is not YAML', () => {
  it.each<[string, string, string]>([
    [
      'an indentation with no-break spaces',
      'a:\n\u00a0 b: 1',
      'w.yaml:2:1: the text has an unusual space, U+00A0 (no-break space)\n  allowed: the space of the keyboard\n' +
        '  fix: replace it, or put the text in quotes if the space belongs to it',
    ],
    [
      'bad indentation',
      'a:\n  b: 1\n c: 2',
      'w.yaml:3:1: the line is not aligned with its neighbours\n' +
        '  fix: start all entries of one map or list in the same column, with spaces',
    ],
    [
      'a second value in a line',
      'a: b: c',
      'w.yaml:1:4: the line has a second `: `\n' +
        '  fix: put the text in quotes, or start the inner map on a line of its own, indented',
    ],
    [
      'a line under a key with a value',
      'a: 1\n b: 2',
      'w.yaml:2:2: the line is indented under a key that already has a value\n' +
        '  fix: start it in the column of that key, or remove the value',
    ],
    [
      'an open quote, placed where it opens',
      'a: 1\nb: "x\nc: 2',
      'w.yaml:2:4: the quote is never closed\n  fix: close it on the line where the text ends',
    ],
    [
      'an open bracket, placed where it opens',
      'a: 1\nb: {c: [1, 2}',
      'w.yaml:2:8: `[` is never closed\n' +
        '  fix: close it with `]`, and indent its lines more than the key that it belongs to',
    ],
    ['a reserved character', 'a: @x', 'w.yaml:1:4: a value cannot start with `@`\n  fix: put the text in quotes'],
    [
      'an escape that is none',
      String.raw`a: "\d"`,
      "w.yaml:1:5: `\\d` is not an escape in double quotes\n  fix: write \\\\ for a backslash, or use single quotes: '…'",
    ],
    [
      'a second document',
      'a: 1\n---\nb: 2',
      'w.yaml:2:1: the file has a second document\n  allowed: one document in each file\n' +
        '  fix: remove this line, or put the second document in a file of its own',
    ],
    [
      'a key without a colon',
      'a: 1\nfoo\nb: 2',
      'w.yaml:2:1: the line is neither `key: value` nor a list item\n' +
        '  fix: write `key: value`, with a space after the colon, or indent it under the key that it belongs to',
    ],
    [
      'a list on the line of its key',
      'a: - 1',
      'w.yaml:1:4: the list starts on the line of its key\n' +
        '  fix: start the list on the next line, or write it as [a, b]',
    ],
    [
      'a bracket too many',
      'a: [1]]',
      'w.yaml:1:7: unexpected `]`\n' +
        '  fix: put the text in quotes if it belongs to a value; else remove it or correct the text before it',
    ],
    [
      'a tag',
      'a: !Ref x',
      'w.yaml:1:4: the tag `!Ref` cannot be used here\n' +
        '  fix: remove it, or put the text in quotes if the ! belongs to it',
    ],
    [
      'YAML 1.1',
      '%YAML 1.1\n---\na: yes',
      'w.yaml:1:1: the file asks for YAML 1.1\n  allowed: YAML 1.2\n  fix: remove the %YAML line',
    ],
    [
      'a control character',
      'a: 1\nb: x\u001b[31m',
      'w.yaml:2:5: a control character, U+001B\n  allowed: text in UTF-8\n' +
        '  fix: remove it, or write it as an escape in double quotes: "\\x1b"',
    ],
    [
      'more than one mistake',
      'a: @x\nb:\n\tc: 1',
      'w.yaml:1:4: a value cannot start with `@`\n  fix: put the text in quotes\n' +
        'w.yaml:3:1: the indentation has a tab\n  allowed: spaces\n  fix: replace the tab by spaces',
    ],
  ])('%s', (_, text, report) => {
    expect(reportOn(text)).toBe(report);
  });
});

describe('readYaml: what is YAML and yet refused', () => {
  it.each<[string, string, string]>([
    [
      'a key twice',
      'zones:\n  a: {b: 1}\n  "a": 2',
      'w.yaml:3:3: the key `a` appears twice in one map\n  at: zones.a\n  fix: remove one of them, or merge their values\n' +
        '  also: w.yaml:2:3 first `a`',
    ],
    ['a number as key', '1: x', 'w.yaml:1:1: the key `1` is not text\n  allowed: text\n  fix: put it in quotes: "1"'],
    ['no key', 'a:\n  : x', 'w.yaml:2:3: a key is not text\n  allowed: text\n  fix: write a name before the colon'],
    ['a list as key', '[a]: x', 'w.yaml:1:1: a key is not text\n  allowed: text\n  fix: write a name before the colon'],
    [
      'a key that JavaScript reserves',
      '__proto__: {a: 1}',
      'w.yaml:1:1: `__proto__` cannot be a key\n  fix: choose another name',
    ],
    [
      'an alias of nothing',
      'a: &base 1\nb: *bas',
      'w.yaml:2:4: `*bas` refers to an anchor that is not defined before it\n  fix: did you mean `*base`?',
    ],
    [
      'an alias in itself',
      'a: &x {b: [*x]}',
      'w.yaml:1:12: the alias `*x` is inside its own anchor\n  at: a.b[0]\n' +
        '  fix: move the alias out of it, or write out the value',
    ],
    [
      'a merge of no map',
      'a: {<<: 1}',
      'w.yaml:1:9: the value of `<<` is not a map\n' +
        '  allowed: an alias of a map, or a list of them: <<: [*a, *b]\n' +
        '  fix: anchor a map with & and name it here with *, or remove this line',
    ],
  ])('%s', (_, text, report) => {
    expect(reportOn(text)).toContain(report);
  });

  it('aliases of aliases that would fill the memory', () => {
    const names = [...'abcdefghijk'];
    const lines = names.map(
      (name, index) => `${name}: &${name} [${Array(10).fill(index === 0 ? 'x' : `*${names[index - 1]}`)}]`,
    );
    expect(reportOn(lines.join('\n'))).toBe(
      'w.yaml:5:29: the aliases in this file expand to too many values\n  at: e[7]\n' +
        '  allowed: 100,000 values repeated by aliases\n  fix: write out what differs, and use fewer aliases of aliases',
    );
  });

  it('merges that would take forever', () => {
    const keys = Array.from({ length: 2000 }, (_, index) => `k${index}: 1`);
    const merges = Array.from({ length: 2000 }, (_, index) => `m${index}: {<<: *all}`);
    const text = `all: &all {${keys.join(', ')}}\n${merges.join('\n')}`;
    expect(reportOn(text)).toContain('the aliases in this file expand to too many values');
  });

  it.each([150, 100_000])('%d levels', (levels) => {
    expect(reportOn('['.repeat(levels) + ']'.repeat(levels))).toMatch(
      /^w\.yaml:1:\d+: maps and lists are nested too deeply$/m,
    );
  });

  it('more than 4 MiB', () => {
    expect(reportOn(`a: ${'x'.repeat(5 * 2 ** 20)}`)).toBe(
      'w.yaml:1:1: the file has 5.0 MiB\n  allowed: 4 MiB\n' +
        '  fix: split it into a base and overlays, or check that it is the right file',
    );
  });

  it('reports a hundred problems, and that there are more', () => {
    const report = reportOn('a: ]\n'.repeat(300));
    expect(report.match(/^w\.yaml:/gm)).toHaveLength(100);
    expect(report).toContain(
      '\nthere are more problems than these 100\n  fix: correct these first; many of the others may follow from them',
    );
  });
});

describe('readYaml: variables', () => {
  const env = { KEY: 'k: [1] # "x"', PORT: '24000', ON: 'true', NULL: 'null', EMPTY: '', WEBDATA_API_KEY: 'abc' };

  it.each<[string, unknown]>([
    ['a: ${PORT}', { a: 24000 }],
    ['a: "${PORT}"', { a: '24000' }],
    ['a: http://localhost:${PORT}/', { a: 'http://localhost:24000/' }],
    ['a: ${ON}', { a: true }],
    // Or a variable could take a key away in an overlay.
    ['a: ${NULL}', { a: 'null' }],
    ['a: ${KEY}', { a: 'k: [1] # "x"' }],
    ['a: $${PORT} ${PORT}', { a: '${PORT} 24000' }],
    ['a: |\n  ${PORT}', { a: '24000\n' }],
    ['a: 1 # ${NOWHERE}', { a: 1 }],
    ['${PORT}: 1', { '${PORT}': 1 }],
    ['a: &x ${PORT}\nb: *x', { a: 24000, b: 24000 }],
    ['a: $PORT $(PORT) {PORT}', { a: '$PORT $(PORT) {PORT}' }],
  ])('%j', (text, value) => {
    expect(read(text, env)).toEqual(value);
  });

  it('remembers what was put in', () => {
    const source = readYaml('a: ${PORT}\nb: x${KEY}', 'w.yaml', { env });
    expect([...source.secrets.values()]).toEqual(['PORT', 'KEY']);
    expect(source.secrets).toEqual(
      new Map([
        ['24000', 'PORT'],
        ['k: [1] # "x"', 'KEY'],
      ]),
    );
    expect([source.written(['a']), source.written(['b']), source.written(['c'])]).toEqual([
      '${PORT}',
      'x${KEY}',
      undefined,
    ]);
  });

  it('reports all that is wrong with them, each at its column', () => {
    const text = [
      'service:',
      '  apiKey: ${WEBDATA_API_KY}',
      '  url: "http://${EMPTY}:$${EMPTY}${"',
      'c: >- # ${NOWHERE}',
      '  one',
      '  two ${constructor}',
      'd: ${PORT:-80}',
    ].join('\n');
    expect(reportOn(text, { env })).toBe(
      [
        'w.yaml:2:11: the environment variable `WEBDATA_API_KY` is not set',
        '  at: service.apiKey',
        '  fix: did you mean `WEBDATA_API_KEY`? If not: `export WEBDATA_API_KY=VALUE`, or write `$${WEBDATA_API_KY}` for the literal text',
        'w.yaml:3:16: the environment variable `EMPTY` is empty',
        '  at: service.url',
        '  fix: `export EMPTY=VALUE`, or write `$${EMPTY}` for the literal text',
        'w.yaml:3:34: `${` is not a variable',
        '  at: service.url',
        '  allowed: `${NAME}`, where NAME has letters, digits and _, not starting with a digit',
        '  fix: write `$${` for a literal `${`',
        'w.yaml:6:7: the environment variable `constructor` is not set',
        '  fix: `export constructor=VALUE`, or write `$${constructor}` for the literal text',
        'w.yaml:7:4: `${PORT:-80}` is not a variable',
        '  allowed: `${NAME}`, where NAME has letters, digits and _, not starting with a digit',
        '  fix: write `$${` for a literal `${`',
      ].join('\n'),
    );
  });

  it('places a variable at its scalar where escapes hide where it stands', () => {
    expect(reportOn(String.raw`a: "x \x24{B}"`, { env: {} })).toMatch(
      /^w\.yaml:1:4: the environment variable `B` is not set/,
    );
  });
});

describe('locationOf', () => {
  const text = [
    'base: &base',
    '  logs: 10',
    'managerSettings:',
    '  local:',
    '    <<: *base',
    '    zone:',
    '    ports: [1,',
    '      2]',
  ].join('\n');
  const source = readYaml(text, 'w.yaml');

  it.each<[string, PropertyKey[], 'key' | 'value', string]>([
    ['the whole file', [], 'value', '1:1'],
    ['a key', ['managerSettings', 'local'], 'key', '4:3'],
    ['a map', ['managerSettings', 'local'], 'value', '5:5'],
    ['an item', ['managerSettings', 'local', 'ports', 1], 'value', '8:7'],
    ['the key of an item: the item', ['managerSettings', 'local', 'ports', 1], 'key', '8:7'],
    ['what a merge brings in', ['managerSettings', 'local', 'logs'], 'value', '2:9'],
    ['a value that is not there: its key', ['managerSettings', 'local', 'zone'], 'value', '6:5'],
    ['a path that does not exist: its nearest ancestor', ['managerSettings', 'local', 'nope', 'x'], 'value', '4:3'],
    ['a path through a scalar', ['base', 'logs', 'x'], 'value', '2:3'],
    ['an item that does not exist', ['managerSettings', 'local', 'ports', 7], 'value', '7:5'],
    ['a name that every object has', ['base', 'constructor'], 'value', '1:1'],
  ])('%s', (_, path, what, place) => {
    const { line, column } = source.locationOf(path, what);
    expect(`${line}:${column}`).toBe(place);
  });
});

describe('mergeSources', () => {
  const merge = (...texts: string[]) => mergeSources(texts.map((text, index) => readYaml(text, `${index}.yaml`)));

  it.each<[string, string[], unknown]>([
    ['nothing', [], {}],
    ['maps by key', ['a: {b: 1, c: 2}', 'a: {c: 3, d: 4}\ne: 5'], { a: { b: 1, c: 3, d: 4 }, e: 5 }],
    ['lists are replaced', ['a: [1, 2]', 'a: [3]'], { a: [3] }],
    ['a map by a scalar and back', ['a: {b: 1}', 'a: 1', 'a: {c: 2}'], { a: { c: 2 } }],
    ['null takes away', ['a: {b: 1, c: 2}', 'a: {b: null}'], { a: { c: 2 } }],
    ['null in what an overlay adds', ['a: 1', 'b: {c: null, d: 2}'], { a: 1, b: { d: 2 } }],
    ['null of the base stays', ['a: null', 'b: 1'], { a: null, b: 1 }],
    ['null in a list stays', ['a: [1]', 'a: [null]'], { a: [null] }],
    ['an empty overlay', ['a: 1', '# nothing'], { a: 1 }],
  ])('%s', (_, texts, value) => {
    expect(merge(...texts).value).toEqual(value);
  });

  it('places each path in the file that supplied it', () => {
    const merged = merge('a:\n  b: 1\n  c: 2\n  gone: 3', 'x: 0\na:\n  c: 3\n  d: {e: 4}\n  gone: null');
    const place = (...path: PropertyKey[]) => {
      const { file, line, column } = merged.locationOf(path);
      return `${file}:${line}:${column}`;
    };
    expect(place('a', 'b')).toBe('0.yaml:2:6');
    expect(place('a', 'c')).toBe('1.yaml:3:6');
    expect(place('a', 'd', 'e')).toBe('1.yaml:4:10');
    expect(place('a', 'd', 'nope')).toBe('1.yaml:4:3');
    expect(place('a', 'nope')).toBe('0.yaml:1:1');
    // Who misses the key wants to know who took it away.
    expect(place('a', 'gone')).toBe('1.yaml:5:9');
    expect(merged.written(['a', 'c'])).toBe('3');
  });
});
