/** An allocation in a state of its own, as Pulumi keeps one: its id, its comparable form, and what a refresh stores. */
import { describe, expect, it } from 'vitest';
import { storedAllocation } from '../../../providers/core/stored/zoneIpAllocation.ts';
import { ProblemError } from '../../../src/base/diagnostics/problem.ts';
import type { Listings } from '../../../src/kinds/accountView.ts';
import { AddressMap } from '../../../src/kinds/addressMap.ts';
import type { SentCall } from '../../../src/kinds/call.ts';
import type { Context } from '../../../src/kinds/context.ts';
import { allocationSpec, type ZoneIpAllocationSpec } from '../../../src/kinds/zoneIpAllocation/spec.ts';
import type { AllocationState } from '../../../src/kinds/zoneIpAllocation/state.ts';
import { allocationId, journaled, migrate, portsCall, seen } from '../../report/samples.ts';

const parse = (spec: object) => allocationSpec.parse(spec);
const context = {} as Context;

function stateOf(zones: Record<string, Record<string, string>>): AllocationState {
  const listings = new Map(
    Object.entries(zones).map(([zone, ips]) => [
      zone,
      AddressMap.of(Object.entries(ips).map(([ip, country]) => [ip, { country, geolocation: {} }] as const)),
    ]),
  ) as Listings;
  const neighbours = { protect: new Set(), declared: new Map(), floors: new Map(), zones: new Set() };
  return { listings, neighbours, limits: {} } as unknown as AllocationState;
}

describe('the id of an allocation', () => {
  const idOf = (...zones: string[]) =>
    storedAllocation.id(parse({ zones: Object.fromEntries(zones.map((zone) => [zone, { count: 1 }])) }), context);

  it('names its zones, and can be imported however many there are', () => {
    expect(idOf('a')).toBe('a');
    const zones = ['a', 'b', 'c', 'd', 'e', 'f'];
    expect(idOf(...zones)).toBe('a,b,c,d,e,f');
    expect(storedAllocation.importTarget?.(idOf(...zones)).target.zones).toEqual(zones);
  });

  it('of an import is a list of zones, each once', () => {
    const name = 'checkout,pricing';
    expect(storedAllocation.importTarget?.(' checkout, pricing,checkout ')).toEqual({
      id: name,
      target: { name, zones: ['checkout', 'pricing'] },
      inputs: {},
    });
    for (const id of ['', 'a,', 'a,,b'])
      expect(() => storedAllocation.importTarget?.(id)).toThrow(`${JSON.stringify(id)} is not a list of zones`);
  });
});

describe('inputs', () => {
  it('are equal whatever the order and the repetitions of their lists', () => {
    const normalized = storedAllocation.normalize?.({
      zones: { a: { ips: ['10.0.0.10', '10.0.0.9', '10.0.0.10'], count: 2 }, b: { count: 1 }, c: undefined },
      protect: ['10.0.0.2', '10.0.0.1', '10.0.0.2'],
      ignoreChanges: ['zones.b', 'zones.a'],
      sources: ['z', 'y'],
    });
    expect(normalized).toEqual({
      zones: { a: { ips: ['10.0.0.9', '10.0.0.10'], count: 2 }, b: { count: 1 }, c: undefined },
      protect: ['10.0.0.1', '10.0.0.2'],
      ignoreChanges: ['zones.a', 'zones.b'],
      sources: ['z', 'y'],
    });
  });

  it('that are not known yet stay as they are', () => {
    const unknown = { zones: 'unknown', protect: 'unknown', ignoreChanges: 'unknown' };
    expect(storedAllocation.normalize?.(unknown)).toEqual(unknown);
    expect(storedAllocation.normalize?.({ zones: { a: { ips: 'unknown' } } })).toEqual({
      zones: { a: { ips: 'unknown' } },
    });
    expect(storedAllocation.normalize?.({ zones: ['unknown'] })).toEqual({ zones: ['unknown'] });
    expect(storedAllocation.normalize?.({})).toEqual({});
  });

  it('of the same meaning are comparable: in any order of sources, with countries in any case', () => {
    const comparable = (spec: object) => storedAllocation.comparable?.(parse(spec));
    const zones = (count: object | number) => ({ a: { count } });
    expect(comparable({ zones: zones({ US: 1 }), sources: ['z', 'y'] })).toEqual(
      comparable({ zones: zones({ us: 1 }), sources: ['y', 'z'] }),
    );
    expect(comparable({ zones: zones({ us: 1 }) })).not.toEqual(comparable({ zones: zones({ us: 2 }) }));
    expect(comparable({ zones: zones(1) })).not.toEqual(comparable({ zones: zones(2) }));
  });
});

describe('a refresh', () => {
  it('stores the listed IPs that are present, those of other zones that strayed, and the live counts', () => {
    const zones = {
      a: { ips: ['10.0.0.2', '10.0.0.9'], count: { us: 5, de: 5 } },
      b: { ips: ['10.0.0.1'] },
      c: { count: 7, keepAtLeast: 1 },
      d: { count: 1 },
    };
    const state = stateOf({
      a: { '10.0.0.2': 'us', '10.0.0.1': 'us', '10.0.0.7': 'de' },
      b: {},
      c: { '10.0.0.9': 'us', '10.0.0.8': 'us' },
    });
    expect(storedAllocation.liveInputs({ spare: 'parked', zones }, parse({ zones }), state)).toEqual({
      spare: 'parked',
      zones: {
        a: { ips: ['10.0.0.1', '10.0.0.2'], count: { us: 2, de: 1 } },
        b: { ips: [] },
        c: { ips: ['10.0.0.9'], count: 2, keepAtLeast: 1 },
        d: { count: 0 },
      },
    });
  });

  it('shows where each IP of the zones is, and which are unmanaged, and keeps the last moves', () => {
    const spec = parse({ zones: { a: { ips: ['10.0.0.1'] } }, sources: ['old'] });
    const state = stateOf({ a: { '10.0.0.1': 'us', '10.0.0.2': 'us' }, old: { '10.0.0.3': 'us' } });
    const outputs = (olds: object) => storedAllocation.outputs({ spec, state, sent: undefined, olds: { ...olds } });
    expect(outputs({})).toEqual({
      placements: { '10.0.0.1': 'a', '10.0.0.2': 'a' },
      unmanagedIps: { '10.0.0.2': 'a' },
    });
    expect(outputs({ moved: ['last'], placements: { x: 'y' } })).toMatchObject({ moved: ['last'] });
  });
});

describe('after an update', () => {
  const spec = parse({ zones: { a: { count: 1 }, b: { count: 1 } }, sources: ['old'] });
  const call = migrate('old', 'a', ['10.0.0.1', '10.0.0.2']);
  const sent: SentCall<never>[] = [
    journaled(allocationId, call, { answered: { at: '2026-07-01T10:00:00.000Z' }, seen: seen(call) }) as never,
    journaled(allocationId, portsCall) as never,
  ];

  it('the moves of its calls are stored', () => {
    const state = stateOf({ a: { '10.0.0.1': 'us', '10.0.0.2': 'us' }, b: {}, old: {} });
    expect(storedAllocation.outputs({ spec, state, sent, olds: { moved: ['before'] } })).toMatchObject({
      moved: [
        { ip: '10.0.0.1', from: 'old', to: 'a' },
        { ip: '10.0.0.2', from: 'old', to: 'a' },
      ],
    });
    expect(storedAllocation.outputs({ spec, state, sent: [], olds: {} })).toMatchObject({ moved: [] });
  });

  it('that failed, the placements are those of before with its moves, in zones of the allocation', () => {
    const olds = { placements: { '10.0.0.9': 'b', '10.0.0.8': 'old' }, unmanagedIps: { '10.0.0.9': 'b' } };
    expect(storedAllocation.outputs({ spec, state: undefined, sent, olds })).toMatchObject({
      placements: { '10.0.0.1': 'a', '10.0.0.2': 'a', '10.0.0.9': 'b' },
      unmanagedIps: { '10.0.0.9': 'b' },
    });
    expect(storedAllocation.outputs({ spec, state: undefined, sent: undefined, olds: {} })).toEqual({
      placements: {},
      unmanagedIps: {},
    });
  });

  it('zones that the resource named before are listed too', () => {
    const others: ZoneIpAllocationSpec[] = [spec];
    const after = storedAllocation.withOlds?.({ others } as unknown as Context, {
      zones: { gone: { count: 1 } },
      sources: ['source'],
      spare: 'parked',
    });
    expect(after?.others).toMatchObject([spec, { zones: {}, sources: ['gone', 'source', 'parked'] }]);
    expect(storedAllocation.withOlds?.({ others: [] } as unknown as Context, {}).others).toMatchObject([
      { sources: [] },
    ]);
  });
});

describe('a delete', () => {
  const spec = parse({ zones: { a: { count: 1 }, b: { count: 1 } } });

  it('leaves the zones that other resources fill', () => {
    const other = (...zones: string[]) =>
      parse({ zones: Object.fromEntries(zones.map((zone) => [zone, { count: 1 }])) });
    expect(Object.keys(storedAllocation.toDelete?.(spec, [])?.zones ?? {})).toEqual(['a', 'b']);
    expect(Object.keys(storedAllocation.toDelete?.(spec, [other('b', 'c')])?.zones ?? {})).toEqual(['a']);
    expect(storedAllocation.toDelete?.(spec, [other('b'), other('a')])).toBeUndefined();
  });
});

describe('zones that the service does not know any more', () => {
  const inputs = { zones: { a: { count: 1 }, b: { count: 1 } }, sources: ['s', 't'], spare: 'parked' };
  const unknown = (...paths: string[]) =>
    new ProblemError(paths.map((path) => ({ code: 'unknown-zone', found: path, path: path.split('.') })));

  async function withoutGone(error: unknown, given: object = inputs) {
    let asked = 0;
    const recentIps = async () => {
      asked += 1;
      return {};
    };
    const client = () => ({ zones: { recentIps } });
    const left = await storedAllocation.withoutGone?.({ ...given }, error, { client } as unknown as Context);
    return { left, asked };
  }

  it('are left out, as are such sources and the spare', async () => {
    expect(await withoutGone(unknown('zones.a', 'sources.0', 'spare'))).toEqual({
      left: { zones: { b: { count: 1 } }, sources: ['t'] },
      asked: 1,
    });
    expect((await withoutGone(unknown('zones.a'))).left).toEqual({ ...inputs, zones: { b: { count: 1 } } });
    expect((await withoutGone(unknown('zones.a'), { zones: inputs.zones })).left).toEqual({
      zones: { b: { count: 1 } },
    });
  });

  it('are the end of the resource if none is left', async () => {
    expect((await withoutGone(unknown('zones.a', 'zones.b'))).left).toBeNull();
  });

  it('are not concluded from other errors', async () => {
    const other = new ProblemError([
      { code: 'unknown-zone', found: 'a', path: ['zones', 'a'] },
      { code: 'other', found: 'b' },
    ]);
    for (const error of [new Error('no answer'), new ProblemError([]), other])
      expect(await withoutGone(error)).toEqual({ left: undefined, asked: 0 });
  });
});

it('the zones that were used recently can be imported', async () => {
  const client = () => ({ zones: { recentIps: async () => ({ checkout: [], pricing: [] }) } });
  expect(await storedAllocation.list?.({}, { client } as unknown as Context)).toEqual([
    { id: 'checkout', name: 'checkout' },
    { id: 'pricing', name: 'pricing' },
  ]);
});
