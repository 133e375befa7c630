/** Commands in a process of their own, where it matters; test/cli has all else about them, in the process of the tests. */
import { execFile } from 'node:child_process';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import type { AccountInput } from '../../../src/emulator/index.ts';
import { withMachineLock } from '../../../src/engine/backend/folder/machineLock.ts';
import { bareConfig } from '../../../src/engine/declaration/config.ts';
import { serverOf } from '../../../src/engine/identity/accountIdentity.ts';
import { type Harness, openHarness } from '../../cli/harness.ts';
import { post } from '../../receiver/helpers.ts';
import { binary, start } from '../process.ts';
import { startProcess, stop, temporaryFolder } from '../receiver/process.ts';

const account: AccountInput = {
  id: 'hl_example',
  zones: { checkout: { type: 'isp', ips: { us: ['192.0.2.10-192.0.2.12'] } } },
  collectors: { c_prices: { row: { title: 'Item {n}' } }, c_slow: { seconds: 3600 } },
};

const envOf = ({ emulator }: Harness) => ({ WEBDATA_API_URL: emulator.apiUrl, WEBDATA_API_KEY: emulator.keys.user });

describe('webdata collect', () => {
  const triggersOf = ({ emulator }: Harness) =>
    emulator.requests().flatMap(({ route, body }) => (route === 'dca/trigger' ? [body] : []));

  it('reads inputs from stdin', async () => {
    await using harness = await openHarness(account);
    const args = [binary, 'collect', 'c_prices', '--inputs', '-', '--format', 'ndjson'];
    const stdout = await new Promise((done, fail) => {
      const options = { cwd: harness.folder, env: { PATH: process.env.PATH, ...envOf(harness) } };
      const child = execFile(process.execPath, args, options, (error, out) => (error ? fail(error) : done(out)));
      child.stdin?.end('[{"url":"https://a.example/"}]');
    });
    expect(JSON.parse(String(stdout))).toMatchObject({ title: 'Item 1' });
    expect(triggersOf(harness)).toEqual([[{ url: 'https://a.example/' }]]);
  });

  it('stops cleanly when it is interrupted, and says how to go on', async () => {
    await using harness = await openHarness(account);
    const { emulator, folder } = harness;
    const args = ['collect', 'c_slow', '--input', 'url=https://a.example/', '--output', 'rows.json'];
    const { child, finished } = start(args, { cwd: folder, env: envOf(harness) });
    await vi.waitUntil(() => emulator.requests().some(({ route }) => route === 'dca/dataset'), 30_000);
    const [run] = emulator.runs();
    child.kill('SIGINT');
    const { code, signal, stdout, stderr } = await finished;
    expect({ code, signal, stdout }).toEqual({ code: 1, signal: null, stdout: '' });
    expect(stderr).toContain(
      `interrupted; ${run?.id} continues at the service\n  fix: to resume without a new trigger, run \`webdata collect --resume ${run?.id}\``,
    );
    expect(await readdir(folder)).toEqual([]);
    expect(triggersOf(harness)).toHaveLength(1);
  });
});

it('webdata apply meets the lock of an account from another TMPDIR and HOME', async () => {
  await using folder = await temporaryFolder();
  const url = 'http://127.0.0.1:9';
  await writeFile(join(folder.path, 'webdata.yaml'), '');
  const env = { TMPDIR: folder.path, HOME: folder.path, WEBDATA_API_URL: url, WEBDATA_API_KEY: 'k' };
  const config = bareConfig({
    env: { WEBDATA_API_URL: url.replace('127.0.0.1', 'localhost'), WEBDATA_API_KEY: 'key' },
  });
  const options = { timeoutMs: 0, command: 'webdata apply', folder: '/srv/infra' };
  const { stderr } = await withMachineLock(
    { key: serverOf(config), env: process.env },
    options,
    () => start(['apply', '--yes', '--lock-timeout', '0'], { cwd: folder.path, env }).finished,
  );
  expect(stderr).toContain('`webdata apply` has held the lock of this account since');
});

it('webdata receive escapes words that steer a terminal in its log, which stays JSON', async () => {
  const reverses = '\u202e';
  await using folder = await temporaryFolder();
  const receiver = await startProcess(folder.path, ['--folder', 'kept']);
  await post(receiver.url, '[]', { path: `/acme?run=${encodeURIComponent(reverses)}` });
  const { stderr } = await stop(receiver);
  expect(stderr).not.toContain(reverses);
  expect(JSON.parse(stderr.split('\n')[0] ?? '')).toMatchObject({ msg: 'kept', run: reverses });
});
