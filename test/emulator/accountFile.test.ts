import { describe, expect, test } from 'vitest';
import type { Problem } from '../../src/base/diagnostics/problem.ts';
import { parseAccount, readAccount, startEmulator } from '../../src/emulator/index.ts';
import { formatProblems } from '../../src/report/text/problems.ts';

function problemsIn(text: string): readonly Problem[] {
  try {
    parseAccount(text, 'account.yaml');
  } catch (error) {
    return (error as { problems: Problem[] }).problems;
  }
  return [];
}

/** As a person reads them. */
const told = (text: string): string => formatProblems(problemsIn(text));

/** The report on one problem. */
const lines = (first: string, ...details: string[]): string => [first, ...details].join('\n  ');

describe('an account file', () => {
  test('requires only an id', () => {
    expect(parseAccount('id: hl_example', 'account.yaml')).toMatchObject({ id: 'hl_example', zones: {}, users: [] });
  });

  test.each([
    [
      'zones: {}',
      lines('account.yaml:1:1: `id` is missing', 'allowed: a text that begins with hl_', 'fix: add `id: …` here'),
    ],
    ['id: example', lines('account.yaml:1:5: `id` is a string "example"', 'allowed: a text that begins with hl_')],
    [
      'id: hl_a\nzones:\n  shop:\n    typ: isp',
      lines(
        'account.yaml:4:5: unknown key `typ` in `shop`',
        'at: zones.shop.typ',
        'allowed: type, password, ips, recentIps, asns, created, plan or spent',
        'fix: did you mean `type`?',
      ),
    ],
    [
      'id: hl_a\nzones:\n  shop:\n    type: dsl',
      lines(
        'account.yaml:4:11: `type` is a string "dsl"',
        'at: zones.shop.type',
        'allowed: datacenter, isp, residential, mobile, unlocker, search or browser',
      ),
    ],
    [
      'id: hl_a\nzones:\n  shop:\n    ips:\n      us: [192.0.2.10, 192.0.2.300]',
      lines(
        'account.yaml:5:24: `us[1]` is a string "192.0.2.300"',
        'at: zones.shop.ips.us[1]',
        'allowed: an IPv4 address, or a range such as 192.0.2.10-192.0.2.40',
      ),
    ],
    [
      'id: hl_a\nzones:\n  shop:\n    ips:\n      us: [192.0.2.40-192.0.2.10]',
      lines(
        'account.yaml:5:12: `us[0]` is a string "192.0.2.40-192.0.2.10"',
        'at: zones.shop.ips.us[0]',
        'allowed: a range from the lower to the higher address',
      ),
    ],
    [
      'id: hl_a\ncollectors:\n  c_a:\n    deliver: { type: webhook, endpoint: nope }',
      lines(
        'account.yaml:4:41: `endpoint` is a string "nope"',
        'at: collectors.c_a.deliver.endpoint',
        'allowed: an http or https URL',
      ),
    ],
    [
      'id: hl_a\nzones:\n  shop:\n    ips:\n      us: [0.0.0.0-255.0.0.0]',
      lines(
        'account.yaml:5:12: `us[0]` is a string "0.0.0.0-255.0.0.0"',
        'at: zones.shop.ips.us[0]',
        'allowed: a range of at most 1,000,000 addresses',
      ),
    ],
    [
      'id: hl_a\nzones:\n  shop:\n    ips:\n      us: 192.0.2.1',
      lines(
        'account.yaml:5:11: `us` is a string "192.0.2.1"',
        'at: zones.shop.ips.us',
        'allowed: a list; each item: IPv4 address, or a range of them',
        'fix: write it as a list: [192.0.2.1]',
      ),
    ],
    [
      'id: hl_a\nzones:\n  shop:\n    ips:\n      usa: [192.0.2.1]',
      lines(
        'account.yaml:5:7: `usa` cannot be a name here',
        'at: zones.shop.ips.usa',
        'allowed: a two-letter country code',
      ),
    ],
    [
      'id: hl_a\nzones:\n  shop:\n    ips:\n      - { ip: 192.0.2.1 }',
      lines(
        'account.yaml:5:9: 192.0.2.1 without a country',
        'at: zones.shop.ips[0]',
        'allowed: exactly one of `country` and `countries`',
        'fix: add `country: …` here',
      ),
    ],
    [
      'id: hl_a\nzones:\n  shop:\n    ips:\n      - { ip: 192.0.2.1, country: us, countries: [us, us, us, ca] }',
      lines(
        'account.yaml:5:9: 192.0.2.1 with `country` and `countries`',
        'at: zones.shop.ips[0]',
        'allowed: exactly one of `country` and `countries`',
        'fix: remove one of them',
      ),
    ],
    [
      'id: hl_a\nzones:\n  shop:\n    ips:\n      - { ip: 192.0.2.1, countries: [us, us] }',
      lines(
        'account.yaml:5:37: `countries` has 2 items',
        'at: zones.shop.ips[0].countries',
        'allowed: four country codes',
      ),
    ],
    [
      'id: hl_a\nzones: { a: { ips: 5 } }',
      lines(
        'account.yaml:2:20: `ips` is a number 5',
        'at: zones.a.ips',
        'allowed: a list of addresses, or ranges by country',
      ),
    ],
    [
      'id: hl_a\ndialect: { listingLag: { seconds: 5 } }',
      lines(
        'account.yaml:2:24: `listingLag` is a map',
        'at: dialect.listingLag',
        'allowed: {ms: 500} or {listings: 2}',
      ),
    ],
    [
      'id: hl_a\nmanager: { ports: [70000] }',
      lines(
        'account.yaml:2:20: `ports[0]` is a number 70000',
        'at: manager.ports[0]',
        'allowed: an integer from 1 to 65535',
      ),
    ],
    [
      'id: hl_a\ndialect: { migrate: some }',
      lines(
        'account.yaml:2:21: `migrate` is a string "some"',
        'at: dialect.migrate',
        'allowed: what-is-there or all-or-nothing',
      ),
    ],
    [
      'id: hl_a\nusers: [ana]\napiKeys: [{ user: bob, permission: Ops }]',
      lines(
        'account.yaml:3:19: user `bob` is not in `users`',
        'at: apiKeys[0].user',
        'allowed: ana',
        'fix: add the user to `users`',
      ),
    ],
    [
      'id: hl_a\nusers: [ana]\napiKeys: [{ user: anna, permission: Ops }]',
      lines(
        'account.yaml:3:19: user `anna` is not in `users`',
        'at: apiKeys[0].user',
        'allowed: ana',
        'fix: did you mean `ana`?',
      ),
    ],
    [
      'id: hl_a\nusers: [ana]\napiKeys: [{ user: ana, permission: Ops, expiration: soon }]',
      lines(
        'account.yaml:3:53: `expiration` is a string "soon"',
        'at: apiKeys[0].expiration',
        'allowed: a date, a date and time, or unlimited',
      ),
    ],
  ])('%j', (text, report) => {
    expect(told(text)).toBe(report);
  });

  test('may give a user one key only; the error names both keys', () => {
    const key = '{ user: ana, permission: Ops }';
    expect(told(`id: hl_a\nusers: [ana, bob]\napiKeys:\n  - ${key}\n  - ${key}`)).toBe(
      lines(
        'account.yaml:5:13: a second key of `ana`',
        'at: apiKeys[1].user',
        'allowed: one key per user',
        'fix: remove one of them, or name another user',
        'also: account.yaml:4:13 is the first',
      ),
    );
  });

  test('may have an IP in one zone only; the error names both zones', () => {
    const text =
      'id: hl_a\nzones:\n  a: { ips: { us: [192.0.2.1-192.0.2.9] } }\n  b: { ips: [{ ip: 192.0.2.5, country: de }] }';
    expect(told(text)).toBe(
      lines(
        'account.yaml:4:20: 192.0.2.5 is declared twice',
        'at: zones.b.ips[0].ip',
        'allowed: each IP once, in one zone',
        'fix: remove it from one of the two zones',
        'also: account.yaml:3:20 is the other one',
      ),
    );
  });

  test('that is not YAML says where', () => {
    expect(problemsIn('id: hl_a\nzones: [')).toMatchObject([{ place: { file: 'account.yaml', line: 2 } }]);
    expect(problemsIn('id: hl_a\nid: hl_b')).toMatchObject([{ place: { line: 2, column: 1 } }]);
  });

  test('shows no secret in a problem', () => {
    const aNumber = ['allowed: a string', 'fix: put it in quotes'];
    expect(told('id: hl_a\nzones: { a: { password: 12345678 } }')).toBe(
      lines('account.yaml:2:25: `password` is a number', 'at: zones.a.password', ...aNumber),
    );
    const key = '{ user: ana, permission: Ops, value: 12345678 }';
    expect(told(`id: hl_a\nusers: [ana]\napiKeys: [${key}]`)).toBe(
      lines('account.yaml:3:48: `value` is a number', 'at: apiKeys[0].value', ...aNumber),
    );
    expect(told('id: hl_a\nmanager: { token: 12345678, settings: { password: 12345678 } }')).toBe(
      [
        lines('account.yaml:2:19: `token` is a number', 'at: manager.token', ...aNumber),
        lines('account.yaml:2:51: `password` is a number', 'at: manager.settings.password', ...aNumber),
      ].join('\n'),
    );
  });

  test('that is not there is named', async () => {
    await expect(readAccount('nowhere.yaml')).rejects.toMatchObject({
      problems: [
        {
          code: 'unreadable-file',
          found: 'account file nowhere.yaml does not exist',
          allowed: 'a YAML file with an account',
          fix: 'check the name of the file',
        },
      ],
    });
  });
});

test('an account in code is checked too', async () => {
  await expect(startEmulator({ id: 'example' })).rejects.toMatchObject({
    problems: [
      {
        code: 'wrong-format',
        found: '`id` is a string "example"',
        allowed: 'a text that begins with hl_',
        path: ['id'],
      },
    ],
  });
});
