/** What an allocation plans, guards and removes, and how its lists may be written. */

import { describe, expect, it } from 'vitest';
import { movesOf } from '../../../src/kinds/knownCalls.ts';
import { references } from '../../../src/kinds/references.ts';
import { shortLists } from '../../../src/kinds/shortLists.ts';
import { zoneIpAllocation } from '../../../src/kinds/zoneIpAllocation/kind.ts';
import { allocationSpec } from '../../../src/kinds/zoneIpAllocation/spec.ts';
import type { AllocationState } from '../../../src/kinds/zoneIpAllocation/state.ts';
import { migrate } from '../../report/samples.ts';
import { offered } from '../offers.ts';
import { listingsOf, type Zones } from './listings.ts';

const [first, second, third] = ['192.0.2.1', '192.0.2.2', '192.0.2.3'];

function stateOf(zones: Zones, more: Partial<AllocationState> = {}): AllocationState {
  return {
    listings: listingsOf(zones),
    neighbours: { declared: new Set<string>(), protect: new Set<string>(), floors: new Map() },
    limits: {},
    moved: [],
    unclear: new Map(),
    allowUnclearListings: false,
    inferred: undefined,
    ...more,
  } as AllocationState;
}

const specOf = (fields: object) => allocationSpec.parse(fields);

describe('a plan', () => {
  const spec = specOf({ zones: { a: { ips: [first], count: 2 } }, spare: 'parked' });
  const state = stateOf({ a: [], parked: [first, second] });

  it('has the moves, the zones that each IP leaves and enters, and what the zones hold', () => {
    const { calls, changes, inventory, problems } = zoneIpAllocation.diff(spec, state);
    expect(problems).toEqual([]);
    expect(calls.flatMap(movesOf).map(({ ip, reason }) => [ip, reason])).toEqual([
      [first, 'declared'],
      [second, 'count'],
    ]);
    expect(changes.map(({ kind, path }) => [kind, ...path])).toEqual([
      ['remove', 'zones', 'parked'],
      ['add', 'zones', 'a'],
    ]);
    expect(changes[1]?.after).toEqual({ [first]: 'us', [second]: 'us' });
    expect(inventory?.map(({ zone }) => zone)).toEqual(['a', 'parked']);
  });

  it('does not fill a zone whose listing is unclear', () => {
    const unclear = new Map([['a', '{}']]);
    const { problems } = zoneIpAllocation.diff(spec, { ...state, unclear });
    expect(problems.map(({ code }) => code)).toEqual(['unclear-listing']);
    const { calls } = zoneIpAllocation.diff(spec, state);
    expect(zoneIpAllocation.guards.broken(spec, { ...state, unclear }, calls).map(({ code }) => code)).toEqual([
      'unclear-listing',
    ]);
    expect(zoneIpAllocation.guards.broken(spec, state, calls)).toEqual([]);
    expect(zoneIpAllocation.guards.broken(spec, state, [{ type: 'updateSettings' }])).toEqual([]);
    const foreign = [migrate('parked', 'elsewhere', [second])];
    expect(zoneIpAllocation.guards.broken(spec, state, foreign).map(({ code }) => code)).toEqual(['foreign-zone']);
  });

  it('depends on the IPs of each zone and their countries', () => {
    const print = zoneIpAllocation.fingerprint(state);
    expect(Object.keys(print)).toEqual(['zone a', 'zone parked']);
    expect(JSON.parse(JSON.stringify(print['zone parked']))).toEqual([
      [first, 'us'],
      [second, 'us'],
    ]);
    expect(zoneIpAllocation.concurrencyKey()).toBe('account');
    const spec = specOf({ zones: { a: { count: 1 }, b: { count: 1 } }, spare: 'c' });
    expect(offered(references, zoneIpAllocation).zones?.(spec)).toEqual(['a', 'b']);
  });
});

describe('a removal', () => {
  const zones = { a: [first, second], parked: [third] };

  it('leaves the IPs, unless they are to be released', () => {
    const left = zoneIpAllocation.removal.diff(specOf({ zones: { a: { count: 2 } }, spare: 'parked' }), stateOf(zones));
    expect(left).toMatchObject({ calls: [], changes: [], problems: [] });
    const released = zoneIpAllocation.removal.diff(
      specOf({ zones: { a: { count: 2 } }, spare: 'parked', onDelete: 'release' }),
      stateOf(zones),
    );
    expect(released.calls).toMatchObject([{ from: 'a', to: 'parked' }]);
    expect(released.calls.flatMap(movesOf).map(({ ip, reason }) => [ip, reason])).toEqual([
      [first, 'released'],
      [second, 'released'],
    ]);
  });
});

it('lists of IPs may have ranges and networks', () => {
  const { expand, isItem, shorten, itemName, paths } = offered(shortLists, zoneIpAllocation);
  expect(paths).toEqual([['zones', '*', 'ips'], ['protect']]);
  expect(itemName).toBe('an IPv4 address, a range or a network');
  expect(expand(`${first}-${second}`)).toEqual([first, second]);
  expect([isItem(first), isItem(`${first}-${second}`), isItem('2001:db8::1')]).toEqual([true, false, false]);
  expect([shorten?.(first, third), shorten?.(first, first)]).toEqual([`${first}-${third}`, first]);
});
