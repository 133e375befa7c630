import { describe, expect, it } from 'vitest';
import { formatProblem, formatProblems, type Printable } from '../../src/report/text/problems.ts';

const place = (line: number, column = 1, file = 'w.yaml') => ({ file, line, column });

describe('formatProblem', () => {
  it.each<[string, Printable, string]>([
    ['only what was found', { found: 'nothing there' }, 'nothing there'],
    ['a path, where there is no place', { found: 'x', path: ['zones', 'a.b', 'ips', 0] }, 'zones["a.b"].ips[0]: x'],
    ['a place', { found: 'x', place: place(3, 5), path: ['logs'] }, 'w.yaml:3:5: x'],
    [
      'everything',
      {
        code: 'ip-declared-twice',
        found: '192.0.2.1 is declared twice',
        allowed: 'each IP once',
        fix: 'remove one',
        path: ['zones', 'b', 'ips', 0],
        place: place(4, 9),
        also: [
          { path: ['zones', 'a', 'ips', 0], place: place(2, 9), what: 'declared first' },
          { path: ['zones', 'c'], what: 'and here' },
        ],
      },
      [
        'w.yaml:4:9: 192.0.2.1 is declared twice',
        '  at: zones.b.ips[0]',
        '  allowed: each IP once',
        '  fix: remove one',
        '  also: w.yaml:2:9 declared first',
        '  also: zones.c and here',
      ].join('\n'),
    ],
    [
      'an error of the service',
      {
        where: 'POST /zone/ips/migrate',
        found: 'refused with 403',
        said: 'No access',
        fix: 'use a key with the role Ops',
      },
      'POST /zone/ips/migrate: refused with 403\n  said: No access\n  fix: use a key with the role Ops',
    ],
  ])('%s', (_, problem, text) => {
    expect(formatProblem(problem)).toBe(text);
  });

  it('keeps whatever was found on its line and out of the terminal', () => {
    const evil = 'x\u001b[2J\nw.yaml:1:1: forged\r\t\u0007\u009b31m\u202egnp\u2028\ud800';
    expect(formatProblem({ found: evil, place: place(1, 1, 'a\nb'), said: evil })).toBe(
      [
        String.raw`a\nb:1:1: x\u{1b}[2J\nw.yaml:1:1: forged\r\t\u{7}\u{9b}31m\u{202e}gnp\u{2028}\u{d800}`,
        String.raw`  said: x\u{1b}[2J\nw.yaml:1:1: forged\r\t\u{7}\u{9b}31m\u{202e}gnp\u{2028}\u{d800}`,
      ].join('\n'),
    );
  });

  it('shortens what is long', () => {
    expect(formatProblem({ found: '😀'.repeat(1_000_000) })).toBe(`${'😀'.repeat(599)}…`);
  });

  it('colors only when it is told to', () => {
    const problem = { found: 'x', fix: 'y', place: place(1) };
    expect(formatProblem(problem, { color: true })).toBe(
      '\u001b[1mw.yaml:1:1\u001b[22m: \u001b[31mx\u001b[39m\n  \u001b[32mfix:\u001b[39m y',
    );
    expect(formatProblem(problem)).toBe('w.yaml:1:1: x\n  fix: y');
  });
});

describe('formatProblems', () => {
  it('sorts by place, leaves out repetitions, and puts what has no place last', () => {
    const problems: Printable[] = [
      { found: 'no place' },
      { found: 'd', place: place(10) },
      { found: 'c', place: place(9, 10) },
      { found: 'b', place: place(9, 9) },
      { found: 'd', place: place(10) },
      { found: 'a', place: place(99, 1, 'base.yaml') },
    ];
    expect(formatProblems(problems)).toBe('base.yaml:99:1: a\nw.yaml:9:9: b\nw.yaml:9:10: c\nw.yaml:10:1: d\nno place');
    expect(formatProblems([])).toBe('');
  });

  it('shows the address of each code once', () => {
    const problems = [
      { code: 'locked', found: 'a' },
      { code: 'locked', found: 'b' },
      { code: 'forbidden', found: 'c' },
    ];
    expect(formatProblems(problems, { docs: true })).toMatch(
      /^a\n {2}docs: \S+\/errors\S*#locked\nb\nc\n {2}docs: \S+\/errors\S*#forbidden$/,
    );
  });
});

describe('a problem in a terminal', () => {
  it('is broken between words, and what belongs to it is indented', () => {
    expect(formatProblem(narrow, { width: 60 })).toMatchInlineSnapshot(`
      "webdata.yaml:8:31: pricing needs 4 more IPs in de; only
          2 are available
        allowed: IPs that parked and exceeded counts can give
        fix: lower the count, or name a zone that has such IPs
          as \`spare\` or under \`sources\`"
    `);
  });
});

const narrow = {
  code: 'count-not-met',
  found: 'pricing needs 4 more IPs in de; only 2 are available',
  allowed: 'IPs that parked and exceeded counts can give',
  fix: 'lower the count, or name a zone that has such IPs as `spare` or under `sources`',
  place: { file: 'webdata.yaml', line: 8, column: 31 },
};
