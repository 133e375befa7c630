/** The packed package in TypeScript programs: with the compiler options of Pulumi's own template, and with those of newer projects. */
import { spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Emulator, readAccount, startEmulator } from '../../../src/emulator/index.ts';
import { npm, pack } from '../packed.ts';
import { describeOnEngine, runPulumi } from './harness.ts';

describeOnEngine('examples/pulumi-typescript', () => {
  let emulator: Emulator;
  let folder: string;
  let packed: string;
  beforeAll(async () => {
    emulator = await startEmulator(await readAccount('examples/quickstart/account.yaml'));
    folder = await mkdtemp(join(tmpdir(), 'webdata-typescript-'));
    packed = await mkdtemp(join(tmpdir(), 'webdata-packed-'));
    await cp('examples/pulumi-typescript', folder, {
      recursive: true,
      filter: (name) => !/node_modules|Pulumi\.\w+\.yaml|package-lock/.test(name),
    });
    // In a checkout, `npm install` packs the checkout, too.
    npm(folder, 'install', '--no-audit', '--no-fund', '--prefer-offline', await pack(packed));
    await mkdir(join(folder, 'backend'));
    const { code, output } = await runPulumi(['stack', 'init', 'dev'], folder);
    if (code !== 0) throw new Error(output);
  }, 600_000);

  afterAll(async () => {
    await emulator.close();
    await Promise.all([folder, packed].map((each) => rm(each, { recursive: true, force: true })));
  });

  it.each([
    ['the options of the template', 'commonjs', {}],
    ['nodenext', 'module', { module: 'nodenext', moduleResolution: 'nodenext' }],
    ['bundler', 'module', { module: 'esnext', moduleResolution: 'bundler' }],
  ])('compiles with %s, and with checked library types', async (_name, type, options) => {
    npm(folder, 'pkg', 'set', `type=${type}`);
    const config = { extends: './tsconfig.json', compilerOptions: { ...options, noEmit: true } };
    await writeFile(join(folder, 'tsconfig.tested.json'), JSON.stringify(config));
    const args = [join(folder, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.tested.json'];
    const { stdout, status } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
    expect({ stdout, status }).toEqual({ stdout: '', status: 0 });
  });

  it('moves two IPs on its first update, and then has no changes', async () => {
    npm(folder, 'pkg', 'set', 'type=commonjs');
    const config = ['--config', `webdata:apiUrl=${emulator.apiUrl}`];
    const up = await runPulumi(['up', '--yes', ...config], folder);
    expect(up.code, up.output).toBe(0);
    expect(up.output).toContain('2 IPs move in 1 call');
    expect(emulator.ips('checkout')).toEqual(expect.arrayContaining(['198.18.1.10', '198.18.1.11']));
    expect(await runPulumi(['preview', '--expect-no-changes', ...config], folder)).toMatchObject({ code: 0 });
  });
});
