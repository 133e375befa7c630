/** The three-way comparison, over random baselines, declarations and live states of named values. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Compared, causesOf } from '../../../src/engine/baseline/causes.ts';
import { propertyChanges } from '../../../src/kinds/seam/changes.ts';
import type { SpecDifference } from '../../../src/kinds/seam/comparison.ts';

/** Values by name, two levels deep: a part may be missing as a whole. */
const leaf = fc.constantFrom(1, 2, 3);
const state = fc.dictionary(
  fc.constantFrom('a', 'b', 'c'),
  fc.oneof(leaf, fc.dictionary(fc.constantFrom('x', 'y'), leaf, { minKeys: 1 })),
);

const compared = (declared: object, baseline: object, live: object) =>
  causesOf(propertyChanges(live, declared), { differences: propertyChanges(live, baseline) });

describe('the causes of differences', () => {
  it('are one for each difference between declaration and live state', () => {
    fc.assert(
      fc.property(state, state, state, (declared, baseline, live) => {
        const paths = compared(declared, baseline, live).map(({ path }) => path);
        expect(paths).toEqual(propertyChanges(live, declared).map(({ path }) => path));
      }),
    );
  });

  it('are drift where the declaration is as it was applied', () => {
    fc.assert(
      fc.property(state, state, (declared, live) => {
        for (const { cause } of compared(declared, declared, live)) expect(cause).toBe('drift');
      }),
    );
  });

  it('are pending where the live state is as it was applied', () => {
    fc.assert(
      fc.property(state, state, (declared, live) => {
        for (const { cause } of compared(declared, live, live)) expect(cause).toBe('pending');
      }),
    );
  });

  it('are those of each value where all three have the same parts', () => {
    const values = fc.record({ a: leaf, b: leaf, c: leaf });
    fc.assert(
      fc.property(values, values, values, (declared, baseline, live) => {
        for (const { path, cause, baseline: applied } of compared(declared, baseline, live)) {
          const key = path[0] as 'a' | 'b' | 'c';
          const isDrift = live[key] !== baseline[key];
          const isPending = declared[key] !== baseline[key];
          expect(cause).toBe(isDrift && isPending ? 'both' : isDrift ? 'drift' : 'pending');
          expect(applied).toBe(cause === 'both' ? baseline[key] : undefined);
        }
      }),
    );
  });

  it('never hide drift of a value below a changed part', () => {
    fc.assert(
      fc.property(state, state, state, (declared, baseline, live) => {
        const drifted = new Set(propertyChanges(live, baseline).map(({ path }) => String(path[0])));
        for (const { path, cause } of compared(declared, baseline, live)) {
          if (!drifted.has(String(path[0]))) expect(cause).toBe('pending');
          if (path.length === 1 && drifted.has(String(path[0]))) expect(cause).not.toBe('pending');
        }
      }),
    );
  });

  it('are pending for a new resource, and drift where nothing is known', () => {
    const difference: SpecDifference = { path: ['a'], kind: 'add', after: 1 };
    expect(causesOf([difference], 'none')).toMatchObject([{ cause: 'pending' }]);
    expect(causesOf([difference], 'unknown')).toMatchObject([{ cause: 'drift' }]);
  });

  it('are never drift for what no read shows', () => {
    const difference: SpecDifference = { path: ['absentPorts', 24_010], kind: 'remove', isObserved: false };
    const baselines: Compared[] = ['unknown', 'none', { differences: [difference] }, { differences: [] }];
    for (const baseline of baselines) {
      expect(causesOf([difference], baseline)).toMatchObject([{ cause: 'pending' }]);
    }
  });

  it('keep what changes, with the value of the baseline where all three differ', () => {
    const at = (path: PropertyKey[], after: unknown, before: unknown = 1): SpecDifference => ({
      ...{ path, kind: 'change', before, after },
    });
    const compare = (declared: SpecDifference, ...differences: SpecDifference[]) =>
      causesOf([declared], { differences });
    const change = at(['a', 1], 2);
    const { path, kind } = change;
    expect(compare(change)).toStrictEqual([{ path, kind, before: 1, after: 2, cause: 'pending' }]);
    expect(compare(change, at(['a', '1'], 2))).toStrictEqual([{ path, kind, before: 1, after: 2, cause: 'drift' }]);
    expect(compare(change, at(['a', 1], 3))).toStrictEqual([
      { path, kind, before: 1, after: 2, cause: 'both', baseline: 3 },
    ]);
    const removal: SpecDifference = { path, kind: 'remove', before: 1 };
    expect(compare(change, removal)).toStrictEqual([{ path, kind, before: 1, after: 2, cause: 'both' }]);
    expect(compare(removal, removal)).toStrictEqual([{ path, kind: 'remove', before: 1, cause: 'drift' }]);
    const addition: SpecDifference = { path, kind: 'add', after: 2 };
    expect(compare(addition, change)).toStrictEqual([{ path, kind: 'add', after: 2, cause: 'both', baseline: 2 }]);
    const unseen = { ...removal, isObserved: false };
    expect(compare(unseen)).toStrictEqual([{ path, kind: 'remove', before: 1, cause: 'pending', isObserved: false }]);
    expect(compare({ ...removal, isObserved: true })[0]).not.toHaveProperty('isObserved');
  });

  it('relate a value to what is above and below it, and to nothing beside it', () => {
    const at = (...path: string[]): SpecDifference => ({ path, kind: 'change', before: 1, after: path.join() });
    const cause = (declared: SpecDifference, ...differences: SpecDifference[]) => {
      const [only] = causesOf([declared], { differences });
      return [only?.cause, only?.baseline];
    };
    expect(cause(at('a', 'b'), at('a'))).toEqual(['both', undefined]);
    expect(cause(at('a', 'b', 'c'), at('a'))).toEqual(['both', undefined]);
    expect(cause(at('a', 'b'), at())).toEqual(['both', undefined]);
    expect(cause(at('a'), at('a', 'b'))).toEqual(['both', undefined]);
    expect(cause(at('a'), at('a', 'b'), at('a', 'c'))).toEqual(['both', undefined]);
    expect(cause(at('a'), at('a', 'b', 'c'))).toEqual(['both', undefined]);
    expect(cause(at('a'), at('a'), at('a', 'b'))).toEqual(['both', undefined]);
    expect(cause(at('a', 'b'), at('a', 'c'))).toEqual(['pending', undefined]);
    expect(cause(at('a'), at('b'), at('ab'), at('b', 'a'))).toEqual(['pending', undefined]);
    const about = (subject: string, ...path: string[]) => ({ ...at(...path), subject });
    expect(cause(about('x', 'a'), about('y', 'b'), at('c'))).toEqual(['pending', undefined]);
    expect(cause(at('a'), about('x', 'b'), at('c'))).toEqual(['pending', undefined]);
    expect(cause(about('x', 'a'), about('x', 'b'), about('x', 'c'))).toEqual(['both', undefined]);
    expect(cause(about('x', 'a'), { ...about('x', 'a'), after: 2 })).toEqual(['both', 2]);
  });

  it('compare differences with the same subject, although their paths differ', () => {
    const inZone = (zone: string) => ({
      path: ['zones', zone, 'ips', '192.0.2.10'],
      kind: 'change' as const,
      before: 'parked',
      after: zone,
      subject: 'IP 192.0.2.10',
    });
    const cause = (baseline: string) =>
      causesOf([inZone('checkout')], { differences: [inZone(baseline)] }).map((each) => each.cause);
    expect(cause('checkout')).toEqual(['drift']);
    expect(cause('pricing')).toEqual(['both']);
  });
});
