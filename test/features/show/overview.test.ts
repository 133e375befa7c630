/** The overview of an account: which zones are shown, and what happens where parts cannot be read. */

import { describe, expect, it } from 'vitest';
import { ServiceError } from '../../../src/client/errors.ts';
import type { Config } from '../../../src/engine/declaration/config.ts';
import type { Session } from '../../../src/engine/run/sessionViews.ts';
import { readOverview } from '../../../src/features/show/overview.ts';
import { references } from '../../../src/kinds/references.ts';
import { kindProviding } from '../../kinds/offers.ts';

const failure = (what: string) =>
  new ServiceError(what, {
    code: 'server-error',
    request: { method: 'GET', url: 'http://service.example/' },
    fix: '',
    effect: 'none',
    transient: false,
  });

const targeting = (...zones: string[]) => ({
  definition: kindProviding(references, { zones: () => zones }),
  spec: {},
  name: 'x',
});

interface Given {
  declared?: readonly object[];
  recent?: string[] | Error;
  /** The IPs of each zone; a zone that is missing cannot be listed. */
  listings?: Record<string, string[]>;
  options?: Partial<Parameters<typeof readOverview>[2]>;
}

async function shown({ declared = [], recent = [], listings = {}, options = {} }: Given) {
  const listing = async (zone: string) => {
    const ips = listings[zone];
    if (ips === undefined) throw failure(`no listing of ${zone}`);
    return { ips: ips.map((ip) => ({ ip, country: 'us', geolocation: {} })) };
  };
  const recentIps = async () => {
    if (recent instanceof Error) throw recent;
    return Object.fromEntries(recent.map((zone) => [zone, []]));
  };
  const session = {
    client: () => ({ origin: 'http://service.example', zones: { listing, recentIps } }),
    contextFor: () => ({ manager: () => ({}) }),
  } as unknown as Session;
  const config = { declared, manager: {}, triggers: {} } as unknown as Config;
  const overview = await readOverview(config, session, { zones: ['a'], ...options });
  return {
    ...overview,
    zones: overview.zones.map(({ zone, found, group }) => `${zone} ${found} ${group !== undefined}`),
  };
}

describe('an overview of named zones', () => {
  it('has each of them once, in their order, and no other objects', async () => {
    const { zones, recentZones, objects } = await shown({
      listings: { a: [], b: [] },
      options: { zones: ['b', 'a', 'b'] },
    });
    expect(zones).toEqual(['b named true', 'a named true']);
    expect({ recentZones, objects }).toEqual({ recentZones: 'not-asked', objects: undefined });
  });

  it('shows a zone that cannot be read without its IPs, and fails if none can be read', async () => {
    const { zones, problems } = await shown({ listings: { a: [] }, options: { zones: ['a', 'b'] } });
    expect(zones).toEqual(['a named true', 'b named false']);
    expect(problems).toHaveLength(1);
    await expect(shown({ options: { zones: ['a', 'b'] } })).rejects.toThrow('no listing of a');
  });

  it('of some IPs has the zones with such IPs, and those that cannot be read', async () => {
    const listings = { a: ['192.0.2.1'], b: ['192.0.2.2'] };
    const only = (options: object) => shown({ listings, options: { zones: ['a', 'b', 'c'], ...options } });
    const { zones, isFiltered } = await only({ ips: new Set(['192.0.2.1']) });
    expect(zones).toEqual(['a named true', 'c named false']);
    expect(isFiltered).toBe(true);
    expect((await only({})).isFiltered).toBe(false);
    expect((await only({})).zones).toHaveLength(3);
  });
});

describe('an overview of all zones', () => {
  const all = { zones: undefined };

  it('has the declared ones, then those that were used recently, by name', async () => {
    const { zones, recentZones } = await shown({
      declared: [targeting('z', 'a')],
      recent: ['c', 'b', 'a'],
      listings: { a: [], b: [], c: [], z: [] },
      options: all,
    });
    expect(zones).toEqual(['z declared true', 'a declared true', 'b recent true', 'c recent true']);
    expect(recentZones).toBe('read');
  });

  it('has the declared ones if the others cannot be read, and fails without any', async () => {
    const recent = failure('no answer');
    const { zones, recentZones, problems } = await shown({
      declared: [targeting('a')],
      recent,
      listings: { a: [] },
      options: all,
    });
    expect({ zones, recentZones, problems: problems.length }).toEqual({
      zones: ['a declared true'],
      recentZones: 'failed',
      problems: 1,
    });
    await expect(shown({ recent, options: all })).rejects.toThrow('no answer');
  });
});
