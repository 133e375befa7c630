/** The overview of a whole account: the IPs of its zones as the declaration sees them, and its other objects. */
import { describe, expect, it } from 'vitest';
import { ProblemError } from '../../../src/base/diagnostics/problem.ts';
import { readYaml } from '../../../src/base/yaml/source.ts';
import { configOf } from '../../../src/engine/declaration/config.ts';
import { type Connections, createSession } from '../../../src/engine/run/sessionViews.ts';
import { readOverview } from '../../../src/features/show/overview.ts';
import { formatProblems } from '../../../src/report/text/problems.ts';

const env = { WEBDATA_API_URL: 'http://service.example', WEBDATA_API_KEY: 'key' };

interface Live {
  /** The IPs of each zone, all in `us`; a text is an answer that is no listing. */
  zones: Record<string, string[] | string>;
  /** The settings of each manager, by the end of its URL; a manager that is missing cannot be read. */
  managers?: Record<string, object>;
}

async function overview(
  yaml: string,
  { zones, managers = {} }: Live,
  options: Partial<Parameters<typeof readOverview>[2]> = {},
) {
  const config = configOf(readYaml(yaml, 'w.yaml', { env }), { env });
  const client = () => ({
    origin: env.WEBDATA_API_URL,
    zones: {
      recentIps: async () => Object.fromEntries(Object.keys(zones).map((zone) => [zone, []])),
      listing: async (zone: string) => {
        const found = zones[zone] ?? [];
        return typeof found === 'string'
          ? { ips: [], unclear: found }
          : { ips: found.map((ip) => ({ ip, country: 'us', geolocation: {} })) };
      },
    },
  });
  const manager = (url: string) => ({
    url,
    readSettings: async () => {
      const settings = managers[url.slice(-1)];
      if (settings === undefined) throw new ProblemError([{ code: 'no-answer', found: `${url} does not answer` }]);
      return { settings };
    },
    ports: async () => [24_000],
  });
  const session = createSession(config, { client, manager } as unknown as Connections);
  return readOverview(config, session, options);
}

const declaration = `
zoneIpAllocations:
  one:
    zones: { checkout: { ips: [192.0.2.1, 192.0.2.2], keepAtLeast: 1 } }
    spare: parked
    protect: [192.0.2.2]
  two: { zones: { pricing: { ips: [192.0.2.9], count: 1 } }, sources: [old] }
manager: { url: "http://m/a" }
managerSettings: { main: { url: "http://m/b" } }
`;
const zones = {
  ...{ checkout: ['192.0.2.1', '192.0.2.2', '192.0.2.7', '192.0.2.9'], pricing: [], parked: ['192.0.2.20'] },
  ...{ old: ['192.0.2.30'], unused: ['192.0.2.40'] },
};

describe('an overview', () => {
  it('has each zone with its role and its IPs by state', async () => {
    const { service, zones: shown, isFiltered } = await overview(declaration, { zones });
    expect({ service, isFiltered }).toEqual({ service: 'http://service.example', isFiltered: false });
    const lines = shown.map(({ zone, found, role, keepAtLeast, group }) =>
      [zone, found, role, keepAtLeast, group?.ips, group?.protected, group?.wanted, JSON.stringify(group?.states)].join(
        ' ',
      ),
    );
    expect(lines).toMatchInlineSnapshot(`
      [
        "checkout declared declared 1 4 1 2 {"declared":2,"unmanaged":1,"elsewhere":1}",
        "pricing declared declared  0 0 1 {}",
        "parked declared spare  1 0  {"spare":1}",
        "old declared source  1 0  {"source":1}",
        "unused recent   1 0  {}",
      ]
    `);
  });

  it('has the answer for a zone that was no listing', async () => {
    const { zones: shown } = await overview('', { zones: { a: 'no such zone', b: [] } });
    expect(shown.map(({ zone, unclear }) => [zone, unclear])).toEqual([
      ['a', 'no such zone'],
      ['b', undefined],
    ]);
  });

  it('has the managers, declared or not, and warns of one that cannot be read and is not declared', async () => {
    const { objects, problems, warnings } = await overview(declaration, { zones, managers: { b: { logs: 5 } } });
    expect(objects).toEqual([
      { collection: 'managerSettings', name: 'http://m/a', isDeclared: false, facts: undefined },
      { collection: 'managerSettings', name: 'http://m/b', isDeclared: true, facts: { logs: 5, ports: [24_000] } },
    ]);
    expect(formatProblems(warnings)).toBe('http://m/a does not answer');
    expect(problems).toEqual([]);
  });

  it('says which declared manager cannot be read', async () => {
    const { problems, warnings } = await overview(declaration, { zones, managers: { a: { logs: 5 } } });
    expect(formatProblems(problems)).toBe('http://m/b does not answer');
    expect(warnings).toEqual([]);
  });

  it('has the zones alone if they are named', async () => {
    const { objects, zones: shown } = await overview(declaration, { zones }, { zones: ['old', 'checkout'] });
    expect(objects).toBeUndefined();
    expect(shown.map(({ zone, found, role }) => [zone, found, role])).toEqual([
      ['old', 'named', 'source'],
      ['checkout', 'named', 'declared'],
    ]);
  });

  it.each([
    [
      'a country that the account has',
      { countries: new Set(['us']) },
      ['checkout', 'pricing', 'parked', 'old', 'unused'],
    ],
    ['an address', { ips: new Set(['192.0.2.20']) }, ['parked']],
    ['unmanaged IPs', { unmanagedOnly: true }, ['checkout']],
    ['another country', { countries: new Set(['de']) }, []],
  ])('has only the zones with %s', async (_, filter, expected) => {
    const { zones: shown, isFiltered, objects } = await overview(declaration, { zones }, filter);
    expect({ isFiltered, objects }).toEqual({ isFiltered: true, objects: undefined });
    expect(shown.filter(({ group }) => group?.ips !== 0).map(({ zone }) => zone)).toEqual(
      expected.filter((zone) => zone !== 'pricing'),
    );
  });

  it('keeps addresses only if they are to be shown', async () => {
    const filter = { zones: ['parked'] };
    const countries = async (isListed: boolean) =>
      (await overview(declaration, { zones }, { ...filter, isListed })).zones[0]?.group?.countries;
    expect(await countries(true)).toMatchObject([{ country: 'us', addresses: ['192.0.2.20'] }]);
    expect((await countries(false))?.[0]).not.toHaveProperty('addresses');
  });

  it('includes all IPs, although the filter for unmanaged ones is off', async () => {
    expect((await overview(declaration, { zones }, { unmanagedOnly: false })).isFiltered).toBe(false);
  });
});
