import { describe, expect, test } from 'vitest';
import { parseAccount, readAccount, startEmulator } from '../../src/emulator/index.ts';
import type { Problem } from '../../src/input/problem.ts';

function problemsIn(text: string): readonly Problem[] {
  try {
    parseAccount(text, 'account.yaml');
  } catch (error) {
    return (error as { problems: Problem[] }).problems;
  }
  return [];
}

/** As a person reads them: `2:3 found; allowed`. */
const told = (text: string): string[] =>
  problemsIn(text).map(({ place, found, allowed }) => `${place?.line}:${place?.column} ${found}; ${allowed}`);

describe('an account file', () => {
  test('needs no more than an id', () => {
    expect(parseAccount('id: hl_example', 'account.yaml')).toMatchObject({ id: 'hl_example', zones: {}, users: [] });
  });

  test.each([
    ['zones: {}', '1:1 `id` is missing; a value of type string'],
    ['id: example', '1:5 `id` is "example"; a text that begins with hl_'],
    ['id: hl_a\nzones:\n  shop:\n    typ: isp', '4:5 unknown key `typ`; type, password, ips, recentIps, asns'],
    [
      'id: hl_a\nzones:\n  shop:\n    type: dsl',
      '4:11 `zones.shop.type` is "dsl"; datacenter, isp, residential, mobile, unlocker, search, browser',
    ],
    [
      'id: hl_a\nzones:\n  shop:\n    ips:\n      us: [192.0.2.10, 192.0.2.300]',
      '5:24 `zones.shop.ips.us[1]` is "192.0.2.300"; an IPv4 address, or a range such as 192.0.2.10-192.0.2.40',
    ],
    [
      'id: hl_a\nzones:\n  shop:\n    ips:\n      us: [192.0.2.40-192.0.2.10]',
      '5:12 `zones.shop.ips.us[0]` is "192.0.2.40-192.0.2.10"; a range from the lower address to the higher one',
    ],
    [
      'id: hl_a\nzones:\n  shop:\n    ips:\n      usa: [192.0.2.1]',
      '5:7 `zones.shop.ips.usa` is ["192.0.2.1"]; a two-letter country code',
    ],
    [
      'id: hl_a\nzones:\n  shop:\n    ips:\n      - { ip: 192.0.2.1 }',
      '5:9 `zones.shop.ips[0]` is {"ip":"192.0.2.1"}; exactly one of `country` and `countries`',
    ],
    ['id: hl_a\nzones: { a: { ips: 5 } }', '2:20 `zones.a.ips` is 5; a list of addresses, or ranges by country'],
    [
      'id: hl_a\ndialect: { listingLag: { seconds: 5 } }',
      '2:24 `dialect.listingLag` is {"seconds":5}; {ms: 500} or {listings: 2}',
    ],
    ['id: hl_a\nmanager: { ports: [70000] }', '2:20 `manager.ports[0]` is 70000; a port number'],
    ['id: hl_a\ndialect: { migrate: some }', '2:21 `dialect.migrate` is "some"; what-is-there, all-or-nothing'],
    [
      'id: hl_a\nusers: [ana]\napiKeys: [{ user: bob, permission: Ops }]',
      '3:19 `apiKeys[0].user` is "bob"; one of users: ana',
    ],
    [
      'id: hl_a\nusers: [ana]\napiKeys: [{ user: ana, permission: Ops, expiration: soon }]',
      '3:53 `apiKeys[0].expiration` is "soon"; a date, or unlimited',
    ],
  ])('%j', (text, message) => {
    expect(told(text)).toEqual([message]);
  });

  test('gives a user one key, and names both', () => {
    const key = '{ user: ana, permission: Ops }';
    expect(problemsIn(`id: hl_a\nusers: [ana, bob]\napiKeys:\n  - ${key}\n  - ${key}`)).toMatchObject([
      { allowed: 'one key a user', place: { line: 5, column: 13 }, also: [{ place: { line: 4, column: 13 } }] },
    ]);
  });

  test('has an IP in one zone, and names both', () => {
    const text =
      'id: hl_a\nzones:\n  a: { ips: { us: [192.0.2.1-192.0.2.9] } }\n  b: { ips: [{ ip: 192.0.2.5, country: de }] }';
    expect(problemsIn(text)).toMatchObject([
      {
        allowed: 'each IP once: 192.0.2.5 stands here again',
        place: { file: 'account.yaml', line: 4, column: 20 },
        also: [{ place: { line: 3, column: 20 } }],
      },
    ]);
  });

  test('that is not YAML says where', () => {
    expect(problemsIn('id: hl_a\nzones: [')).toMatchObject([{ place: { file: 'account.yaml', line: 2 } }]);
    expect(problemsIn('id: hl_a\nid: hl_b')).toMatchObject([{ place: { line: 2, column: 1 } }]);
  });

  test('shows no secret in a problem', () => {
    expect(told('id: hl_a\nzones: { a: { password: 12345678 } }')).toEqual([
      '2:25 `zones.a.password` is of type number; a value of type string',
    ]);
    const key = '{ user: ana, permission: Ops, value: 12345678 }';
    expect(told(`id: hl_a\nusers: [ana]\napiKeys: [${key}]`)).toEqual([
      '3:48 `apiKeys[0].value` is of type number; a value of type string',
    ]);
  });

  test('that is not there is named', async () => {
    await expect(readAccount('nowhere.yaml')).rejects.toMatchObject({
      problems: [{ found: 'no account file nowhere.yaml' }],
    });
  });
});

test('an account in code is checked too', async () => {
  await expect(startEmulator({ id: 'example' })).rejects.toMatchObject({
    problems: [{ code: 'invalid-value', path: ['id'] }],
  });
});
