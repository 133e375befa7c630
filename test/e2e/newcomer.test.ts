/** The path of docs/getting-started.md, in an empty folder, with the package as it is published. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Emulator, readAccount, startEmulator } from '../../src/emulator/index.ts';
import { npm, pack } from './packed.ts';
import { start } from './process.ts';

describe('a newcomer, in an empty folder', () => {
  let folder: string;
  let emulator: Emulator;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'webdata-newcomer-'));
    const packed = await mkdtemp(join(tmpdir(), 'webdata-packed-'));
    const tarball = await pack(packed);
    npm(folder, 'init', '--yes');
    npm(folder, 'install', '--save-dev', '--no-audit', '--no-fund', tarball);
    await rm(packed, { recursive: true });
    emulator = await startEmulator(await readAccount('examples/quickstart/account.yaml'), { port: 0, managerPort: 0 });
  }, 180_000);

  afterAll(async () => {
    await emulator.close();
    await rm(folder, { recursive: true });
  });

  /** As `npx webdata` runs it, but for npx. */
  async function webdata(...args: string[]) {
    const env = {
      WEBDATA_API_URL: emulator.apiUrl,
      WEBDATA_API_KEY: emulator.keys.ops,
      WEBDATA_MANAGER_URL: emulator.managerUrl,
    };
    return start(args, { cwd: folder, env, webdata: join(folder, 'node_modules/.bin/webdata') }).finished;
  }

  it('finds the commands', () => {
    const { stdout, status } = spawnSync('npx', ['webdata', '--help'], { cwd: folder, encoding: 'utf8' });
    expect(status).toBe(0);
    expect(stdout).toContain('completion');
  });

  it('begins with a file that is valid, and declares nothing', async () => {
    expect(await webdata('init')).toMatchObject({ code: 0, stderr: '' });
    expect(await readFile(join(folder, 'webdata.yaml'), 'utf8')).toMatch(
      /^# yaml-language-server: \$schema=webdata\.schema\.json\n/,
    );
    expect(await webdata('validate')).toMatchObject({ code: 0, stdout: expect.stringContaining('is valid') });
    expect(await webdata('plan')).toMatchObject({ code: 0, stdout: expect.stringContaining('Nothing is declared') });
  });

  it('takes what is live, changes it, and comes from a plan to no drift', async () => {
    const pulled = await webdata('init', '--force', '--zone', 'checkout', '--zone', 'pricing');
    expect(pulled).toMatchObject({ code: 0, stderr: '' });
    expect(await webdata('plan')).toMatchObject({ code: 0, stdout: expect.stringContaining('No changes') });

    const file = join(folder, 'webdata.yaml');
    const moved = '198.18.1.10';
    const lines = (await readFile(file, 'utf8')).split('\n').filter((line) => line.trim() !== `- ${moved}`);
    const first = lines.findIndex((line) => line.trim() === '- 198.18.0.1');
    const indent = /^ */.exec(lines[first] ?? '')?.[0] ?? '';
    expect(first).toBeGreaterThan(0);
    await writeFile(file, lines.toSpliced(first, 0, `${indent}- ${moved}`).join('\n'));

    const planned = await webdata('plan', '--report', 'html=plan.html');
    expect(planned).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('1 IP moves in 1 call') });
    expect(await readFile(join(folder, 'plan.html'), 'utf8')).toContain(moved);
    expect(await webdata('drift')).toMatchObject({ code: 2 });
    expect(await webdata('apply', '--yes')).toMatchObject({ code: 0 });
    expect(emulator.ips('checkout')).toContain(moved);
    expect(await webdata('drift')).toMatchObject({ code: 0, stdout: expect.stringContaining('No drift') });
    expect(await webdata('undo', '--yes')).toMatchObject({ code: 0 });
    expect(emulator.ips('pricing')).toContain(moved);
  });

  it('has nothing installed but what runs', () => {
    const tree = execFileSync('npm', ['ls', '--all', '--parseable'], { cwd: folder, encoding: 'utf8' });
    expect(tree).not.toMatch(/node_modules\/(vitest|typescript|playwright-core|@pulumi)/);
  });
});
