/** What the user sees of a wrong declaration, and what else the file decides: zones, accounts, variables. */
import { describe, expect, it } from 'vitest';
import { readYaml } from '../../../src/base/yaml/source.ts';
import { type Config, configOf } from '../../../src/engine/declaration/config.ts';
import { accountName, type Settings } from '../../../src/engine/declaration/connection.ts';
import { shownProblems } from '../shownProblems.ts';

function read(yaml: string, settings: Settings = { env: {} }): Config {
  return configOf(readYaml(yaml, 'w.yaml', { env: settings.env }), settings);
}

describe('problems of the file are shown with their places and fixes:', () => {
  const shown = (yaml: string) => shownProblems(() => read(yaml));

  it('a missing owner', async () => {
    expect(
      await shown('service: {}\nwebhookDeliveries: { a: { endpoint: "https://b.example" } }'),
    ).toMatchInlineSnapshot(`
      "w.yaml:2:1: resources of the trigger service need an owner, but the file has no \`name\`
        allowed: a \`name\` at the top of the file
        fix: add \`name: …\`: all files with the same name own the same registrations"
    `);
  });

  it('a password', async () => {
    expect(await shown('backend: postgres://u:hunter2@db.example.com/x')).toMatchInlineSnapshot(`
      "w.yaml:1:10: the address of the backend contains a password
        allowed: an address without a password, or with a variable in its place
        fix: set PGPASSWORD, or set WEBDATA_BACKEND to the whole address, and change the password: it may be known"
    `);
    const query = 'backend: "postgres://db/x?sslmode=require&PASSWORD=hunter2"';
    expect(await shown(query)).toContain('the address of the backend contains a password');
    for (const address of [
      'postgres://db/a:b@c',
      's3://bucket/x?a:b@c',
      'a/b://c:d@e',
      'postgres://u@db/x?passwords=1',
    ])
      expect([address, (await shown(`backend: "${address}"`)).includes('password')]).toEqual([address, false]);
  });

  it('prices', async () => {
    expect(await shown('prices: { move: 0 }')).toBe('');
    expect(await shown('prices: { currency: EURO, move: -1, targets: { x_a: 1, c_a: -1 } }')).toMatchInlineSnapshot(`
      "w.yaml:1:21: \`currency\` is a string "EURO"
        at: prices.currency
        allowed: a currency code such as USD
      w.yaml:1:33: \`move\` is a number -1
        at: prices.move
        allowed: a number of at least 0
      w.yaml:1:48: \`x_a\` cannot be a name here
        at: prices.targets.x_a
        allowed: the ID of a collector or a dataset
      w.yaml:1:61: \`c_a\` is a number -1
        at: prices.targets.c_a
        allowed: a number of at least 0"
    `);
    expect(await shown('prices: { currency: xUSD, targets: { xc_a: 1 } }')).toContain('a currency code such as USD');
    expect(await shown('prices: { currency: USD, trigger: 0, targets: { c_a: 0, gd_b: 2 } }')).toBe('');
  });

  it('names', async () => {
    expect(await shown('managerSettings: { ok.a-1: {}, 9_b: { url: "http://m.example" } }')).toBe('');
    for (const name of ['a b', '_a', 'a/', '/a', 'ä']) {
      expect(await shown(`managerSettings: { "${name}": {} }`)).toContain(
        'a name of letters, digits, ".", "_" and "-"',
      );
    }
    // Names become names of folders and objects.
    for (const name of ['eu west', 'eu/west', '../eu', '-eu', '.eu', ' eu', 'eu '])
      expect(await shown(`account: "${name}"`)).toContain('a name of letters, digits, ".", "_" and "-"');
    expect(await shown('account: 9.eu_West-1')).toBe('');
  });

  it('URLs of another protocol, and empty texts', async () => {
    for (const url of ['httpx://a.example', 'xhttp://a.example', 'a.example'])
      expect(await shown(`manager: { url: "${url}" }`)).toContain('1:17: ');
    expect(
      await shown('service: { url: "http://a.example", apiKey: "" }\nname: ""\nbackend: ""'),
    ).toMatchInlineSnapshot(`
      "w.yaml:1:45: \`apiKey\` has 0 characters
        at: service.apiKey
        allowed: at least 1 character
      w.yaml:2:7: \`name\` has 0 characters
        allowed: at least 1 character
      w.yaml:3:10: \`backend\` has 0 characters
        allowed: at least 1 character"
    `);
  });

  it('credentials in them are not shown', async () => {
    const yaml = 'managerSettings: { a: { url: "nonsense://u:hunter2@m.example" } }\nnonsense: 1';
    const text = await shown(yaml);
    expect(text).toContain('***@m.example');
    expect(text).not.toContain('hunter2');
  });
});

describe('details of zones', () => {
  it('are the types and the callers of those that have some', () => {
    const { service, allowedCallers } = read(
      'service: { zones: { a: { type: isp }, b: { allowedCallers: [10.0.0.0/8] }, c: {}, d: { allowedCallers: [] } } }',
    );
    expect(service.zoneTypes).toStrictEqual({ a: 'isp' });
    expect(allowedCallers).toStrictEqual({ b: ['10.0.0.0/8'], d: [] });
    expect(read('').allowedCallers).toEqual({});
  });

  it('are checked', async () => {
    expect(
      await shownProblems(() => read('service: { zones: { a: { type: x, allowedCallers: [b], c: 1 } } }')),
    ).toMatchInlineSnapshot(`
      "w.yaml:1:32: \`type\` is a string "x"
        at: service.zones.a.type
        allowed: datacenter, isp, residential, mobile, unlocker, search or browser
      w.yaml:1:52: b, neither an address nor a network
        at: service.zones.a.allowedCallers[0]
        allowed: an address such as 10.0.0.5, or a network such as 10.0.0.0/8
      w.yaml:1:56: unknown key \`c\` in \`a\`
        at: service.zones.a.c
        allowed: type or allowedCallers
        fix: remove it"
    `);
  });
});

describe('an account', () => {
  it('has its declared name, or the host of its service', () => {
    const service = (url?: string) => ({ url, profile: {} as never });
    expect(accountName({ account: 'eu', service: service('https://a.example:8443/v1') })).toBe('eu');
    expect(accountName({ service: service('https://a.example:8443/v1') })).toBe('a.example:8443');
    expect(accountName({ service: service('not a URL') })).toBe('');
    expect(accountName({ service: service() })).toBe('');
  });
});
