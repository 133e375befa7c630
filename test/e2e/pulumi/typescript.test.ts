/** The packed package in TypeScript programs: with the compiler options of Pulumi's own template, and with those of newer projects. */
import { execFileSync } from 'node:child_process';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
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
    await runPulumi(['stack', 'init', 'dev'], folder);
  }, 600_000);

  afterAll(async () => {
    await emulator.close();
    await Promise.all([folder, packed].map((each) => rm(each, { recursive: true, force: true })));
  });

  it.each([
    ['the options of the template', {}],
    ['node16', { module: 'node16', moduleResolution: 'node16' }],
    ['bundler', { module: 'esnext', moduleResolution: 'bundler' }],
  ])('compiles with %s, and with checked library types', async (_name, options) => {
    await writeFile(
      join(folder, 'tsconfig.tested.json'),
      JSON.stringify({ extends: './tsconfig.json', compilerOptions: { ...options, noEmit: true } }),
    );
    const compiler = join(folder, 'node_modules/typescript/bin/tsc');
    const compile = () =>
      execFileSync(process.execPath, [compiler, '-p', 'tsconfig.tested.json'], { cwd: folder, encoding: 'utf8' });
    expect(compile()).toBe('');
  });

  it.each([
    ['a CommonJS program', 'commonjs', '1 call'],
    ['an ES module', 'module', undefined],
  ])('updates as %s, and then has no changes', async (_name, type, calls) => {
    npm(folder, 'pkg', 'set', `type=${type}`);
    const config = ['--config', `webdata:apiUrl=${emulator.apiUrl}`];
    const up = await runPulumi(['up', '--yes', ...config], folder);
    expect(up.code, up.output).toBe(0);
    if (calls !== undefined) expect(up.output).toContain(`2 IPs move in ${calls}`);
    expect(emulator.ips('checkout')).toEqual(expect.arrayContaining(['198.18.1.10', '198.18.1.11']));
    expect(await runPulumi(['preview', '--expect-no-changes', ...config], folder)).toMatchObject({ code: 0 });
  });
});
