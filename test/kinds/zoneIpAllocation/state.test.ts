/** The live state that an allocation is planned from, and the zones that the service does not know. */
import { describe, expect, it } from 'vitest';
import { ProblemError } from '../../../src/base/diagnostics/problem.ts';
import { failing, type ServiceError, type ServiceErrorCode } from '../../../src/client/errors.ts';
import type { Context } from '../../../src/kinds/context.ts';
import { allocationSpec, type ZoneIpAllocationSpec } from '../../../src/kinds/zoneIpAllocation/spec.ts';
import { observe } from '../../../src/kinds/zoneIpAllocation/state.ts';
import { accountThatShows, viewing, type Zones } from './listings.ts';

const fail = failing({ method: 'GET', url: 'http://service.example/zone/ips', read: true }, {});

function refusal(said?: string, code: ServiceErrorCode = 'not-found'): ServiceError {
  return fail(code, 'failed', { said });
}

interface Account {
  states?: Zones[];
  failures?: Record<string, unknown>;
  others?: object[];
  shown?: object;
  more?: Partial<Context<ZoneIpAllocationSpec>>;
}

function observed(spec: object, { states = [{}], failures = {}, others = [], shown = {}, more = {} }: Account = {}) {
  const account = Object.assign(accountThatShows(...states), {
    failures: async (zones: string[]) => new Map(Object.entries(failures).filter(([zone]) => zones.includes(zone))),
    ...shown,
  });
  const context = {
    client: () => ({ origin: 'http://service.example', profile: { migrateBatchLimit: 50 } }),
    overrides: {},
    others: others.map((other) => allocationSpec.parse(other)),
    sleep: async () => {},
    ...more,
    ...viewing(account),
  } as unknown as Context<ZoneIpAllocationSpec>;
  return observe(allocationSpec.parse(spec), context);
}

async function problemsOf(spec: object, account: Account) {
  const error = await observed(spec, account).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ProblemError)) throw error;
  return error.problems.map(({ code, path, found }) => [code, path?.join('.'), found]);
}

const spec = { zones: { checkout: { count: 1 } }, sources: ['old', 'older'], spare: 'parked' };

describe('zones that the service does not know', () => {
  it('are named at their places, with the words of the service', async () => {
    const failures = { checkout: refusal('no such zone'), older: refusal(), parked: refusal('gone') };
    expect(await problemsOf(spec, { failures })).toEqual([
      ['unknown-zone', 'zones.checkout', 'zone `checkout` does not exist (the service said: no such zone)'],
      ['unknown-zone', 'sources.1', 'zone `older` does not exist'],
      ['unknown-zone', 'spare', 'zone `parked` does not exist (the service said: gone)'],
    ]);
  });

  it('are left to the allocation that names them', async () => {
    const others = [{ zones: { blog: { count: 1 } } }];
    const { listings } = await observed(spec, { others, failures: { blog: refusal() } });
    expect([...listings.keys()]).toEqual(['checkout', 'old', 'older', 'parked']);
    expect(await problemsOf(spec, { others, failures: { blog: refusal(), old: refusal() } })).toEqual([
      ['unknown-zone', 'sources.0', 'zone `old` does not exist'],
    ]);
  });

  it('are none if the service fails for another reason', async () => {
    const forbidden = refusal('no', 'forbidden');
    const failures = { checkout: refusal(), old: forbidden };
    await expect(observed(spec, { failures })).rejects.toBe(forbidden);
    const broken = new TypeError('broken');
    await expect(observed(spec, { failures: { old: broken } })).rejects.toBe(broken);
  });
});

describe('a service that knows none of the zones', () => {
  const all = (...said: (string | undefined)[]) =>
    Object.fromEntries(['checkout', 'old', 'older', 'parked'].map((zone, index) => [zone, refusal(said[index])]));
  const found = (words = '') => [
    ['no-zone-found', undefined, `no declared zone exists at http://service.example${words}`],
  ];

  it('is most likely another one', async () => {
    expect(await problemsOf(spec, { failures: all() })).toEqual(found());
    expect(await problemsOf(spec, { failures: all('a', 'b', 'a', 'a') })).toEqual(found());
    expect(await problemsOf(spec, { failures: all('a', 'a', 'a', 'a') })).toEqual(found(' (the service said: a)'));
  });

  it('is not, if it answers differently for each of two zones, or for the only one', async () => {
    const two = { zones: { checkout: { count: 1 } }, spare: 'parked' };
    const codes = async (...said: (string | undefined)[]) => {
      const failures = { checkout: refusal(said[0]), parked: refusal(said[1]) };
      return (await problemsOf(two, { failures })).map(([code]) => code);
    };
    expect(await codes('a', 'b')).toEqual(['unknown-zone', 'unknown-zone']);
    expect(await codes('a', undefined)).toEqual(['unknown-zone', 'unknown-zone']);
    expect(await codes('a', 'a')).toEqual(['no-zone-found']);
    expect(await codes(undefined, undefined)).toEqual(['no-zone-found']);
    const one = await problemsOf({ zones: { checkout: { count: 1 } } }, { failures: { checkout: refusal('a') } });
    expect(one.map(([code]) => code)).toEqual(['unknown-zone']);
  });
});

describe('the listings', () => {
  const declared = { zones: { checkout: { ips: ['192.0.2.1'] } }, spare: 'parked' };

  it('are read again while a declared IP is nowhere, or an IP is in two zones', async () => {
    const states = [
      { checkout: [], parked: [] },
      { checkout: ['192.0.2.1'], parked: ['192.0.2.1'] },
      { checkout: ['192.0.2.1'], parked: ['192.0.2.2'] },
      { checkout: [], parked: ['192.0.2.1'] },
    ];
    const { listings } = await observed(declared, { states });
    expect([...(listings.get('checkout')?.keys() ?? [])]).toEqual(['192.0.2.1']);
    expect([...(listings.get('parked')?.keys() ?? [])]).toEqual(['192.0.2.2']);
  });
});

describe('the limits', () => {
  it('are those of the run and of the service', async () => {
    expect((await observed(spec)).limits).toEqual({ batchLimit: 50, allowMoves: undefined });
    const more = { overrides: { allowMoves: 7, allowUnclearListings: true } };
    expect(await observed(spec, { more })).toMatchObject({
      limits: { batchLimit: 50, allowMoves: 7 },
      allowUnclearListings: true,
    });
    expect((await observed(spec)).allowUnclearListings).toBe(false);
  });

  it('include what the other allocations declare, but not the IPs of zones that they ignore', async () => {
    const others = [
      {
        zones: { blog: { ips: ['192.0.2.2'], keepAtLeast: 2 }, paused: { ips: ['192.0.2.3'], keepAtLeast: 0 } },
        protect: ['192.0.2.4'],
        ignoreChanges: ['zones.paused'],
      },
    ];
    const own = { zones: { checkout: { ips: ['192.0.2.1'], keepAtLeast: 1 } }, protect: ['192.0.2.5'] };
    const { neighbours } = await observed(own, { others });
    const ips = [1, 2, 3, 4].map((last) => `192.0.2.${last}`);
    expect(ips.filter((ip) => neighbours.declared.has(ip))).toEqual(['192.0.2.2']);
    expect([...neighbours.protect]).toEqual(['192.0.2.4']);
    expect(Object.fromEntries(neighbours.floors)).toEqual({ checkout: 1, blog: 2, paused: 0 });
  });
});

describe('what answers showed', () => {
  const geolocation = { others: ['maxmind'] };
  const remarks = (isInferred: boolean, unclear?: string) =>
    new Map([
      ['checkout', { unclear: undefined, names: { isInferred: false } }],
      ['parked', { unclear, names: { isInferred } }],
    ]);
  const client = () => ({
    profile: {},
    inferredProfile: () => ({ geolocation, perCountrySwitch: 'x' }),
  });
  const seen = async (shown: object) => {
    const { unclear, inferred } = await observed(spec, { shown, more: { client } as unknown as Account['more'] });
    return { unclear: Object.fromEntries(unclear), inferred };
  };

  it('is kept: listings that are none, and names of geolocation databases for one allocation', async () => {
    expect(await seen({ remarks: remarks(false) })).toEqual({ unclear: {}, inferred: undefined });
    expect(await seen({ remarks: remarks(true, '{}') })).toEqual({
      unclear: { parked: '{}' },
      inferred: { geolocation },
    });
    const silent = { remarks: remarks(true), isSpeaker: () => false };
    expect(await seen(silent)).toEqual({ unclear: {}, inferred: undefined });
  });
});
