/** The demo (`npm run demo`) as a process of its own. That it plays to its end is seen where it runs before the tests. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../temporary.ts';
import { start } from './process.ts';

it('the demo begins with what it shows, and leaves no process and no file when it is interrupted', async () => {
  const parent = temporaryFolder();
  const webdata = resolve('examples/quickstart/demo.ts');
  const { child, finished } = start([], { cwd: process.cwd(), env: { TMPDIR: parent }, webdata });
  onTestFinished(() => void child.kill('SIGKILL'));
  const { apiUrl } = await emulatorIn(parent);
  expect((await fetch(`${apiUrl}/_emulator/state`)).status).toBe(200);
  child.kill('SIGTERM');
  const { code, stdout, stderr } = await finished;
  expect(stdout).toMatch(/^\n# The main workflow of webdata, on an emulator: /);
  expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
  expect(await readdir(parent)).toEqual([]);
  await expect(fetch(`${apiUrl}/_emulator/state`)).rejects.toThrow();
});

it('the demo leaves no process and no file when its reader has read enough', async () => {
  const parent = temporaryFolder();
  const env = { ...process.env, TMPDIR: parent };
  const demo = spawn('sh', ['-c', `node examples/quickstart/demo.ts | head -2`], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  demo.stderr.on('data', (text) => {
    said += text;
  });
  await once(demo, 'close');
  expect(said).toBe('');
  await expect.poll(() => readdir(parent)).toEqual([]);
});

async function emulatorIn(parent: string): Promise<{ apiUrl: string }> {
  let ready = '';
  await expect
    .poll(async () => {
      const [folder = ''] = await readdir(parent);
      ready = join(parent, folder, 'ready.json');
      return existsSync(ready);
    })
    .toBe(true);
  return JSON.parse(await readFile(ready, 'utf8'));
}
