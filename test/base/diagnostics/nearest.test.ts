import { expect, it } from 'vitest';
import { nearest } from '../../../src/base/diagnostics/nearest.ts';

const KEYS = ['ips', 'count', 'keepAtLeast', 'zone', 'zones', 'logs'];

it.each<[string, string | undefined]>([
  ['keepAtLest', 'keepAtLeast'],
  ['keep_at_least', 'keepAtLeast'],
  ['KEEPATLEAST', 'keepAtLeast'],
  ['keep', 'keepAtLeast'],
  ['atLeast', 'keepAtLeast'],
  ['zoen', 'zone'],
  ['Zones', 'zones'],
  ['conut', 'count'],
  ['cuont', 'count'],
  ['ip', 'ips'],
  ['IP', 'ips'],
  ['log', 'logs'],
  ['x', undefined],
  ['', undefined],
  ['bananas', undefined],
  ['k'.repeat(1_000_000), undefined],
])('%.40s is %s', (name, expected) => {
  expect(nearest(name, KEYS)).toBe(expected);
});

it('takes the first of equals, and nothing of nothing', () => {
  expect(nearest('zonex', ['zonea', 'zoneb'])).toBe('zonea');
  expect(nearest('zone', [])).toBeUndefined();
});

it.each([
  ['ip', 'ips'],
  ['zone', 'zones'],
  ['source', 'sources'],
  ['counts', 'count'],
  ['id', 'ids'],
  ['policy', 'policies'],
  ['countries', 'country'],
  ['address', 'addresses'],
  ['sp', 'spare'],
])('%s is %s, whatever else begins alike', (name, expected) => {
  const others = [`${expected}Elsewhere`, `other-${expected}`];
  expect(nearest(name, [...others, expected])).toBe(expected);
});

it('counts no mistakes beyond the limit', () => {
  expect(nearest('ACME_EU_KEY', ['ACME_US_KEY'])).toBe('ACME_US_KEY');
  expect(nearest('ACME_EU_KEY', ['ACME_US_KEY'], 1)).toBeUndefined();
  expect(nearest('ACME_EU_KYE', ['ACME_EU_KEY'], 1)).toBe('ACME_EU_KEY');
});
