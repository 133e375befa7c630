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
const comment = fc.constantFrom('', '', ' #@ why', '   #@ spaced');
/** Lines above an entry. */
const lineAt = (indent: string) =>
  fc.constantFrom(
    '',
    '',
    '\n#@ above\n',
    '\n\n\n',
    `${indent}#@zones:\n${indent}   #@main: { a: 1 }\n\n${indent}#@spare: 1\n`,
    `${indent}#@ here\n${indent}    #@ deepest\n${indent}  #@ deeper\n`,
  );

const shape = fc.constantFrom('map', 'map', 'flow', 'scalar', 'empty', 'list', 'text');

/** A block map of the given depth, with odd indentation, comments and blank lines. */
const blockMap = (depth: number, indent: string): fc.Arbitrary<string> =>
  fc
    .uniqueArray(fc.record({ key, scalar, comment, line: lineAt(indent), shape }), {
      minLength: 1,
      maxLength: 4,
      selector: (entry) => entry.key,
    })
    .chain((entries) =>
      fc.tuple(
        ...entries.map((entry) => {
          const head = `${entry.line}${indent}${entry.key}:`;
          if (entry.shape === 'map' && depth > 0)
            return blockMap(depth - 1, `${indent}   `).map((inner) => `${head}${entry.comment}\n${inner}`);
          if (entry.shape === 'empty') return fc.constant(`${head}\n${indent} #@ inside\n${indent}   #@ deeper\n`);
          if (entry.shape === 'list')
            return fc.constant(
              `${head}\n${indent}- 1\n${indent}#@ between\n${indent}-   p: 2\n${indent}    #@ of q\n${indent}    q: 3\n`,
            );
          if (entry.shape === 'text') return fc.constant(`${head} |\n${indent}     # no comment\n\n`);
          if (entry.shape === 'flow')
            return fc.constant(`${head} {p: ${entry.scalar},   q: [ ${entry.scalar} ,2]}${entry.comment}\n`);
          return fc.constant(`${head}   ${entry.scalar}${entry.comment}\n`);
        }),
      ),
    )
    .map((texts) => texts.join(''));

/** Gives every comment a text of its own, so that the order shows. */
function numbered(text: string): string {
  let count = 0;
  return text.replaceAll('#@', () => `#${++count}`);
}

const comments = (text: string) => commentsIn(text).map(({ from, to }) => text.slice(from, to));

/** The comment lines, each with the text after the comments, and with the sign of its indentation against the comment line before it. */
function commentLines(text: string) {
  const lines = text.split('\n');
  const own = commentsIn(text).filter(
    ({ from }) => text.slice(text.lastIndexOf('\n', from - 1) + 1, from).trim() === '',
  );
  return own.map(({ from, to }) => {
    const index = text.slice(0, from).split('\n').length - 1;
    const isComment = (line = '') => line.trim().startsWith('#');
    const indent = (line = '') => line.length - line.trimStart().length;
    const [line, above] = [lines[index], lines.slice(0, index).findLast((each) => each.trim() !== '')];
    const next = lines.slice(index).find((each) => each.trim() !== '' && !isComment(each));
    return [
      text.slice(from, to),
      next?.trim().split(/[: ]/, 1)[0],
      isComment(above) && Math.sign(indent(line) - indent(above)),
    ];
  });
}

it('keeps values and comments, and is idempotent', () => {
  let formattedCount = 0;
  fc.assert(
    fc.property(
      fc.tuple(blockMap(3, ''), lineAt('')).map((texts) => numbered(texts.join(''))),
      (text) => {
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
        expect(commentLines(formatted)).toEqual(commentLines(text));
        expect(formatYaml(formatted, 'a.yaml')).toBe(formatted);
      },
    ),
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

it('refuses what is not valid, and a comment that the formatted text has no line for', () => {
  expect(() => formatYaml('a: [1\n', 'a.yaml')).toThrow(ProblemError);
  expect(() => formatYaml('a: 1\n    # deeper than a value\n', 'a.yaml')).toThrow('cannot be formatted');
});

it.each([
  ['an example under a key without a value', 'a:\n  #main:\n    #b: 1\n\nc:\n  #main: { d: 1 }\n#e:\n  #f: 1\n'],
  ['examples at the end', 'a: 1\n\n#b:\n  #c:\n    # why\n    #d: 1\n'],
  ['examples around a block text', 'a: |\n  text\n\n# about b\nb:\n  - 1\n  # between\n    # deeper\n  - 2\n'],
  ['a comment above a value', 'a:\n  # about the text\n  text\nb:\n  # of b\n  c: 1\n'],
  ['comments before the document', '# one\n\n  # two\n---\na: 1\n'],
])('leaves %s as it is', (_, text) => {
  expect(formatYaml(text, 'a.yaml')).toBe(text);
});

it('moves comment lines with the content around them', () => {
  const text =
    'a:\n    b: 1\n    #c:\n        #d: 1\n    # of e\n    e:\n    - 1\n    # of two\n    - 2\n# of f\nf:   1\n# end\n    # deep\n';
  expect(formatYaml(text, 'a.yaml')).toBe(
    'a:\n  b: 1\n  #c:\n      #d: 1\n  # of e\n  e:\n    - 1\n    # of two\n    - 2\n# of f\nf: 1\n\n# end\n    # deep\n',
  );
});

it.each([
  '',
  '\n',
  '# only\n',
  '\n\n  # a\n# b\n\n',
  '---\n# a\n',
])('leaves %j, which has no value, as it is', (text) => {
  expect(formatYaml(text, 'a.yaml')).toBe(text);
  expect(formatYaml(text.replaceAll('\n', '\r\n'), 'a.yaml')).toBe(text.replaceAll('\n', '\r\n'));
});
