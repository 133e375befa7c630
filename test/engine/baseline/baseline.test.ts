/** What runs do to the baseline, over random runs. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  afterRun,
  type BaselineEntry,
  baselineText,
  type Confirmed,
  type DeclarationBaseline,
  declarationsAfter,
  declarationsIn,
  entryOf,
  ownBaseline,
  parseBaseline,
  withDeclarations,
} from '../../../src/engine/baseline/baseline.ts';
import { shownProblems } from '../shownProblems.ts';

const empty: DeclarationBaseline = { places: ['webdata.yaml'], complete: false, resources: [] };

const resource = fc.constantFrom('a', 'b', 'c').map((name) => ({ kind: 'Banner', collection: 'banners', name }));
const spec = fc.record({ text: fc.constantFrom('x', 'y') });

const confirmed: fc.Arbitrary<Confirmed> = fc.oneof(
  fc.record({ resource, is: fc.constant('applied' as const), spec, sent: fc.boolean() }),
  fc.record({ resource, is: fc.constant('removed' as const) }),
);

const runs = fc.array(fc.uniqueArray(confirmed, { selector: (each) => each.resource.name }), { maxLength: 8 });

/** The baseline after these runs, with the ids 1, 2, …; empty runs have none. */
function baselineAfter(drawn: readonly (readonly Confirmed[])[]): DeclarationBaseline {
  return drawn.reduce<DeclarationBaseline>((before, each, index) => {
    const at = new Date(index * 1000).toISOString();
    return afterRun(before, each, { at, run: String(index + 1), complete: false });
  }, empty);
}

const named = ({ resources }: DeclarationBaseline, name: string): BaselineEntry | undefined =>
  resources.find((each) => each.name === name);

describe('the baseline', () => {
  it('holds what was confirmed last, for each resource', () => {
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
        const again = afterRun(undone, [{ resource: id, is: 'undone', run: 'undo' }], { ...by, run: 'redo' });
        expect(again.resources).toEqual(applied.resources);
        const once = afterRun(again, [{ resource: id, is: 'undone', run: 'redo' }], { ...by, run: 'once more' });
        expect(once.resources).toEqual(undone.resources);
        expect(afterRun(once, [{ resource: id, is: 'removed' }], by).undone).toBeUndefined();
      }),
    );
  });

  it('forgets a resource if a run before the last one is undone', () => {
    const [id] = [{ kind: 'Banner', collection: 'banners', name: 'a' }];
    const applied = (text: string): Confirmed => ({ resource: id, is: 'applied', spec: { text }, sent: true });
    const baseline = baselineAfter([[applied('x')], [applied('y')]]);
    const by = { at: '2030-01-01T00:00:00.000Z', run: '3', complete: false };
    expect(afterRun(baseline, [{ resource: id, is: 'undone', run: '1' }], by).resources).toEqual([]);
  });

  it('stays complete, and keeps other accounts', () => {
    const complete = afterRun(empty, [], { at: '', complete: true });
    expect(afterRun(complete, [], { at: '', complete: false }).complete).toBe(true);
    const both = withDeclarations(withDeclarations(undefined, 'other', [empty]), 'acme', [complete]);
    expect(declarationsIn(both, 'other')).toEqual([empty]);
    expect(declarationsIn(withDeclarations(both, 'acme', [empty]), 'acme')).toEqual([empty]);
    expect(declarationsIn(both, 'third')).toEqual([]);
    expect(declarationsIn(undefined, 'acme')).toEqual([]);
  });

  it('is read as it was written, and refuses damaged text', () => {
    fc.assert(
      fc.property(runs, fc.nat(), (drawn, cut) => {
        const baseline = withDeclarations(undefined, 'acme', [baselineAfter(drawn)]);
        const text = baselineText(baseline);
        expect(parseBaseline(text, 'baseline.json')).toEqual(baseline);
        const damaged = text.slice(0, cut % (text.length - 1));
        expect(() => parseBaseline(damaged, 'baseline.json')).toThrow(/baseline\.json is damaged/);
      }),
    );
  });

  it('is refused with the cause and its place', async () => {
    const refusal = (value: unknown) =>
      shownProblems(() => parseBaseline(typeof value === 'string' ? value : JSON.stringify(value), 'baseline.json'));
    const format = 'webdata.baseline/1';
    expect(await refusal('{')).toMatchInlineSnapshot(`
      "baseline.json is damaged: it is not JSON
        allowed: a baseline that this tool wrote
        fix: restore it, or delete it: until the next complete apply, every difference then counts as drift"
    `);
    expect(
      await refusal({ format, accounts: [{ account: 'acme', declarations: [{ ...empty, complete: 1 }] }] }),
    ).toMatchInlineSnapshot(`
      "baseline.json is damaged: at accounts[0].declarations[0].complete: Invalid input: expected boolean, received number
        allowed: a baseline that this tool wrote
        fix: restore it, or delete it: until the next complete apply, every difference then counts as drift"
    `);
    expect(await refusal({ format: 'webdata.baseline/2', accounts: [] })).toMatchInlineSnapshot(`
      "baseline.json has the format webdata.baseline/2
        allowed: webdata.baseline/1
        fix: use the version of webdata that wrote it, or a newer one"
    `);
    const causes = async (value: unknown) => /is damaged: (.*)/.exec(await refusal(value))?.[1];
    expect(await causes({ accounts: [] })).toMatchInlineSnapshot(
      `"at format: Invalid input: expected "webdata.baseline/1""`,
    );
    const deep = JSON.parse('['.repeat(1000) + ']'.repeat(1000));
    const entry = { kind: 'A', collection: 'a', name: 'a', spec: {}, at: '2026-07-01T10:00:00Z' };
    const account = (resource: object) => ({
      format,
      accounts: [{ account: '', declarations: [{ ...empty, resources: [resource] }] }],
    });
    expect(await causes(account(entry))).toBeUndefined();
    expect(await causes(account({ ...entry, spec: deep }))).toMatchInlineSnapshot(
      `"at accounts[0].declarations[0].resources[0].spec: maps and lists are nested too deeply"`,
    );
    expect(await causes(account({ ...entry, at: 'today' }))).toMatchInlineSnapshot(
      `"at accounts[0].declarations[0].resources[0].at: Invalid ISO datetime"`,
    );
    expect(await causes(account({ ...entry, previous: { at: entry.at } }))).toBeUndefined();
    expect(await causes(account({ ...entry, previous: {} }))).toMatchInlineSnapshot(
      `"at accounts[0].declarations[0].resources[0].previous.at: Invalid input: expected string, received undefined"`,
    );
  });

  it('keeps its resources in order, with their whole entries', () => {
    const applied = (name: string, text: string, sent = true, collection = 'banners'): Confirmed => ({
      resource: { kind: 'Banner', collection, name },
      is: 'applied',
      spec: { text },
      sent,
    });
    const by = (run: string, day: number) => ({ at: `2026-07-0${day}T00:00:00.000Z`, run, complete: false });
    const first = afterRun(empty, [applied('b', 'x'), applied('a', 'x'), applied('z', 'x', true, 'aaa')], by('r1', 1));
    expect(first.resources.map(({ collection, name }) => `${collection}.${name}`)).toEqual([
      'aaa.z',
      'banners.a',
      'banners.b',
    ]);
    const second = afterRun(
      first,
      [applied('a', 'y'), applied('b', 'x', false), applied('z', 'y', false, 'aaa')],
      by('r2', 2),
    );
    const id = { kind: 'Banner', collection: 'banners' };
    expect(second.resources).toEqual([
      { ...id, collection: 'aaa', name: 'z', spec: { text: 'y' }, at: by('', 2).at },
      {
        ...{ ...id, name: 'a', spec: { text: 'y' }, at: by('', 2).at, run: 'r2' },
        previous: { at: by('', 1).at, run: 'r1', spec: { text: 'x' } },
      },
      { ...id, name: 'b', spec: { text: 'x' }, at: by('', 1).at, run: 'r1' },
    ]);
    const third = afterRun(second, [applied('z', 'w', true, 'aaa')], by('r3', 3));
    expect(named(third, 'z')?.previous).toStrictEqual({ at: by('', 2).at, spec: { text: 'y' } });
    const undone: Confirmed = { resource: { ...id, name: 'a' }, is: 'undone', run: 'r2' };
    expect(named(afterRun(second, [undone], by('r3', 3)), 'a')).toStrictEqual(named(first, 'a'));
    const unknown: Confirmed = { resource: { ...id, name: 'new' }, is: 'undone', run: 'r2' };
    expect(named(afterRun(second, [unknown], by('r3', 3)), 'new')).toBeUndefined();
  });

  it('of a declaration changes only by its own runs, and by an undo of one of them from elsewhere', () => {
    const places = [['a.yaml'], ['b.yaml'], ['a.yaml', 'overlay.yaml']] as const;
    const place = fc.constantFrom(...places);
    fc.assert(
      fc.property(
        fc.array(fc.tuple(place, fc.uniqueArray(confirmed, { selector: (each) => each.resource.name }))),
        (drawn) => {
          let declarations: DeclarationBaseline[] = [];
          let ofA: Confirmed[][] = [];
          let ofB: Confirmed[][] = [];
          for (const [index, [its, each]] of drawn.entries()) {
            const by = { at: new Date(index * 1000).toISOString(), run: String(index), complete: true };
            declarations = declarationsAfter(declarations, its, each, by);
            if (its[0] === 'a.yaml') ofA = [...ofA, each];
            else ofB = [...ofB, each];
          }
          const specs = (its: DeclarationBaseline | undefined) =>
            its?.resources.map(({ name, spec }) => [name, spec]) ?? [];
          expect(specs(ownBaseline(declarations, ['a.yaml']))).toEqual(specs(baselineAfter(ofA)));
          expect(specs(ownBaseline(declarations, ['b.yaml']))).toEqual(specs(baselineAfter(ofB)));
          const run = ownBaseline(declarations, ['a.yaml'])?.resources.find((entry) => entry.run !== undefined);
          if (run?.run === undefined) return;
          const undone: Confirmed = { resource: run, is: 'undone', run: run.run };
          const after = declarationsAfter(declarations, ['b.yaml'], [undone], { at: '', run: 'undo', complete: false });
          expect(entryOf(ownBaseline(after, ['a.yaml']) ?? empty, run)?.run).not.toBe(run.run);
          expect(specs(ownBaseline(after, ['b.yaml']))).toEqual(specs(ownBaseline(declarations, ['b.yaml'])));
        },
      ),
    );
  });
});
