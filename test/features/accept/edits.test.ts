// biome-ignore-all lint/suspicious/noTemplateCurlyInString: `${NAME}` is the syntax under test
/** The edits that write accepted values: into the right file of a base and its overlays, and never a secret. */
import { describe, expect, it } from 'vitest';
import { type DeclarationText, mergedSource, withValue } from '../../../src/features/accept/edits.ts';
import { shownProblems } from '../../engine/shownProblems.ts';

function edit(texts: readonly (string | DeclarationText)[], value: unknown, env = {}): string[] {
  const files = texts.map((text, index) => (typeof text === 'string' ? { file: `${index}.yaml`, text } : text));
  return withValue(files, ['managerSettings', 'main'], value, env).map(({ text }) => text);
}

describe('an accepted value is written', () => {
  it.each([
    ['in place of another', '  main: { logs: 5 } # mine\n', { logs: 7 }, '  main: { logs: 7 } # mine\n'],
    ['beside others', '  main:\n    logs: 5\n', { logs: 5, zone: 'a' }, '  main:\n    logs: 5\n    zone: a\n'],
    [
      'as a whole list',
      '  main: { whitelistIps: [a, b] }\n',
      { whitelistIps: ['b'] },
      '  main: { whitelistIps: [b] }\n',
    ],
    ['by leaving a key out', '  main:\n    logs: 5\n    zone: a\n', { logs: 5 }, '  main:\n    logs: 5\n'],
    ['where there was none', '  other: {}\n', { logs: 1 }, '  other: {}\n  main:\n    logs: 1\n'],
    ['nowhere if it is there already', '  main: {logs:   5}\n', { logs: 5 }, '  main: {logs:   5}\n'],
    ['by removing the resource', '  main: { logs: 5 }\n  other: {}\n', undefined, '  other: {}\n'],
  ])('%s', (_, before, value, after) => {
    expect(edit([`managerSettings:\n${before}`], value)).toEqual([`managerSettings:\n${after}`]);
  });
});

describe('new text has the quotes of the text beside it:', () => {
  const list = (text: string) => `  main: { whitelistIps: ${text} }\n`;
  it.each([
    ['an item', list('["a", "b"]'), { whitelistIps: ['c', 'b'] }, list('["c", "b"]')],
    ['an item in single quotes', list("['a']"), { whitelistIps: ['a', 'c'] }, list("['a', 'c']")],
    ['an item without quotes', list('[a]'), { whitelistIps: ['a', '5'] }, list('[a, "5"]')],
    [
      'an item of a block list',
      '  main:\n    whitelistIps:\n      - "a"\n',
      { whitelistIps: ['a', 'c'] },
      '  main:\n    whitelistIps:\n      - "a"\n      - "c"\n',
    ],
    ['a text', '  main: { zone: "a" }\n', { zone: 'b' }, '  main: { zone: "b" }\n'],
  ])('%s', (_, before, value, after) => {
    expect(edit([`managerSettings:\n${before}`], value)).toEqual([`managerSettings:\n${after}`]);
  });

  const json = (fields: object, indent = 2) => JSON.stringify({ managerSettings: { main: fields } }, undefined, indent);
  it.each([
    ['a value', { zone: null }, { zone: 'a' }],
    ['a number', { logs: 5 }, { logs: 7 }],
    ['a key', { logs: 5 }, { logs: 5, zone: 'a' }],
    ['a map with a list', { logs: 5 }, { logs: 5, zone: { a: [true, 'b'] } }],
    ['items', { whitelistIps: ['a'] }, { whitelistIps: ['b', 'c'] }],
    ['the first items', { whitelistIps: [] }, { whitelistIps: ['10.0.0.0/8'] }],
    ['the last items', { whitelistIps: ['a', 'b', 'c'] }, { whitelistIps: ['a'] }],
    ['the last key', { logs: 5, zone: 'a' }, { logs: 5 }],
    ['hidden characters', { zone: 'a' }, { zone: '\u0000\u0007\u001b\u0085\u202e\u{e0001}\n' }],
  ])('a JSON file stays one: %s', (_, before, after) => {
    for (const indent of [0, 2])
      expect(JSON.parse(edit([json(before, indent)], after)[0] ?? '')).toEqual(JSON.parse(json(after)));
  });
});

describe('of a base and its overlays,', () => {
  const base = 'managerSettings:\n  main:\n    logs: 5\n    zone: a\n';
  const overlay = 'managerSettings:\n  main:\n    logs: 6\n';

  it('the last file with a value is changed', () => {
    expect(edit([base, overlay], { logs: 7, zone: 'a' })).toEqual([base, overlay.replace('6', '7')]);
    expect(edit([base, overlay], { logs: 6, zone: 'b' })).toEqual([base.replace('zone: a', 'zone: b'), overlay]);
  });

  it('the last file with the map gets a new key', () => {
    const fields = { logs: 6, zone: 'a', whitelistIps: [] };
    const last = 'name: acme\n';
    expect(edit([base, overlay, last], fields)).toEqual([base, `${overlay}    whitelistIps: []\n`, last]);
  });

  it('an overlay removes a key of its base by null, and a key of its own by leaving it out', () => {
    expect(edit([base, overlay], { zone: 'a' })).toEqual([base, overlay.replace('6', 'null')]);
    const other = 'managerSettings:\n  main:\n    zone: a\n';
    expect(edit([other, `${overlay}    pool: 3\n`], { zone: 'a', logs: 6 })).toEqual([other, overlay]);
  });
});

describe('a value is not changed, and its text shown, if', () => {
  it.each<[string, string, unknown, string, string]>([
    ['it is an alias', '*shared', { logs: 7 }, '2:26', 'an alias or `<<` shares it'],
    ['it comes from `<<`', '{ <<: *shared, zone: a }', { zone: 'a' }, '2:26', '`<<` shares it'],
    ['it is the anchor', '&mine { logs: 5 }\n  third: *mine', { logs: 7 }, '3:23', 'other values would change with it'],
    [
      'a comment may belong to an item that goes',
      '\n    ips: [ # one\n      1]',
      { ips: [] },
      '4:10',
      'it has several lines, is empty, or has a comment in brackets',
    ],
    [
      'it has several lines',
      '\n    zone: >\n      a',
      { zone: 'b' },
      '4:11',
      'it has several lines, is empty, or has a comment in brackets',
    ],
    ['it is null', '\n    zone:', { zone: 'b' }, '4:5', 'it has several lines, is empty, or has a comment in brackets'],
    ['it is a variable', '{ logs: "${LOGS}" }', { logs: '7' }, '3:17', 'it comes from a variable'],
    ['an item that goes is a variable', '{ ips: [a, "${LOGS}"] }', { ips: ['a'] }, '3:16', 'it comes from a variable'],
  ])('%s', async (_, text, value, place, why) => {
    const shown = await shownProblems(() =>
      edit([`managerSettings:\n  other: &shared { logs: 5 }\n  main: ${text}\n`], value, { LOGS: '5' }),
    );
    expect(shown).toContain(`0.yaml:${place}: the value cannot be changed by a small edit: ${why}`);
    const [field = '', wanted] = Object.entries(Object(value)).at(-1) ?? [];
    const fix = text.includes('<<')
      ? 'remove `logs`'
      : `write ${field}: ${JSON.stringify(wanted).replace('"b"', 'b').replace('"a"', 'a')}`;
    expect(shown).toContain(`fix: ${fix} by hand`);
  });
});

it('a value of a JSON file is shown as JSON', async () => {
  const file = '{ "managerSettings": { "other": { "logs": 5 }, "main": { "zone": "${ZONE}" } } }\n';
  expect(await shownProblems(() => edit([file], { zone: 'b' }, { ZONE: 'a' }))).toContain(
    'fix: write "zone":"b" by hand',
  );
});

it('a map that an overlay replaces by a number is not changed into another map, which would be merged', async () => {
  const files = ['managerSettings:\n  main: { count: { us: 5 } }\n', 'managerSettings: { main: { count: 7 } }\n'];
  expect(edit(files, { count: { us: 6 } })[1]).toBe('managerSettings: { main: { count: {us: 6} } }\n');
  expect(await shownProblems(() => edit(files, { count: { de: 3 } }))).toMatchInlineSnapshot(`
    "1.yaml:1:35: the value comes from several files or from a shared value, and no small edit changes it alone
      at: managerSettings.main.count
      fix: write count: {de: 3} by hand, in one of the files only"
  `);
});

describe('a live value', () => {
  const env = { PROXY_TOKEN: 'abcd', WORD: 'elephant', SHORT: 'seven77', TINY_TOKEN: 'abc' };
  const text =
    'name: ${PROXY_TOKEN}${WORD}${SHORT}${TINY_TOKEN}\nmanagerSettings:\n  main:\n    zone: x-abcd\n    pool: 1\n    hooks: [{ token: "${PROXY_TOKEN}" }]\n';
  const fields = { zone: 'x-abcd', pool: 1, hooks: [{ token: 'abcd' }] };

  it.each<[string, object]>([
    ['of a secret variable', { zone: 'y-abcd' }],
    ['of a long variable', { note: 'an elephant' }],
    ['of a variable in a list', { list: ['a', { b: ['abcd'] }] }],
    ['with credentials in a URL', { url: 'http://user:pw@host/' }],
    ['of a field with a secret name', { password: 'x' }],
    ['of a field with a secret name inside', { hook: { token: 'x' } }],
    ['of a field with a secret name in a list', { hooks: [{ token: 'abcd' }, { token: 'x' }] }],
    ['of a field with a secret name in a map and a list', { hook: { hooks: [{ token: 'x' }] } }],
  ])('with a secret is not written: the value %s', async (_, more) => {
    const [field] = Object.keys(more);
    const shown = await shownProblems(() => edit([text], { ...fields, ...more }, env));
    expect(shown).toContain(`at: managerSettings.main.${field}`);
    expect(shown).toContain('the live value seems to hold a secret, which is not written into a file');
  });

  it.each<[string, object]>([
    ['that is there already', { hooks: [{ token: 'abcd' }, { token: { env: 'PROXY_TOKEN' } }, { logs: 7 }] }],
    ['with a short variable, which could be a word', { note: 'seven77' }],
    ['with a secret that is too short to tell', { note: 'abc' }],
    ['of a number', { pool: 2 }],
    ['that is empty', { note: null, list: [] }],
    ['that names a variable in place of a secret', { password: { env: 'A' }, headers: [{ token: { secret: 'B' } }] }],
  ])('is written: the value %s', (_, more) => {
    const [after] = edit([text], { ...fields, ...more }, env);
    const source = mergedSource([{ file: 'a', text: after ?? '' }], env);
    expect(source.value).toMatchObject({ managerSettings: { main: { ...fields, ...more } } });
    expect(after).toContain('{ token: "${PROXY_TOKEN}" }');
  });

  it('with a secret is refused with its location', async () => {
    expect(await shownProblems(() => edit([text], { ...fields, zone: 'abcd' }, env))).toMatchInlineSnapshot(`
      "0.yaml:4:11: the live value seems to hold a secret, which is not written into a file
        at: managerSettings.main.zone
        fix: write it by hand, with a variable in place of the secret"
    `);
    expect(await shownProblems(() => edit([text], { hook: { token: { env: 'A', x: 1 } } }, env))).toContain('secret');
  });
});
