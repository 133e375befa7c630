// biome-ignore-all lint/suspicious/noTemplateCurlyInString: `${NAME}` is the syntax under test
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { type Location, ProblemError } from '../../../src/base/diagnostics/problem.ts';
import { mergeSources, type ReadOptions, readYaml, type YamlSource } from '../../../src/base/yaml/source.ts';
import { formatProblems } from '../../../src/report/text/problems.ts';

type Json = string | number | boolean | { [key: string]: Json } | Json[];

const name = fc.stringMatching(/^[a-z]{1,6}$/);
const scalar = fc.oneof(
  fc.integer(),
  fc.boolean(),
  fc.string().filter((text) => !text.includes('${')),
);
const { map } = fc.letrec<{ map: Record<string, Json>; any: Json }>((tie) => ({
  map: fc.dictionary(name, tie('any'), { maxKeys: 4, noNullPrototype: true }),
  any: fc.oneof({ maxDepth: 4 }, scalar, tie('map'), fc.array(tie('any'), { maxLength: 3 })) as fc.Arbitrary<Json>,
}));

/** Block or flow style, wide or narrow: the same document in different clothes. */
const style = fc.record({
  collectionStyle: fc.constantFrom<'block' | 'flow' | 'any'>('block', 'flow', 'any'),
  indent: fc.integer({ min: 1, max: 5 }),
  defaultStringType: fc.constantFrom<'QUOTE_DOUBLE' | 'QUOTE_SINGLE'>('QUOTE_DOUBLE', 'QUOTE_SINGLE'),
});

function problemsIn(text: string, options?: ReadOptions): ProblemError['problems'] {
  try {
    readYaml(text, 'w.yaml', options);
    return [];
  } catch (error) {
    if (error instanceof ProblemError) return error.problems;
    throw error;
  }
}

/** The text from a place on. */
function textAt(text: string, place: Location | undefined): string {
  const line = text.split('\n')[(place?.line ?? 0) - 1] ?? '';
  return line.slice((place?.column ?? 0) - 1);
}

function pathsOf(value: unknown, path: PropertyKey[] = []): PropertyKey[][] {
  if (typeof value !== 'object' || value === null) return [path];
  const children = Object.entries(value).flatMap(([key, child]) =>
    pathsOf(child, [...path, Array.isArray(value) ? Number(key) : key]),
  );
  return [path, ...children];
}

/** A map with one more scalar in it, `marker`, under the key `key`, at some depth. */
const withMarker = (key: string, marker: string) =>
  fc.tuple(map, fc.array(name, { maxLength: 4 }), style).map(([root, parents, clothes]) => {
    const inner = parents.reduceRight<Json>((child, parent) => ({ before: 1, [parent]: child }), {
      first: 'x',
      [key]: marker,
    });
    return { text: stringify({ ...root, zz: inner }, clothes), path: ['zz', ...parents, key] };
  });

describe('reading', () => {
  it('reads what the YAML library writes, in any style', () => {
    fc.assert(
      fc.property(map, style, (value, clothes) => {
        expect(readYaml(stringify(value, clothes), 'w.yaml', { env: {} }).value).toEqual(value);
      }),
    );
  });

  it('throws nothing but problems, with places inside of the text, each printed safely', () => {
    const token = fc.constantFrom(
      ...'-?:,[]{}#&*!|>\'"%@`~ \n\t',
      '- ',
      ': ',
      '\n  ',
      '<<: ',
      '&a ',
      '*a',
      '---\n',
      '...',
      '${',
      '$${A}',
      '${A}',
      'a',
      '!!int ',
      '\r\n',
      '\uFEFF',
      '\u0000',
    );
    const soup = fc.oneof(
      fc.array(token, { maxLength: 40 }).map((tokens) => tokens.join('')),
      fc.string({ unit: 'binary', maxLength: 60 }),
    );
    fc.assert(
      fc.property(soup, fc.option(fc.constant({ A: 'x: [1]' }), { nil: undefined }), (text, env) => {
        const problems = problemsIn(text, env && { env });
        const lines = text.replace(/^\uFEFF/, '').split('\n');
        for (const { place } of problems) {
          expect(place?.line).toBeLessThanOrEqual(lines.length);
          expect(place?.column).toBeLessThanOrEqual((lines[(place?.line ?? 0) - 1]?.length ?? 0) + 1);
          expect(Math.min(place?.line ?? 0, place?.column ?? 0)).toBeGreaterThan(0);
        }
        // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
        expect(formatProblems(problems)).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f]/);
      }),
      { numRuns: 3000 },
    );
  });
});

describe('substitution', () => {
  it('never changes the structure, whatever the variable holds', () => {
    const hostile = fc.oneof(
      fc.string({ minLength: 1, unit: 'binary' }),
      fc.constantFrom(
        'a: b',
        '- x',
        '[1',
        '{',
        '#',
        '*a',
        '\n- x: 1',
        '---',
        '"',
        'null',
        '~',
        '12',
        'true',
        '${V}',
        '$&',
      ),
    );
    fc.assert(
      fc.property(hostile, style, (value, clothes) => {
        const bare = 'plain: ${V}\ninside: x${V}y\nblock: |\n  ${V}\nlist:\n  - ${V}\n';
        const quoted = stringify({ quoted: '${V}', twice: ['${V}${V}'] }, clothes);
        const [read, styled] = [bare, quoted].map((text) => {
          const { value: substituted } = readYaml(text, 'w.yaml', { env: { V: value } });
          expect(pathsOf(substituted)).toEqual(pathsOf(readYaml(text, 'w.yaml').value));
          return substituted as Record<string, Json>;
        });
        expect(styled).toEqual({ quoted: value, twice: [value + value] });
        expect(read).toMatchObject({ inside: `x${value}y`, block: `${value}\n` });
        if (typeof read?.plain === 'string') expect(read.plain).toBe(value);
        else expect(['number', 'boolean']).toContain(typeof read?.plain);
      }),
    );
  });

  it('points at the column of a missing variable', () => {
    fc.assert(
      fc.property(withMarker('key', 'x${V}${GONE}'), ({ text, path }) => {
        const [problem, ...others] = problemsIn(text, { env: { V: '1' } });
        expect(others).toEqual([]);
        expect(problem).toMatchObject({ code: 'missing-variable', path });
        expect(textAt(text, problem?.place)).toMatch(/^\$\{GONE\}/);
      }),
    );
  });
});

describe('places', () => {
  it('of keys and values are where they stand', () => {
    fc.assert(
      fc.property(withMarker('needle', 'MARKER'), ({ text, path }) => {
        const source = readYaml(text, 'w.yaml');
        expect(textAt(text, source.locationOf(path))).toMatch(/^['"]?MARKER/);
        expect(textAt(text, source.locationOf(path, 'key'))).toMatch(/^['"]?needle/);
      }),
    );
  });

  it('of every path, existing or not, are inside of the text', () => {
    fc.assert(
      fc.property(map, style, fc.array(name), (value, clothes, nowhere) => {
        const text = stringify(value, clothes);
        const source = readYaml(text, 'w.yaml');
        for (const path of pathsOf(value)) {
          expect(textAt(text, source.locationOf(path))).not.toBe('');
          expect(textAt(text, source.locationOf([...path, ...nowhere, '?'], 'key'))).not.toBe('');
        }
      }),
    );
  });
});

describe('merging', () => {
  /** Maps whose inner nodes are maps in all of them: `a` to `c` are maps, `x` to `z` are scalars. */
  const { layered } = fc.letrec<{ layered: Record<string, Json> }>((tie) => ({
    layered: fc
      .tuple(
        fc.dictionary(fc.constantFrom('x', 'y', 'z'), fc.oneof(scalar, fc.array(scalar, { maxLength: 2 })), {
          noNullPrototype: true,
        }),
        fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.oneof({ maxDepth: 3 }, fc.constant({}), tie('layered')), {
          maxKeys: 2,
          noNullPrototype: true,
        }),
      )
      .map(([scalars, maps]) => ({ ...scalars, ...maps }) as Record<string, Json>),
  }));
  const source = (value: Json, file = 'w.yaml') => readYaml(stringify(value), file);
  const empty = source({});
  const merged = (...sources: YamlSource[]) => mergeSources(sources);

  it('is associative, places included', () => {
    fc.assert(
      fc.property(layered, layered, layered, (a, b, c) => {
        const [x, y, z] = [source(a, 'a'), source(b, 'b'), source(c, 'c')];
        const [left, right] = [merged(merged(x, y), z), merged(x, merged(y, z))];
        expect(left.value).toEqual(right.value);
        for (const path of pathsOf(left.value)) expect(left.locationOf(path)).toEqual(right.locationOf(path));
      }),
    );
  });

  it('with an empty file changes nothing, and twice is once', () => {
    fc.assert(
      fc.property(map, (value) => {
        const one = source(value);
        expect(merged(one, empty).value).toEqual(value);
        expect(merged(empty, one).value).toEqual(value);
        expect(merged(one, one).value).toEqual(value);
      }),
    );
  });

  it('places every value in the file that has it', () => {
    fc.assert(
      fc.property(map, map, (a, b) => {
        const sources = new Map([
          ['a', source(a, 'a')],
          ['b', source(b, 'b')],
        ]);
        const both = mergeSources([...sources.values()]);
        for (const path of pathsOf(both.value)) {
          const place = both.locationOf(path);
          expect(sources.get(place.file)?.locationOf(path)).toEqual(place);
        }
      }),
    );
  });
});
