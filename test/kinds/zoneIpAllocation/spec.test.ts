/** The rules of an allocation beyond the types of its fields. */
import { expect, it } from 'vitest';
import { valueProblems } from '../../../src/base/diagnostics/zodProblems.ts';
import { allocationSpec, toAllocation } from '../../../src/kinds/zoneIpAllocation/spec.ts';

function wholeProblems(spec: object) {
  return valueProblems(allocationSpec, spec);
}

function problems(spec: object) {
  return wholeProblems(spec).map(({ code, path = [], found }) => `${code} ${path.join('.')}: ${found}`);
}

const ip = '192.0.2.1';
const zone = (fields: object) => ({ zones: { a: fields } });

it.each<[string, object, string[]]>([
  ['no zones', { zones: {} }, ['no-zones zones: an allocation without zones']],
  ['an empty zone', zone({}), ['empty-zone-spec zones.a: a zone that declares nothing']],
  ['a zone that is emptied', zone({ ips: [], count: 0, keepAtLeast: 0 }), []],
  ['an address that is none', zone({ ips: ['192.0.2.256'] }), ['not-an-address zones.a.ips.0: 192.0.2.256, ']],
  ['a protected address that is none', { ...zone({ count: 1 }), protect: ['x'] }, ['not-an-address protect.0: x, ']],
  ['as many IPs as the count', zone({ ips: [ip], count: 1, keepAtLeast: 1 }), []],
  [
    'more IPs than the count',
    zone({ ips: [ip], count: 0 }),
    ['count-below-listed zones.a.count: count 0, with 1 IPs listed'],
  ],
  [
    'a floor above the count',
    zone({ count: 1, keepAtLeast: 2 }),
    ['floor-above-count zones.a.keepAtLeast: keepAtLeast 2, above the count 1'],
  ],
  ['a floor without a count', zone({ count: { us: 1 }, keepAtLeast: 2 }), []],
  ['a count of no country', zone({ count: {} }), ['empty-count zones.a.count: a count of no country']],
  [
    'a country in two spellings',
    zone({ count: { us: 1, de: 1, US: 2 } }),
    ['country-twice zones.a.count.US: US is counted twice'],
  ],
  [
    'a spare that is filled',
    { ...zone({ count: 1 }), spare: 'a' },
    ['zone-also-filled spare: a is the spare and is also filled'],
  ],
  [
    'a source that is filled',
    { ...zone({ count: 1 }), sources: ['b', 'a'] },
    ['zone-also-filled sources.1: a is a source and is also filled'],
  ],
  ['a source twice', { ...zone({ count: 1 }), sources: ['b', 'c', 'b'] }, ['source-twice sources.2: b is named twice']],
  [
    'a source that is the spare',
    { ...zone({ count: 1 }), sources: ['b'], spare: 'b' },
    ['spare-is-source sources.0: b is a source and is also the spare'],
  ],
  [
    'releases without a spare',
    { ...zone({ count: 1 }), unmanaged: 'release', onDelete: 'release' },
    [
      'no-spare unmanaged: unmanaged: release, without a spare',
      'no-spare onDelete: onDelete: release, without a spare',
    ],
  ],
  ['releases to a spare', { ...zone({ count: 1 }), unmanaged: 'release', onDelete: 'release', spare: 'b' }, []],
  [
    'an unknown zone to ignore',
    { ...zone({ count: 1 }), ignoreChanges: ['zones.a', 'zones.b', 'a'] },
    [
      'not-ignorable ignoreChanges.1: zones.b, which names no zone of this allocation',
      'not-ignorable ignoreChanges.2: a, which names no zone of this allocation',
    ],
  ],
])('%s', (_, spec, expected) => {
  const found = problems(spec);
  expect(found).toHaveLength(expected.length);
  for (const [index, text] of expected.entries()) expect(found[index]).toContain(text);
});

it('an allocation has the zones that are not ignored, countries in small letters, and its limits', () => {
  const spec = { zones: { a: { count: { US: 1 } }, b: { ips: [ip] } }, ignoreChanges: ['zones.b'], maxMoves: '20%' };
  const { zones, maxMoves } = toAllocation(allocationSpec.parse(spec));
  expect([...zones]).toEqual([['a', { ips: [], count: new Map([['us', 1]]), keepAtLeast: undefined }]]);
  expect(maxMoves).toEqual({ percent: 20 });
  expect(toAllocation(allocationSpec.parse({ ...spec, maxMoves: 7 })).maxMoves).toEqual({ count: 7 });
});

it.each<[object, object]>([
  [
    zone({ ips: ['192.0.2.0/24'] }),
    { found: '192.0.2.0/24, a network, not an address', allowed: 'one IPv4 address, such as 192.0.2.10' },
  ],
  [zone({ ips: [` ${ip}`] }), { found: `" ${ip}", not an address` }],
  [zone({ count: {} }), { allowed: 'at least one country, or a number' }],
  [
    zone({ count: { us: 1, US: 2 } }),
    {
      at: 'key',
      allowed: 'each country once, in capital or in small letters',
      also: [{ path: ['zones', 'a', 'count', 'us'], at: 'key', what: 'is the first' }],
    },
  ],
  [
    { ...zone({ count: 1 }), sources: ['c', 'b', 'b'] },
    { allowed: 'each source once', also: [{ path: ['sources', 1], what: 'is the first' }] },
  ],
  [
    { zones: { checkout: { count: 1 }, blog: { count: 1 } }, ignoreChanges: ['zones.chekout'] },
    { allowed: 'one of zones.checkout, zones.blog', fix: 'did you mean zones.checkout?' },
  ],
])('%j is refused with what is allowed', (spec, expected) => {
  expect(wholeProblems(spec)).toMatchObject([expected]);
});

it('an unknown zone to ignore that resembles none has no suggestion', () => {
  const [problem] = wholeProblems({ ...zone({ count: 1 }), ignoreChanges: ['something else'] });
  expect(problem).not.toHaveProperty('fix');
});

it.each<[object, string]>([
  [{ zones: { 'a b': { count: 1 } } }, 'the name of a zone, without spaces'],
  [zone({ count: { usa: 1 } }), 'a country code of two letters'],
  [{ ...zone({ count: 1 }), maxMoves: '-5%' }, 'an integer of at least 0, or a share such as "20%"'],
])('%j is refused, because it must be %s', (spec, allowed) => {
  expect(wholeProblems(spec)).toMatchObject([{ allowed }]);
});

it('an allocation keeps its sources, its spare and its protected IPs', () => {
  const fields = { sources: ['old'], spare: 'parked', unmanaged: 'release', protect: [ip] };
  const allocation = toAllocation(allocationSpec.parse({ ...zone({ count: 3, keepAtLeast: 2 }), ...fields }));
  expect(allocation).toEqual({
    zones: new Map([['a', { ips: [], count: 3, keepAtLeast: 2 }]]),
    sources: ['old'],
    spare: 'parked',
    unmanaged: 'release',
    protect: new Set([ip]),
    maxMoves: undefined,
  });
  const plain = toAllocation(allocationSpec.parse(zone({ count: 1 })));
  expect(plain).toMatchObject({ sources: [], spare: undefined, unmanaged: 'report', protect: new Set() });
});
