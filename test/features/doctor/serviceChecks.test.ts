/** What a diagnosis finds out about the service with reads alone. */
import { describe, expect, it } from 'vitest';
import { ProblemError } from '../../../src/base/diagnostics/problem.ts';
import { readYaml } from '../../../src/base/yaml/source.ts';
import { type Config, configOf } from '../../../src/engine/declaration/config.ts';
import type { JournaledCall, Run } from '../../../src/engine/run/journal.ts';
import type { Session } from '../../../src/engine/run/sessionViews.ts';
import { serviceChecks } from '../../../src/features/doctor/serviceChecks.ts';
import { allocationId, journaled, migrate, portsCall, refusal, run, seen, settingsId } from '../../report/samples.ts';

const origin = 'http://service.example';
const config = { declared: [], service: { url: origin, apiKey: 'key' } } as unknown as Config;

interface Service {
  /** The declaration. */
  config?: Config;
  /** Requests that the service refuses: `recent`, or the name of a zone. */
  refused?: readonly string[];
}

async function checks(
  zones: Record<string, string[]>,
  runs: readonly Run[] = [],
  { config: declaration = config, refused = [] }: Service = {},
) {
  const answer = async <T>(what: string, value: T): Promise<T> => {
    if (!refused.includes(what)) return value;
    throw new ProblemError([{ code: 'forbidden', found: `${what} is refused`, fix: 'ask an admin' }]);
  };
  const session = {
    client: () => ({
      origin,
      zones: {
        recentIps: (asked: string) =>
          answer('recent', Object.fromEntries(Object.keys(zones).map((zone) => [zone, [asked]]))),
        listing: (zone: string) => answer(zone, { ips: (zones[zone] ?? []).map((country) => ({ country })) }),
        countries: async () => ({ us: 1, de: 2 }),
      },
    }),
  } as unknown as Session;
  const found = await serviceChecks(declaration, session, runs);
  return (name: string) =>
    found.filter((check) => check.name.startsWith(name)).map(({ name: its, ...check }) => [its, check]);
}

describe('the service', () => {
  const declares = (...zones: string[]) =>
    configOf(
      readYaml(zones.map((zone) => `zoneIpAllocations: { static: { zones: { ${zone}: { count: 1 } } } }`).join(), ''),
      {
        env: { WEBDATA_API_URL: origin, WEBDATA_API_KEY: 'key' },
      },
    );
  const names = (found: unknown[][]) => found.map(([name]) => name);
  const refusal = { result: 'failed', text: 'recent is refused', fix: 'ask an admin' };

  it('is not asked without a URL or a key', async () => {
    const withoutKey = { declared: [], service: { url: origin } } as unknown as Config;
    expect((await checks({ a: [] }, [], { config: withoutKey }))('')).toEqual([
      [
        'service',
        {
          result: 'failed',
          text: 'the API key is missing',
          fix: 'set WEBDATA_API_KEY; an admin creates keys in the control panel',
        },
      ],
    ]);
    const withoutUrl = { declared: [], service: { apiKey: 'key' } } as unknown as Config;
    expect((await checks({ a: [] }, [], { config: withoutUrl }))('')).toMatchObject([
      ['service', { result: 'failed', text: 'the URL of the service is not known' }],
    ]);
  });

  it('counts the recently used zones, and lists declared ones before them', async () => {
    expect((await checks({ a: [] }))('service')).toEqual([
      ['service', { result: 'ok', text: `${origin} answers; 1 zone recently used` }],
    ]);
    expect(names((await checks({ a: [], b: [] }, [], { config: declares('b') }))('zone'))).toEqual([
      'zone b',
      'zone a',
    ]);
    expect((await checks({ a: [] }, [], { config: declares('b') }))('countries')).toMatchObject([
      ['countries', { text: 'numbers by country: 2 in b' }],
    ]);
  });

  it('that refuses the key gets no further requests if no zone is known', async () => {
    expect((await checks({ a: [] }, [], { refused: ['recent'] }))('')).toEqual([['service', refusal]]);
  });

  it('that refuses one request is asked for the declared zones; the role is shown if one can be read', async () => {
    const readable = await checks({}, [], { config: declares('b'), refused: ['recent'] });
    expect(names(readable(''))).toEqual(['service', 'role', 'zone b', 'countries']);
    const unreadable = await checks({}, [], { config: declares('b'), refused: ['recent', 'b'] });
    expect(unreadable('')).toMatchObject([
      ['service', refusal],
      ['zone b', { result: 'failed', text: 'b is refused' }],
      ['countries', { result: 'ok' }],
    ]);
  });

  it('without a zone shows the role alone, also if resources are declared that name none', async () => {
    const env = { WEBDATA_API_URL: origin, WEBDATA_API_KEY: 'key' };
    const settings = configOf(readYaml('managerSettings: { local: { url: "http://m:1", logs: 1 } }\n', ''), { env });
    expect(names((await checks({}, [], { config: settings }))(''))).toEqual(['service', 'role']);
    expect(names((await checks({}))(''))).toEqual(['service', 'role']);
  });
});

describe('a zone', () => {
  it('is noted if it has IPs without a known country', async () => {
    const found = await checks({ a: ['us', '', ''], b: ['us'] });
    expect(found('zone')).toEqual([
      ['zone a', { result: 'note', text: '3 IPs, 2 without a known country' }],
      ['zone b', { result: 'ok', text: '1 IP' }],
    ]);
    expect(found('countries')).toEqual([['countries', { result: 'ok', text: 'numbers by country: 2 in a' }]]);
  });

  it('is one of the first 10', async () => {
    const zones = Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`z${index}`, ['us']]));
    expect((await checks(zones))('zone')).toHaveLength(10);
    expect((await checks({}))('countries')).toEqual([]);
  });
});

describe('the role of the key', () => {
  const move = migrate('pricing', 'checkout', ['192.0.2.10']);
  const at = '2026-07-01T10:00:00.000Z';
  const moved = (id: string) =>
    run(id, [journaled(allocationId, move, { answered: { at }, seen: seen(move) })], { origin });
  const forbidden = (id: string) =>
    run(id, [journaled(allocationId, move, { failed: { ...refusal, code: 'forbidden' } })], { origin });
  const roleAfter = async (...runs: Run[]) =>
    (await checks({ a: [] }, runs))('')
      .map(([, check]) => check as { result: string; text: string })
      .find(({ text }) => text.includes('may read zones'));

  const reads = 'the key may read zones; moving IPs needs the role Admin or Ops';
  const unknown = { result: 'ok', text: `${reads}; the service shows neither the role nor the expiry of a key` };
  const accepted = (id: string) => ({
    result: 'ok',
    text: `${reads}; the last move that the service accepted was in run ${id} of 2026-07-01T10:00:00Z`,
  });
  const refused = (id: string) => ({
    result: 'note',
    text: `${reads}; the service last refused a move in run ${id} of 2026-07-01T10:00:00Z`,
    fix: 'ask an admin for a key with the role Admin or Ops, and set WEBDATA_API_KEY',
  });
  const sent = (id: string, more: Partial<JournaledCall>) => run(id, [journaled(allocationId, move, more)], { origin });
  const ports = run('dddd4444', [journaled(settingsId, portsCall, { answered: { at } })], { origin });

  it.each<[string, Run[], object]>([
    ['is not known without runs', [], unknown],
    ['is shown by a move that was accepted last', [forbidden('aaaa1111'), moved('bbbb2222')], accepted('bbbb2222')],
    [
      'is shown by a move that was not read back',
      [sent('aaaa1111', { answered: { at, count: 1 } })],
      accepted('aaaa1111'),
    ],
    ['is too low if a move was refused last', [moved('bbbb2222'), forbidden('aaaa1111')], refused('aaaa1111')],
    [
      'is not shown by runs at another service',
      [{ ...forbidden('aaaa1111'), origin: 'http://other.example' }],
      unknown,
    ],
    [
      'is not shown by moves with another error',
      [sent('aaaa1111', { failed: { ...refusal, code: 'refused' } })],
      unknown,
    ],
    ['is not shown by moves without an answer', [sent('aaaa1111', {})], unknown],
    ['is not shown by calls that are free', [ports], unknown],
    ['is shown by moves before free calls', [moved('bbbb2222'), ports], accepted('bbbb2222')],
  ])('%s', async (_, runs, expected) => {
    expect(await roleAfter(...runs)).toEqual(expected);
  });
});
