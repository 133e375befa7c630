/** Random texts with comments everywhere, and random new values: only what was to change has changed, and no comment is lost. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ProblemError } from '../../../../src/base/diagnostics/problem.ts';
import { lostComments } from '../../../../src/base/yaml/edit/comments.ts';
import { editYaml, withChange } from '../../../../src/base/yaml/edit/editYaml.ts';
import { readYaml } from '../../../../src/base/yaml/source.ts';
import { StyledYaml } from './styledYaml.ts';

type Json = string | number | boolean | Json[] | { [key: string]: Json };

const name = fc.stringMatching(/^[a-z]{1,5}$/);
const word = fc.oneof(fc.stringMatching(/^[a-z][a-z .:'"#,-]{0,8}$/), fc.ipV4());
const scalar = fc.oneof(word, fc.integer({ min: -9, max: 70_000 }), fc.boolean());
const { map, any } = fc.letrec<{ map: Record<string, Json>; any: Json }>((tie) => ({
  map: fc.dictionary(name, tie('any'), { maxKeys: 4, noNullPrototype: true }),
  any: fc.oneof(
    { maxDepth: 3 },
    scalar,
    tie('map'),
    fc.array(word, { maxLength: 6 }),
    fc.array(tie('map'), { maxLength: 3 }),
  ) as fc.Arbitrary<Json>,
}));

/** A value and what became of it: fields that changed, went and came, items that went and came. */
function changed(value: Json, changes: readonly number[], fresh: readonly Json[]): Json {
  let at = 0;
  const next = (below: number) => (changes[at++ % changes.length] ?? 0) % below;
  const other = () => fresh[next(fresh.length)] ?? 0;
  const change = (old: Json): Json => {
    if (Array.isArray(old)) {
      const left = old.filter(() => next(3) > 0).map((item) => (typeof item === 'object' ? change(item) : item));
      if (next(2) === 0)
        left.splice(next(left.length + 1), 0, typeof old[0] === 'object' ? { new: other() } : `new${next(99)}`);
      return left;
    }
    if (typeof old !== 'object') {
      const replaced = other();
      return next(2) === 0 || typeof replaced === 'object' ? old : replaced;
    }
    const fields = Object.entries(old).filter(() => next(4) > 0);
    const added = next(3) === 0 ? [[`added${next(9)}`, other()] as const] : [];
    return Object.fromEntries([...fields.map(([key, field]) => [key, change(field)]), ...added]);
  };
  return change(value);
}

it('changes values and nothing else', () => {
  const refused = new Map<string, number>();
  const numRuns = Number(process.env.ACCEPT_RUNS ?? 100);
  fc.assert(
    fc.property(
      fc.record({ one: map, two: map, three: any }),
      fc.integer(),
      fc.array(fc.nat(997), { minLength: 30, maxLength: 60 }),
      fc.array(any, { minLength: 3, maxLength: 6 }),
      (value, seed, changes, fresh) => {
        const text = new StyledYaml(seed).document({ top: value }, 2);
        expect(readYaml(text, 'w.yaml').value).toEqual({ top: value });
        const two = changed(value.two, changes, fresh);
        const intended = withChange({ top: value }, ['top', 'two'], two);
        try {
          const edited = editYaml(text, leaves(value.two, two, ['top', 'two']), { file: 'w.yaml', env: {} });
          expect(readYaml(edited, 'w.yaml').value).toEqual(intended);
          expect(lostComments(text, edited)).toEqual([]);
          expect(untouched(edited)).toEqual(untouched(text));
        } catch (error) {
          if (!(error instanceof ProblemError)) throw error;
          const [{ found = '' } = {}] = error.problems;
          refused.set(found, (refused.get(found) ?? 0) + 1);
        }
      },
    ),
    { numRuns },
  );
  if (process.env.ACCEPT_RUNS) console.log(refused);
  const count = [...refused.values()].reduce((sum, times) => sum + times, 0);
  expect(count).toBeLessThan(numRuns * 0.25);
});

it('keeps a JSON file one', () => {
  fc.assert(
    fc.property(
      fc.dictionary(name, any, { minKeys: 1, maxKeys: 3, noNullPrototype: true }),
      fc.constantFrom(0, 2),
      fc.array(fc.nat(997), { minLength: 30, maxLength: 60 }),
      fc.array(any, { minLength: 3, maxLength: 6 }),
      (value, indent, changes, fresh) => {
        const text = JSON.stringify({ top: value, other: 1 }, undefined, indent);
        const wanted = changed(value, changes, fresh);
        try {
          const edited = editYaml(text, leaves(value, wanted, ['top']), { file: 'w.json', env: {} });
          expect(JSON.parse(edited)).toEqual({ top: wanted, other: 1 });
        } catch (error) {
          if (!(error instanceof ProblemError)) throw error;
        }
      },
    ),
  );
});

/** Changes key by key, as `drift --accept` makes them. */
function leaves(before: Json, after: Json | undefined, path: string[]): { path: string[]; value: unknown }[] {
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  const isMap = (value: Json | undefined): value is { [key: string]: Json } =>
    typeof value === 'object' && !Array.isArray(value);
  if (!isMap(before) || !isMap(after)) return [{ path, value: after }];
  return Object.keys({ ...before, ...after }).flatMap((key) => {
    const [old, now] = [before[key], after[key]];
    return old === undefined ? [{ path: [...path, key], value: now }] : leaves(old, now, [...path, key]);
  });
}

/** The text of the other entries. */
function untouched(text: string): string[] {
  const lines = text.split('\n');
  const [one, two, three] = ['one', 'two', 'three'].map((key) =>
    lines.findIndex((line) => RegExp(`^ +["']?${key}["']?:`).test(line)),
  );
  return [lines.slice(0, two).join('\n'), lines.slice(three).join('\n'), String(one)];
}
