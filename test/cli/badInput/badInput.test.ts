/** What a person may get wrong: each is refused with its place, what is allowed, and what to do; and nothing is written. */
import { describe, expect, it } from 'vitest';
import { type Harness, openHarness, writesOf } from '../harness.ts';
import type { BadCase } from './badCase.ts';
import { badCommands } from './badCommands.ts';
import { badForTheAccount } from './badForTheAccount.ts';
import { badNumbers } from './badNumbers.ts';
import { badPlaces } from './badPlaces.ts';
import { badYaml } from './badYaml.ts';

/** Runs the case, compares all that it says, and returns what was asked of the service. */
async function refuse({ args = ['validate'], env = {}, yaml, plan = '', says = '' }: BadCase) {
  await using harness = await openHarness('plain');
  if (yaml !== undefined) await harness.write('webdata.yaml', yaml.slice(1));
  const result = await harness.webdataWith({ env: withKeys(env, harness) }, ...args);
  const [stdout, stderr] = [plan, says].map((text) => text.slice(1).replaceAll('{api}', harness.emulator.apiUrl));
  expect(result).toEqual({ code: 1, stdout, stderr });
  expect(result.stdout + result.stderr).not.toMatch(/hush-hush|\n\s+at .*:\d+\)|\/tmp\//);
  return harness.emulator.requests();
}

/** `@finance` stands for the key of that role. */
function withKeys(env: NonNullable<BadCase['env']>, { emulator: { keys } }: Harness): BadCase['env'] & object {
  return env.WEBDATA_API_KEY === '@finance' ? { ...env, WEBDATA_API_KEY: keys.finance } : env;
}

describe.each([
  ['the file as YAML, its keys and its variables', badYaml],
  ['places', badPlaces],
  ['counts, limits, settings and ports', badNumbers],
  ['command lines', badCommands],
])('%s: refused before anything is asked of the service', (_, cases) => {
  it.for(cases)('$name', async (bad) => {
    expect(await refuse(bad)).toEqual([]);
  });
});

describe('what only the live account can tell: refused without a write', () => {
  it.for(badForTheAccount)('$name', async (bad) => {
    expect(writesOf(await refuse(bad))).toEqual([]);
  });
});

it('tells of every problem of a file at once, in its order', async () => {
  await using harness = await openHarness('plain');
  await harness.write(
    'webdata.yaml',
    `zoneIpAllocations:
  static: { zones: { checkout: {} }, maxMoves: lots }
managerSettings:
  local: { logs: -1 }
`,
  );
  const { code, stderr } = await harness.webdata('apply', '--yes');
  expect(code).toBe(1);
  expect(stderr.match(/^webdata.yaml:\S+/gm)).toEqual([
    'webdata.yaml:2:32:',
    'webdata.yaml:2:48:',
    'webdata.yaml:4:18:',
  ]);
  expect(harness.emulator.requests()).toEqual([]);
});

it('lists the commands where none is given, and does not call that a success', async () => {
  await using harness = await openHarness('plain');
  const { code, stdout, stderr } = await harness.webdata();
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  for (const command of ['validate', 'plan', 'apply', 'drift', 'pull', 'destroy', 'history', 'undo', 'emulator']) {
    expect(stderr).toContain(`  ${command} `);
  }
});
