/** Every front knows the paid calls of the others: Pulumi, the command line in any folder, calls by hand and programs. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkInputs } from '../../providers/core/check.ts';
import { createResource } from '../../providers/core/lifecycle.ts';
import { run } from '../../src/cli/main.ts';
import { apply } from '../../src/program.ts';
import { migrationsOf, type Result } from '../cli/harness.ts';
import { temporaryFolder } from '../temporary.ts';
import { kindNamed, openTestStack, type TestStack } from './testStack.ts';

const kind = kindNamed('ZoneIpAllocation');
const inputs = { zones: { checkout: { ips: ['192.0.2.10', '192.0.2.12'] } }, sources: ['pricing'] };
const declaration = `service: { profile: { settleSeconds: 0.1 } }
zoneIpAllocations: { static: { zones: { checkout: { ips: [192.0.2.10] } }, sources: [pricing] } }
`;
const byHand = ['zones', 'migrate', '--from', 'pricing', '--to', 'checkout', '--yes', '192.0.2.10'];
const move = 'pricing -> checkout: 192.0.2.10';

let test: TestStack;
beforeEach(async () => {
  test = await openTestStack();
});
afterEach(() => test[Symbol.asyncDispose]());

const sent = () => migrationsOf(test.emulator.requests());
const hideMoves = () => test.emulator.addFault({ route: 'zone/ips', fault: { kind: 'stale', ms: 60_000 } });

const pulumi = () => createResource(test.open(), kind, inputs);

/** Opens another folder of this machine, and returns its command line. */
async function openFolder(): Promise<{
  cwd: string;
  env: NodeJS.ProcessEnv;
  webdata(...args: string[]): Promise<Result>;
}> {
  const cwd = temporaryFolder();
  const env = { ...process.env, WEBDATA_API_URL: test.emulator.apiUrl, WEBDATA_API_KEY: test.emulator.keys.ops };
  return {
    cwd,
    env,
    async webdata(...args) {
      const [out, err] = [[] as string[], [] as string[]];
      const writer = (lines: string[]) => ({ write: (text: string | Uint8Array) => void lines.push(String(text)) });
      const io = { stdout: writer(out), stderr: writer(err), cwd, env, signal: new AbortController().signal };
      return { code: await run(args, io), stdout: out.join(''), stderr: err.join('') };
    },
  };
}

async function openDeclared() {
  const folder = await openFolder();
  await writeFile(join(folder.cwd, 'webdata.yaml'), declaration);
  return folder;
}

const problemsOf = (work: Promise<unknown>) =>
  work.then(
    () => [],
    (error: { problems: unknown[] }) => error.problems,
  );

describe('a move that one front made and no listing shows', () => {
  const fronts: Record<string, () => Promise<{ isRefused: boolean; said: string }>> = {
    'a Pulumi program': async () => {
      const problems = await problemsOf(pulumi());
      return { isRefused: problems.length > 0, said: JSON.stringify(problems) };
    },
    'an apply in a folder of its own': async () => {
      const { code, stdout } = await (await openDeclared()).webdata('apply', '--yes');
      return { isRefused: code === 1, said: stdout };
    },
    'a move by hand': async () => {
      const { code, stderr, stdout } = await (await openDeclared()).webdata(...byHand);
      return { isRefused: code === 1, said: stdout + stderr };
    },
    'a program': async () => {
      const { cwd, env } = await openDeclared();
      const { status, problems } = await apply({ cwd, env });
      return { isRefused: status !== 'unchanged', said: JSON.stringify(problems) };
    },
  };
  const names = Object.keys(fronts);
  const pairs = names.flatMap((one, index) => [
    [one, names.at(index - 1) ?? one],
    [names.at(index - 1) ?? one, one],
  ]);

  it.each(pairs)('%s, is not sent again by %s', async (one = '', other = '') => {
    hideMoves();
    await fronts[one]?.();
    expect(sent()).toEqual([move]);
    const second = await fronts[other]?.();
    expect(second).toMatchObject({ isRefused: true, said: expect.stringContaining('but no listing shows it') });
    expect(sent()).toEqual([move]);
    test.emulator.clearFaults();
    expect(await fronts[other]?.()).toMatchObject({ isRefused: false });
    expect(sent()).toEqual([move]);
  });
});

it('a preview says which moves of another front are not visible yet', async () => {
  hideMoves();
  await (await openDeclared()).webdata('apply', '--yes');
  await checkInputs(kind, {}, inputs, () => test.open());
  expect(test.printed.join('\n')).toMatch(/warning: cannot be applied yet\n {2}run [\da-f]{8} moved 1 IP/);
});

it('the history shows what Pulumi paid for, and undo takes it back only by its ID', async () => {
  await pulumi();
  const { webdata } = await openDeclared();
  const [told] = JSON.parse((await webdata('history', '--format', 'json')).stdout).runs;
  expect(told).toMatchObject({
    front: 'pulumi',
    isElsewhere: true,
    calls: [{ outcome: 'done', movedIps: ['192.0.2.10'] }],
  });
  expect((await webdata('history', '--limit', '1')).stdout).toMatch(/apply by pulumi {2}done/);
  const last = await webdata('undo', '--yes');
  expect([last.code, last.stderr]).toEqual([
    1,
    expect.stringContaining(`\`webdata undo ${told.id.slice(0, 8)}\` undoes the last run of Pulumi`),
  ]);
  const undone = await webdata('undo', told.id, '--yes');
  expect([undone.code, undone.stdout]).toEqual([
    0,
    expect.stringContaining('made by Pulumi: unless its program is changed first'),
  ]);
  expect(sent()).toEqual([move, 'checkout -> pricing: 192.0.2.10']);
});

it('undo keeps to its own folder', async () => {
  await pulumi();
  const { cwd, webdata } = await openDeclared();
  const more = declaration.replace('[192.0.2.10]', '[192.0.2.10, 192.0.2.11]');
  await writeFile(join(cwd, 'webdata.yaml'), more);
  expect(await webdata('apply', '--yes')).toMatchObject({ code: 0 });
  const other = await openDeclared();
  expect((await other.webdata('undo', '--yes')).stderr).toContain(
    'undoes the last run of another folder on this machine',
  );
  expect(await webdata('undo', '--yes')).toMatchObject({ code: 0 });
  expect(sent().at(-1)).toBe('checkout -> pricing: 192.0.2.11');
});

it('another account on this machine is not affected', async () => {
  hideMoves();
  await problemsOf(pulumi());
  const other = await openDeclared();
  await writeFile(join(other.cwd, 'webdata.yaml'), 'service: { url: http://127.0.0.1:9 }\n');
  const { stdout } = await other.webdata('history');
  expect(stdout).toBe('No runs.\n');
});
