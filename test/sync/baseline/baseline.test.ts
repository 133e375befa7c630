/** What runs do to the baseline, over random runs. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type AccountBaseline,
  afterRun,
  type BaselineEntry,
  baselineText,
  parseBaseline,
  type Settled,
  withAccount,
} from '../../../src/sync/baseline/baseline.ts';

const empty: AccountBaseline = { account: 'acme', complete: false, resources: [] };

const resource = fc.constantFrom('a', 'b', 'c').map((name) => ({ kind: 'Banner', collection: 'banners', name }));
const spec = fc.record({ text: fc.constantFrom('x', 'y') });

const settled: fc.Arbitrary<Settled> = fc.oneof(
  fc.record({ resource, is: fc.constant('applied' as const), spec, sent: fc.boolean() }),
  fc.record({ resource, is: fc.constant('removed' as const) }),
);

const runs = fc.array(fc.uniqueArray(settled, { selector: (each) => each.resource.name }), { maxLength: 8 });

/** The baseline after these runs, with the ids 1, 2, …; empty runs have none. */
function baselineAfter(drawn: readonly (readonly Settled[])[]): AccountBaseline {
  return drawn.reduce<AccountBaseline>((before, each, index) => {
    const at = new Date(index * 1000).toISOString();
    return afterRun(before, each, { at, run: String(index + 1), complete: false });
  }, empty);
}

const named = ({ resources }: AccountBaseline, name: string): BaselineEntry | undefined =>
  resources.find((each) => each.name === name);

describe('the baseline', () => {
  it('is read back as it was written, also after a run that changed no spec', () => {
    const applied = {
      resource: { kind: 'Banner', collection: 'banners', name: 'a' },
      is: 'applied',
      sent: true,
    } as const;
    const baseline = withAccount(
      undefined,
      baselineAfter([[{ ...applied, spec: { text: 'x' } }], [{ ...applied, spec: { text: 'x' } }]]),
    );
    expect(named(baseline.accounts[0] ?? empty, 'a')?.previous).toEqual({ at: expect.any(String), run: '1' });
    expect(parseBaseline(baselineText(baseline), 'baseline.json')).toEqual(baseline);
  });

  it('holds what was settled last, for each resource', () => {
    fc.assert(
      fc.property(runs, (drawn) => {
        const baseline = baselineAfter(drawn);
        for (const name of ['a', 'b', 'c']) {
          const last = drawn.flat().findLast((each) => each.resource.name === name);
          expect(named(baseline, name)?.spec).toEqual(last?.is === 'applied' ? last.spec : undefined);
        }
      }),
    );
  });

  it('is as before after a run and its undo', () => {
    fc.assert(
      fc.property(runs, resource, spec, (drawn, id, wanted) => {
        const before = baselineAfter(drawn);
        const by = { at: '2030-01-01T00:00:00.000Z', run: 'last', complete: false };
        const applied = afterRun(before, [{ resource: id, is: 'applied', spec: wanted, sent: true }], by);
        const undone = afterRun(applied, [{ resource: id, is: 'undone', run: 'last' }], { ...by, run: 'undo' });
        const { previous: _, ...entry } = named(before, id.name) ?? {};
        expect(named(undone, id.name)).toEqual(Object.keys(entry).length === 0 ? undefined : entry);
      }),
    );
  });

  it('forgets a resource if a run before the last one is undone', () => {
    const [id] = [{ kind: 'Banner', collection: 'banners', name: 'a' }];
    const applied = (text: string): Settled => ({ resource: id, is: 'applied', spec: { text }, sent: true });
    const baseline = baselineAfter([[applied('x')], [applied('y')]]);
    const by = { at: '2030-01-01T00:00:00.000Z', run: '3', complete: false };
    expect(afterRun(baseline, [{ resource: id, is: 'undone', run: '1' }], by).resources).toEqual([]);
  });

  it('stays complete, and keeps other accounts', () => {
    const complete = afterRun(empty, [], { at: '', complete: true });
    expect(afterRun(complete, [], { at: '', complete: false }).complete).toBe(true);
    const other = { ...empty, account: 'other' };
    const both = withAccount(withAccount(undefined, other), complete);
    expect(both.accounts).toEqual([other, complete]);
    expect(withAccount(both, empty).accounts).toEqual([other, empty]);
  });

  it('is read as it was written, and refuses damaged text', () => {
    fc.assert(
      fc.property(runs, fc.nat(), (drawn, cut) => {
        const baseline = withAccount(undefined, baselineAfter(drawn));
        const text = baselineText(baseline);
        expect(parseBaseline(text, 'baseline.json')).toEqual(baseline);
        const damaged = text.slice(0, cut % (text.length - 1));
        expect(() => parseBaseline(damaged, 'baseline.json')).toThrow(/baseline\.json is damaged/);
      }),
    );
  });
});
