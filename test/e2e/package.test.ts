import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { version } from '../../src/version.ts';
import { accounts, openHarness, serviceYaml } from '../cli/harness.ts';
import { installPacked, pack } from './packed.ts';
import { binary, start } from './process.ts';

interface Bill {
  metadata: { component: { purl: string } };
  components: { purl: string; licenses?: object[] }[];
}

describe('the packed package, installed elsewhere', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'webdata-package-'));
    await installPacked(folder, { type: 'module' });
  }, 180_000);

  afterAll(() => rm(folder, { recursive: true }));

  it('has a `webdata` that plans', async () => {
    await using harness = await openHarness('plain');
    const { emulator, write } = harness;
    const declared =
      'zoneIpAllocations: { static: { zones: { checkout: { ips: [192.0.2.10] } }, sources: [pricing] } }\n';
    await write('webdata.yaml', serviceYaml('plain') + declared);
    const env = { WEBDATA_API_URL: emulator.apiUrl, WEBDATA_API_KEY: emulator.keys.ops };
    const webdata = join(folder, 'node_modules/.bin/webdata');
    const { stdout, stderr, code } = await start(['plan'], { cwd: harness.folder, env, webdata }).finished;
    expect(stderr).toBe('');
    expect(stdout).toContain('checkout  <- pricing  1 IP  192.0.2.10 us');
    expect(code).toBe(0);
  });

  it('gives programs the client, the kinds and the emulator', async () => {
    const program = `
      import { createClient, kinds } from 'pulumi-webdata';
      import { readAccount, startEmulator } from 'pulumi-webdata/emulator';
      const emulator = await startEmulator(await readAccount(process.argv[2]), { port: 0, managerPort: 0 });
      const client = createClient({ url: emulator.apiUrl, apiKey: emulator.keys.user });
      console.log((await client.zones.ips('archive')).length, kinds.map(({ name }) => name).join());
      await client.close();
      await emulator.close();
    `;
    await writeFile(join(folder, 'program.js'), program);
    const account = join(process.cwd(), accounts.plain);
    const output = execFileSync(process.execPath, ['program.js', account], { cwd: folder, encoding: 'utf8' });
    expect(output.trim()).toBe('10 ZoneIpAllocation,ManagerSettings,WebhookDelivery,CollectorSchedule');
  });

  it('needs no install script, neither its own nor of what it brings', async () => {
    const lock = JSON.parse(await readFile(join(folder, 'package-lock.json'), 'utf8'));
    const packages = Object.entries<{ hasInstallScript?: boolean }>(lock.packages);
    expect(packages.length).toBeGreaterThan(50);
    expect(packages.filter(([, { hasInstallScript }]) => hasInstallScript).map(([name]) => name)).toEqual([]);
  });

  it('brings what its bill of materials says', async () => {
    const file = join(folder, 'sbom.json');
    execFileSync(process.execPath, ['scripts/sbom.ts', file], { stdio: 'pipe' });
    const { metadata, components } = JSON.parse(await readFile(file, 'utf8')) as Bill;
    expect(metadata.component.purl).toBe(`pkg:npm/pulumi-webdata@${version}`);
    const listed = components.map(({ purl }) => decodeURIComponent(purl.replace(/^pkg:npm\/|@[^@]*$/g, '')));
    const lock = JSON.parse(await readFile(join(folder, 'package-lock.json'), 'utf8'));
    const installed = Object.keys(lock.packages).map((path) => path.replace(/^.*node_modules\//, ''));
    const theirs = installed.filter((name) => name !== '' && name !== 'pulumi-webdata');
    expect([...new Set(listed)].toSorted()).toEqual([...new Set(theirs)].toSorted());
    expect(components.filter(({ licenses }) => licenses === undefined)).toEqual([]);
  });
});

describe('the package', () => {
  it('is small, and has exports and types that every resolver of ES modules understands', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'webdata-lint-'));
    try {
      const tarball = Uint8Array.from(await readFile(await pack(folder)));
      expect(tarball.length).toBeLessThan(1_000_000);
      const { messages } = await publint({ pack: { tarball: tarball.buffer } });
      expect(messages).toEqual([]);
      const checked = await checkPackage(createPackageFromTarballData(tarball));
      const found = checked.types ? checked.problems.map(({ kind }) => kind) : ['no types'];
      // Node can require() ES modules; the resolver of Node 10 knows no exports.
      expect(found.filter((kind) => kind !== 'CJSResolvesToESM' && kind !== 'NoResolution')).toEqual([]);
      const resolved = checked.types ? Object.entries(checked.entrypoints) : [];
      for (const [name, { resolutions }] of resolved.filter(([name]) => name !== './package.json')) {
        for (const way of ['node16-esm', 'bundler'] as const) {
          expect({ name, way, file: resolutions[way].resolution?.fileName }).toMatchObject({
            file: expect.stringMatching(/\.d\.ts$/),
          });
        }
      }
    } finally {
      await rm(folder, { recursive: true });
    }
  }, 120_000);
});

describe('on a Node that is too old', () => {
  it('webdata says so in one line', () => {
    const pretend = "data:text/javascript,Object.defineProperty(process.versions, 'node', { value: '20.20.2' })";
    const { stdout, stderr, status } = spawnSync(process.execPath, ['--import', pretend, binary, 'plan'], {
      encoding: 'utf8',
    });
    expect(stderr).toBe('webdata needs Node 22.19 or newer; this is 20.20.2.\n');
    expect(stdout).toBe('');
    expect(status).toBe(1);
  });
});
