import { describe, expect, test } from 'vitest';
import type { Problem } from '../../src/base/diagnostics/problem.ts';
import { parseAccount, startEmulator } from '../../src/emulator/index.ts';
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

  test('is refused with the place, what is allowed and what to write', () => {
    expect(told('id: hl_a\nzones:\n  shop:\n    typ: isp')).toBe(
      lines(
        'account.yaml:4:5: unknown key `typ` in `shop`',
        'at: zones.shop.typ',
        'allowed: type, password, ips, recentIps, asns, created, plan or spent',
        'fix: did you mean `type`?',
      ),
    );
  });

  const shop = (ips: string) => `id: hl_a\nzones: { shop: { ips: ${ips} } }`;
  const ana = (key: string) => `id: hl_a\nusers: [ana]\napiKeys: [{ permission: Ops, ${key} }]`;
  test.each([
    ['zones: {}', '1:1: `id` is missing', 'a text that begins with hl_'],
    ['id: example', '1:5: `id` is a string "example"', 'a text that begins with hl_'],
    [shop('{ us: [192.0.2.300] }'), '2:30: `us[0]` is a string "192.0.2.300"', 'an IPv4 address, or a range'],
    [shop('{ us: [192.0.2.4-192.0.2.1] }'), '2:30: `us[0]` is a string', 'a range from the lower to the higher'],
    [shop('{ us: [0.0.0.0-255.0.0.0] }'), '2:30: `us[0]` is a string', 'a range of at most 1,000,000 addresses'],
    [shop('{ us: 192.0.2.1 }'), '2:29: `us` is a string "192.0.2.1"', 'a list; each item: IPv4 address, or a range'],
    [shop('[{ ip: 192.0.2.1 }]'), '2:24: 192.0.2.1 without a country', 'exactly one of `country` and `countries`'],
    [
      shop('[{ ip: 192.0.2.1, country: us, countries: [us, us, us, ca] }]'),
      '2:24: 192.0.2.1 with `country` and `countries`',
      'exactly one of `country` and `countries`\n  fix: remove one of them',
    ],
    [shop('[{ ip: 192.0.2.1, countries: [us, us] }]'), '2:52: `countries` has 2 items', 'four country codes'],
    [shop('5'), '2:23: `ips` is a number 5', 'a list of addresses, or ranges by country'],
    [
      'id: hl_a\ncollectors: { c_a: { deliver: { type: webhook, endpoint: nope } } }',
      '2:58: `endpoint` is a string "nope"',
      'an http or https URL',
    ],
    ['id: hl_a\ndialect: { listingLag: { seconds: 5 } }', '2:24: `listingLag` is a map', '{ms: 500} or {listings: 2}'],
    [ana('user: bob'), '3:36: user `bob` is not in `users`', 'ana\n  fix: add the user to `users`'],
    [ana('user: anna'), '3:36: user `anna` is not in `users`', 'ana\n  fix: did you mean `ana`?'],
    [ana('user: ana, expiration: soon'), '3:53: `expiration` is a string "soon"', 'a date, a date and time, or'],
  ])('%j', (text, found, allowed) => {
    expect(told(text)).toContain(`account.yaml:${found}`);
    expect(told(text)).toContain(`allowed: ${allowed}`);
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
