/** What a person may get wrong: each is refused with its place, what is allowed, and what to do; and nothing is written. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Harness, openHarness, writesOf } from '../harness.ts';
import { type BadCase, groups, refusedCases } from './refusedCases.ts';

/** `@finance` stands for the key of that role. */
function withKeys({ env }: BadCase, { emulator: { keys } }: Harness): BadCase['env'] {
  return env.WEBDATA_API_KEY === '@finance' ? { ...env, WEBDATA_API_KEY: keys.finance } : env;
}

interface Reported {
  code: string;
  place?: { line: number; column: number };
}

/** The problems of a JSON document, also those of its resources. */
function problemsIn(document: object): string[] {
  return Object.entries(document).flatMap(([name, field]) => {
    if (name !== 'problems') return typeof field === 'object' && field !== null ? problemsIn(field) : [];
    if (!Array.isArray(field)) return [];
    return field.map(({ code, place }: Reported) => `${place ? `${place.line}:${place.column} ` : ''}${code}`);
  });
}

describe.each(groups)('refused: %s', (group) => {
  it.for(refusedCases(group))('$name', async (bad) => {
    await using harness = await openHarness('plain');
    if (bad.yaml !== undefined) await harness.write('webdata.yaml', bad.yaml);
    const run = (...args: string[]) => harness.webdataWith({ env: withKeys(bad, harness) }, ...bad.args, ...args);
    if (bad.problems.length > 0) {
      const { code, stdout } = await run('--format', 'json');
      expect({ code, problems: [...new Set(problemsIn(JSON.parse(stdout)))] }).toEqual({
        code: 1,
        problems: bad.problems,
      });
    }
    if (bad.text.length > 0) {
      const { code, stdout, stderr } = await run();
      const output = (stdout + stderr).replaceAll(harness.emulator.apiUrl, '{api}');
      expect({ code, lines: output.split('\n') }).toEqual({ code: 1, lines: expect.arrayContaining([...bad.text]) });
      expect(output).not.toMatch(/hush-hush|\n\s+at .*:\d+\)|\/tmp\//);
    }
    const requests = harness.emulator.requests();
    expect(group === 'account' ? writesOf(requests) : requests).toEqual([]);
  });
});

it('every code is on the page of errors, and has its whole text once', () => {
  const page = readFileSync('docs/errors.md', 'utf8');
  const all = groups.flatMap((group) => refusedCases(group));
  const codes = new Set(all.flatMap(({ problems }) => problems.map((problem) => problem.split(' ').at(-1) ?? '')));
  for (const code of codes) {
    if (!code.startsWith('yaml-')) expect(page).toContain(`\`${code}\``);
    expect(all.some(({ problems, text }) => problems.some((each) => each.endsWith(code)) && text.length > 1)).toBe(
      true,
    );
  }
});

it('lists the commands where none is given, and does not call that a success', async () => {
  await using harness = await openHarness('plain');
  const { code, stdout, stderr } = await harness.webdata();
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  for (const command of ['validate', 'plan', 'apply', 'drift', 'pull', 'destroy', 'history', 'undo', 'emulator']) {
    expect(stderr).toContain(`  ${command} `);
  }
});
