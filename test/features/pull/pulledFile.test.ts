/** The declaration that `pull` writes: what the account holds, and the settings without which it could not be read. */
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { isMapValue } from '../../../src/base/values/plain.ts';
import { bareConfig, type Config } from '../../../src/engine/declaration/config.ts';
import { type Connections, createSession } from '../../../src/engine/run/session.ts';
import { pull } from '../../../src/features/pull/pull.ts';
import { zoneIpAllocation } from '../../../src/kinds/zoneIpAllocation/kind.ts';
import { allocationSpec } from '../../../src/kinds/zoneIpAllocation/spec.ts';
import { allocationId } from '../../report/samples.ts';

const live: Record<string, string[]> = { checkout: ['192.0.2.10', '192.0.2.9'], pricing: [], parked: ['192.0.2.1'] };
const url = 'http://service.example';

async function pulled(more: Partial<Config> = {}, zones: string[] = [], isByCount = false) {
  const bare = bareConfig({ env: { WEBDATA_API_URL: url, WEBDATA_API_KEY: 'key' } });
  const config = { ...bare, ...more, service: { ...bare.service, ...more.service } };
  const inferredProfile = () => ({});
  const client = () => ({
    inferredProfile,
    account: { activeZones: async () => undefined },
    zones: {
      recentIps: async () => ({ checkout: [], parked: [] }),
      listing: async (zone: string) => ({
        ips: (live[zone] ?? []).map((ip) => ({ ip, country: 'us', geolocation: {} })),
        names: {},
        apart: [],
      }),
    },
  });
  const manager = (its: string) => ({
    url: its,
    inferredProfile,
    readSettings: async () => ({ settings: { logs: 5 } }),
  });
  const session = createSession(config, { client, manager } as unknown as Connections);
  const { yaml, ...rest } = await pull(config, session, {
    ...{ zones, name: 'main', isByCount },
    isDiscovering: zones.length === 0,
    folder: '/elsewhere',
  });
  return { file: parse(yaml) as Record<string, unknown>, yaml, ...rest };
}

describe('a pulled declaration', () => {
  it('has the zones that were used lately, or those that were named', async () => {
    const { file, zones, empty } = await pulled();
    expect(zones).toEqual(['checkout', 'parked']);
    expect(empty).toEqual([]);
    expect(Object.keys(file)).toEqual(['service', 'zoneIpAllocations']);
    expect(file.service).toEqual({ url });
    expect(file.zoneIpAllocations).toEqual({
      main: { zones: { checkout: { ips: ['192.0.2.9', '192.0.2.10'] }, parked: { ips: ['192.0.2.1'] } } },
    });
    const named = await pulled({}, ['pricing'], true);
    expect(named.file.zoneIpAllocations).toEqual({ main: { zones: { pricing: { count: 0 } } } });
    expect(named).toMatchObject({ zones: ['pricing'], empty: ['pricing'] });
  });

  it('has the declared zones, their sources and their spare too', async () => {
    const spec = allocationSpec.parse({ zones: { pricing: { count: 0 } }, sources: ['old'], spare: 'parked' });
    const declared = [{ ...allocationId, definition: zoneIpAllocation as never, spec }];
    expect((await pulled({ declared })).zones).toEqual(['checkout', 'old', 'parked', 'pricing']);
  });

  it('has the owner, the other servers, and the settings of the service that are not the defaults', async () => {
    const { service } = bareConfig({ env: {} });
    const profile = { ...service.profile, settleSeconds: 99 };
    const { file } = await pulled({
      name: 'acme',
      service: { ...service, url, profile, zoneTypes: { checkout: 'isp' } },
      triggers: { url: 'http://triggers.example', token: undefined },
    });
    expect(file).toMatchObject({
      name: 'acme',
      service: { url, profile: { settleSeconds: 99 }, zones: { checkout: { type: 'isp' } } },
      triggers: { url: 'http://triggers.example' },
    });
    expect((file.service as { profile: object }).profile).toEqual({ settleSeconds: 99 });
  });

  it('has the settings of the manager, and its URL', async () => {
    const { file } = await pulled({ manager: { url: 'http://m.example', token: undefined } });
    expect(file.manager).toEqual({ url: 'http://m.example' });
    expect(file.managerSettings).toEqual({ main: { logs: 5 } });
    expect(Object.keys(file)).toEqual(['service', 'manager', 'zoneIpAllocations', 'managerSettings']);
  });

  it('has only the settings of the service, at any depth, that are not the defaults', async () => {
    const { service } = bareConfig({ env: {} });
    const nested = Object.entries(service.profile).find(([, value]) => isMapValue(value));
    expect((await pulled({ service: { ...service, url } })).file.service).toEqual({ url });
    if (nested === undefined) throw new TypeError('no setting is a map');
    const [name, value] = nested as [string, Record<string, unknown>];
    const profile = { ...service.profile, [name]: { ...value, other: 'x' } };
    const { file } = await pulled({ service: { ...service, url, profile: profile as never } });
    expect((file.service as { profile: object }).profile).toEqual({ [name]: { other: 'x' } });
  });
});
