/** Formatting keeps values and comments, and formatting again changes nothing. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ProblemError } from '../../../src/base/diagnostics/problem.ts';
import { commentsIn } from '../../../src/base/yaml/edit/comments.ts';
import { formatYaml } from '../../../src/base/yaml/format.ts';
import { readYaml } from '../../../src/base/yaml/source.ts';

const key = fc.constantFrom('a', 'b', 'zones', 'ips', 'count', 'x-y');
// biome-ignore-start lint/suspicious/noTemplateCurlyInString: a variable of a declaration
const scalar = fc.constantFrom(
  '1',
  'true',
  'text',
  '"quoted: # no comment"',
  "'it''s'",
  '192.0.2.1',
  '0x1F',
  '1.50',
  '~',
  '"${NAME}"',
);
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: a variable of a declaration
const comment = fc.constantFrom('', '', ' # why', '   # spaced');
const line = fc.constantFrom('', '', '\n# above\n', '\n\n\n');

/** A block map of the given depth, with odd indentation, comments and blank lines. */
const blockMap = (depth: number, indent: string): fc.Arbitrary<string> =>
  fc
    .uniqueArray(fc.record({ key, scalar, comment, line, deeper: fc.boolean(), flow: fc.boolean() }), {
      minLength: 1,
      maxLength: 4,
      selector: (entry) => entry.key,
    })
    .chain((entries) =>
      fc.tuple(
        ...entries.map((entry) => {
          const head = `${entry.line}${indent}${entry.key}:`;
          if (entry.deeper && depth > 0)
            return blockMap(depth - 1, `${indent}   `).map((inner) => `${head}${entry.comment}\n${inner}`);
          if (entry.flow)
            return fc.constant(`${head} {p: ${entry.scalar},   q: [ ${entry.scalar} ,2]}${entry.comment}\n`);
          return fc.constant(`${head}   ${entry.scalar}${entry.comment}\n`);
        }),
      ),
    )
    .map((texts) => texts.join(''));

const comments = (text: string) =>
  commentsIn(text)
    .map(({ from, to }) => text.slice(from, to))
    .sort();

it('keeps values and comments, and is idempotent', () => {
  let formattedCount = 0;
  fc.assert(
    fc.property(blockMap(3, ''), (text) => {
      let formatted: string;
      try {
        formatted = formatYaml(text, 'a.yaml');
      } catch (error) {
        expect(error).toBeInstanceOf(ProblemError);
        return;
      }
      formattedCount += 1;
      expect(readYaml(formatted, 'a.yaml').value).toEqual(readYaml(text, 'a.yaml').value);
      expect(comments(formatted)).toEqual(comments(text));
      expect(formatYaml(formatted, 'a.yaml')).toBe(formatted);
    }),
    { numRuns: 150 },
  );
  expect(formattedCount).toBeGreaterThan(140);
});

it('indents by two, and keeps what stands beside a value', () => {
  const text =
    '# top\na:\n    b: {c: 1,d: [192.0.2.1,   192.0.2.2]} # beside\n\n\n    e:\n    - 192.0.2.3   # an IP\n    - 192.0.2.4\n';
  expect(formatYaml(text, 'a.yaml')).toBe(
    '# top\na:\n  b: { c: 1, d: [ 192.0.2.1, 192.0.2.2 ] } # beside\n\n  e:\n    - 192.0.2.3 # an IP\n    - 192.0.2.4\n',
  );
});

it('refuses what is not valid', () => {
  expect(() => formatYaml('a: [1\n', 'a.yaml')).toThrow(ProblemError);
});
