/** The state of each IP under the declared allocations. */
import { describe, expect, it } from 'vitest';
import { zoneClaims } from '../../../src/kinds/zoneIpAllocation/claims.ts';
import { allocationSpec } from '../../../src/kinds/zoneIpAllocation/spec.ts';

const claims = zoneClaims(
  [
    {
      zones: {
        listed: { ips: ['192.0.2.1'], keepAtLeast: 1 },
        counted: { count: 2 },
        byCountry: { ips: ['192.0.2.2'], count: { US: 1 } },
        floor: { keepAtLeast: 3 },
        paused: { ips: ['192.0.2.3'] },
      },
      sources: ['old', 'shared'],
      spare: 'parked',
      protect: ['192.0.2.1', '192.0.2.9'],
      ignoreChanges: ['zones.paused'],
    },
    { zones: { other: { ips: ['192.0.2.4'] } }, spare: 'shared' },
  ].map((spec) => allocationSpec.parse(spec)),
);

describe('zoneClaims', () => {
  it('names every zone with its role, the filled ones first', () => {
    expect([...claims.zones].map(([zone, { role }]) => `${zone} ${role}`)).toEqual([
      'listed declared',
      'counted declared',
      'byCountry declared',
      'floor declared',
      'paused ignored',
      'other declared',
      'old source',
      'shared spare',
      'parked spare',
    ]);
  });

  it('keeps what each zone wants', () => {
    expect(claims.zones.get('listed')).toEqual({ role: 'declared', listed: 1, keepAtLeast: 1 });
    expect(claims.zones.get('counted')).toEqual({ role: 'declared', listed: 0, count: 2 });
    expect(claims.zones.get('byCountry')).toEqual({ role: 'declared', listed: 1, count: new Map([['us', 1]]) });
  });

  it.each([
    ['listed', '192.0.2.1', 'us', 'declared'],
    ['listed', '192.0.2.8', 'us', 'unmanaged'],
    ['listed', '192.0.2.4', 'us', 'elsewhere'],
    ['counted', '192.0.2.8', '', 'declared'],
    ['counted', '192.0.2.2', 'us', 'elsewhere'],
    ['byCountry', '192.0.2.8', 'us', 'declared'],
    ['byCountry', '192.0.2.8', 'de', 'unmanaged'],
    ['byCountry', '192.0.2.2', 'de', 'declared'],
    ['floor', '192.0.2.8', 'us', 'unmanaged'],
    ['old', '192.0.2.8', 'us', 'source'],
    ['old', '192.0.2.2', 'us', 'elsewhere'],
    ['shared', '192.0.2.8', 'us', 'spare'],
    ['parked', '192.0.2.8', 'us', 'spare'],
    ['paused', '192.0.2.3', 'us', undefined],
    ['unknown', '192.0.2.8', 'us', undefined],
    ['unknown', '192.0.2.1', 'us', 'elsewhere'],
  ])('in %s, %s of %s is %s', (zone, ip, country, state) => {
    expect(claims.classifier(zone)(ip, country)).toBe(state);
  });

  it('knows protected IPs, and claims nothing without a declaration', () => {
    expect(['192.0.2.1', '192.0.2.9', '192.0.2.2'].map(claims.isProtected)).toEqual([true, true, false]);
    expect(zoneClaims([]).zones.size).toBe(0);
    expect(zoneClaims([]).classifier('checkout')('192.0.2.1', 'us')).toBeUndefined();
  });
});
