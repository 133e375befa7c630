/** The live account as text, at every width. */
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { Overview, ZoneOverview } from '../../../src/features/show/overview.ts';
import { overviewText } from '../../../src/features/show/text.ts';
import { sumOf } from '../../../src/features/show/zoneGroups.ts';
import type { IpState } from '../../../src/kinds/seam/zoneClaims.ts';

type Countries = NonNullable<ZoneOverview['group']>['countries'];

const inCountry = (country: string, ips: number, state: IpState, more: Partial<Countries[number]> = {}) => ({
  ...{ country, ips, protected: 0, states: { [state]: ips }, ...more },
});

const groupOf = (countries: Countries, wanted?: number) => ({ ...sumOf(countries), countries, wanted });

const addresses = Array.from({ length: 20 }, (_, index) => `198.51.100.${100 + index}`);

const overview: Overview = {
  service: 'https://api.example.com',
  recentZones: 'read',
  isFiltered: false,
  notShown: [],
  problems: [],
  warnings: [],
  zones: [
    {
      ...{ zone: 'checkout', found: 'declared', role: 'declared', keepAtLeast: 5 },
      group: groupOf([
        inCountry('us', 12, 'declared', { wanted: 10, protected: 3 }),
        inCountry('de', 4, 'unmanaged'),
        inCountry('', 1, 'elsewhere'),
        { country: 'jp', ips: 0, protected: 0, states: {}, wanted: 2 },
      ]),
    },
    { zone: 'gone', found: 'declared', role: 'declared' },
    { zone: 'parked', found: 'declared', role: 'spare', group: groupOf([]) },
    {
      ...{ zone: `a-zone-with-a-long-name-${'x'.repeat(90)}`, found: 'recent', remarks: ['listing unclear: {}'] },
      group: groupOf([{ ...inCountry('us', 20, 'source'), states: {}, addresses }]),
    },
  ],
  objects: [
    {
      ...{ collection: 'managerSettings', name: 'http://127.0.0.1:22999', isDeclared: false },
      facts: { zone: 'checkout', whitelistIps: addresses, wwwWhitelistIps: [], ports: null, logs: 1000 },
    },
    { collection: 'collectorSchedules', name: 'nightly', isDeclared: true },
    {
      ...{ collection: 'collectorSchedules', name: 'weekly', isDeclared: true },
      facts: { collector: 'c_prices', paused: false, nextTick: '2026-07-01T10:00:00.000Z' },
    },
  ],
};

describe('overviewText', () => {
  it('shows each zone with its countries, then managers and schedules', () => {
    const some = { ...overview, zones: overview.zones.slice(0, 3), objects: overview.objects?.slice(1) };
    expect(
      overviewText(some, { color: false, width: 100 }),
    ).toBe(`https://api.example.com  17 IPs in 3 zones, 1 could not be read, 10 declared, 1 declared elsewhere,
                         4 unmanaged, 2 too many, 2 missing, 3 protected

checkout   17  10 declared, 1 declared elsewhere, 4 unmanaged, 2 too many, 2 missing, 3 protected,
               keeps at least 5
  us       12  10 declared, 2 too many, 3 protected
  de        4  4 unmanaged
  unknown   1  1 declared elsewhere
  jp        0  2 missing
gone        ?  could not be read
parked      0  spare

collectorSchedules
  nightly  could not be read
  weekly   collector c_prices, paused false, nextTick 2026-07-01T10:00:00Z

Zones: 3 declared, 0 more used recently. The service does not list other zones: name them with
--zone.
`);
  });

  it.each([40, 60, 80, 200])('fits into %i columns, with and without every IP', (width) => {
    for (const full of [false, true]) {
      const text = stripVTControlCharacters(overviewText(overview, { color: true, width, full }));
      expect(text.split('\n').filter((line) => line.length > width || line !== line.trimEnd())).toEqual([]);
    }
  });

  it('has colors only where they are wanted', () => {
    const plain = overviewText(overview, { color: false });
    expect(plain).toBe(stripVTControlCharacters(plain));
    expect(overviewText(overview, { color: true })).not.toBe(plain);
  });

  it('shortens lists of countries and IPs unless everything is to be shown', () => {
    const codes = ['us', 'de', 'gb', 'fr', 'jp', 'ca', 'es', 'it', 'nl', 'se', 'no', 'fi', 'dk', 'pl', 'at'];
    const zone = {
      zone: 'wide',
      found: 'recent',
      group: groupOf(codes.map((code) => inCountry(code, 1, 'spare'))),
    } as const;
    const wide = { ...overview, zones: [zone], objects: undefined };
    expect(overviewText(wide, { color: false })).toMatch(/\n {2}fi +1\n {2}… 3 more +3\n/);
    expect(overviewText(wide, { color: false, full: true })).toMatch(/\n {2}at +1\n/);
    expect(overviewText(overview, { color: false })).toContain('… and 14 more');
    expect(overviewText(overview, { color: false, full: true })).toContain('198.51.100.119');
  });

  it('says how the zones were found', () => {
    const words = (more: Partial<Overview>) =>
      overviewText({ ...overview, zones: [], objects: [], ...more }, { color: false });
    const others = 'The service does not list other zones: name\nthem with --zone.\n';
    expect(words({})).toBe(
      `https://api.example.com  0 IPs in 0 zones\n\nZones: 0 declared, 0 used recently. ${others}`,
    );
    expect(words({ recentZones: 'not-asked' })).toBe('https://api.example.com  0 IPs in 0 zones\n');
    expect(words({ recentZones: 'failed' })).toContain('Only declared zones are shown: ');
    expect(words({ isFiltered: true })).toMatch(
      /0 matching IPs in 0 zones\n\nOnly declared and recently used zones were searched\./,
    );
  });

  it('escapes control characters in names', () => {
    const zones = [{ ...overview.zones[2], zone: 'evil\u001b[2J' } as ZoneOverview];
    expect(overviewText({ ...overview, zones }, { color: false })).toContain('evil\\u{1b}[2J');
  });
});
