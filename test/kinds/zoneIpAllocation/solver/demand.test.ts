import { expect, it } from 'vitest';
import { demandOf } from '../../../../src/kinds/zoneIpAllocation/solver/demand.ts';
import { type Allocation, alone } from '../../../../src/kinds/zoneIpAllocation/solver/model.ts';

const us = ['192.0.2.1', '192.0.2.2'] as const;
const de = ['192.0.2.3', '192.0.2.4'] as const;
const live = new Map([
  ['shop', new Map([...us.map((ip) => [ip, 'us'] as const), ...de.map((ip) => [ip, 'de'] as const)])],
]);

function demand(unmanaged: Allocation['unmanaged'], count: number) {
  const zones = new Map([['shop', { ips: [], count: new Map([['us', count]]) }]]);
  const allocation: Allocation = { zones, sources: [], spare: 'parked', unmanaged, protect: new Set([us[0], de[0]]) };
  return demandOf(allocation, live, alone, {});
}

it('a protected IP of a country that is not counted is unmanaged, and one of a counted country is not', () => {
  expect(demand('report', 2)).toMatchObject({ surpluses: [], deficits: [], problems: [] });
  expect(demand('report', 2).unmanaged).toEqual(new Map([['shop', [...de]]]));
});

it('a protected IP of a country that is not counted stays where the others are released', () => {
  const { unmanaged, surpluses } = demand('release', 2);
  expect(unmanaged).toEqual(new Map([['shop', [de[0]]]]));
  expect(surpluses).toMatchObject([{ must: 1, reason: 'released', supplies: [{ country: 'de', ips: [de[1]] }] }]);
});

it('a protected IP of a counted country fills the count, and is not the one that goes', () => {
  expect(demand('report', 1)).toMatchObject({
    surpluses: [{ must: 1, reason: 'surplus', supplies: [{ country: 'us', ips: [us[1]] }] }],
  });
  expect(demand('report', 0).problems).toMatchObject([{ code: 'count-below-fixed' }]);
});
