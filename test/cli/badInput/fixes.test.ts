// biome-ignore-all lint/suspicious/noTemplateCurlyInString: `${NAME}` is the syntax under test
/** Whoever does what the fix of an error says gets further: the same error does not come back. */
import { expect, it } from 'vitest';
import { type Problem, ProblemError } from '../../../src/base/diagnostics/problem.ts';
import { readYaml } from '../../../src/base/yaml/source.ts';
import { configOf } from '../../../src/engine/declaration/config.ts';
import { badDeclarations } from './refusedCases.ts';

type Env = Readonly<Record<string, string | undefined>>;

function problemsOf(text: string, env: Env): readonly Problem[] {
  try {
    configOf(readYaml(text, 'webdata.yaml', { env }), { env });
    return [];
  } catch (error) {
    if (error instanceof ProblemError) return error.problems;
    throw error;
  }
}

/** What a fix puts in the place of the word at the location of its problem. */
const replacements = [
  /^put it in quotes: (".*")$/,
  /^put text in quotes: ("[^"]*");/,
  /^remove the quotes: (.+)$/,
  /^write it as a list: (\[.*\])$/,
  /^write (true|false), without quotes$/,
  /^did you mean `(.+)`\?$/,
];

/** Returns the text with its first fix that says what to write, and the problem that had it. */
function fixed(text: string, problems: readonly Problem[]): { text: string; problem: Problem } | undefined {
  for (const problem of problems) {
    const word = replacements.map((each) => each.exec(problem.fix ?? '')?.[1]).find((each) => each !== undefined);
    const { line = 0, column = 0 } = problem.place ?? {};
    if (word === undefined || line === 0) continue;
    const lines = text.split('\n');
    const whole = lines[line - 1] ?? '';
    const rest = whole.slice(column - 1);
    const [old = ''] = /^(?:"[^"]*"|'[^']*'|\$\{[^}]*\}|[^\s,:[\]{}]+)/.exec(rest) ?? [];
    lines[line - 1] = whole.slice(0, column - 1) + word + rest.slice(old.length);
    return { text: lines.join('\n'), problem };
  }
  return undefined;
}

const keyOf = ({ code, path = [], place }: Problem) => JSON.stringify([code, path, place?.line]);

const cases = badDeclarations().map(({ yaml, ...bad }) => ({ ...bad, text: yaml }));
const fixable = cases.filter(({ text, env }) => fixed(text, problemsOf(text, env)) !== undefined);

it('says in many cases what to write', () => {
  expect(fixable.length).toBeGreaterThan(10);
});

it.each(fixable)('$name', ({ text, env }) => {
  const { text: after, problem } = fixed(text, problemsOf(text, env)) ?? { text: '', problem: undefined };
  expect(after).not.toBe(text);
  expect(problemsOf(after, env).map(keyOf)).not.toContain(problem && keyOf(problem));
});

it('leads a variable out of braces, to a number or to text', () => {
  const env = { N: '5' };
  const steps = [
    'zoneIpAllocations: { a: { zones: { c: { count: ${N} } } } }\n',
    'zoneIpAllocations: { a: { zones: { c: { count: "${N}" } } } }\n',
  ].map((text) => problemsOf(text, env)[0]?.fix);
  expect(steps).toEqual([
    'put text in quotes: "${N}"; give a number, true or false a line of its own: NAME: ${N}',
    'give it a line of its own, without quotes: NAME: ${N}',
  ]);
  expect(problemsOf('zoneIpAllocations:\n  a:\n    zones:\n      c:\n        count: ${N}\n', env)).toEqual([]);
});
