import { execFileSync, spawnSync } from 'node:child_process';
import { lstat, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compiler } from '../../scripts/bundle/paths.ts';
import { type Emulator, readAccount, startEmulator } from '../../src/emulator/index.ts';
import { version } from '../../src/version.ts';
import { eventually } from '../eventually.ts';
import { npm, pack } from './packed.ts';
import { binary, start } from './process.ts';

interface Bill {
  metadata: { component: { purl: string } };
  components: { purl: string; licenses?: object[] }[];
}

const types = resolve('node_modules/@types');

const typedProgram = `
  import { type Client, createClient, kinds, parseProfile } from 'pulumi-webdata';
  import { startEmulator, type Emulator } from 'pulumi-webdata/emulator';
  async function main(): Promise<void> {
    const emulator: Emulator = await startEmulator({
      id: 'hl_typed',
      users: ['ada'],
      apiKeys: [{ user: 'ada', permission: 'User' }],
      zones: { checkout: { type: 'isp', ips: { us: ['192.0.2.10-192.0.2.11'] } } },
    });
    const client: Client = createClient({ url: emulator.apiUrl, apiKey: emulator.keys.user, profile: parseProfile({}) });
    console.log((await client.zones.ips('checkout')).length, kinds.map(({ name }) => name).join());
    await client.close();
    await emulator.close();
  }
  void main();
`;

let folder: string;
let packed: string;
let tarball: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'webdata-package-'));
  packed = await mkdtemp(join(tmpdir(), 'webdata-packed-'));
  tarball = await pack(packed);
});
afterAll(() => Promise.all([folder, packed].map((each) => rm(each, { recursive: true }))));

describe('the packed package, installed elsewhere', () => {
  beforeAll(async () => {
    npm(folder, 'init', '--yes');
    npm(folder, 'install', '--save-dev', '--no-audit', '--no-fund', tarball);
  });

  /** The path of docs/getting-started.md. */
  describe('a newcomer, in the folder in which the package was installed', () => {
    let emulator: Emulator;

    beforeAll(async () => {
      emulator = await startEmulator(await readAccount('examples/quickstart/account.yaml'), {
        port: 0,
        managerPort: 0,
      });
    });

    afterAll(() => emulator.close());

    /** As `npx webdata` runs it, but for npx. */
    async function webdata(...args: string[]) {
      const env = {
        WEBDATA_API_URL: emulator.apiUrl,
        WEBDATA_API_KEY: emulator.keys.ops,
        WEBDATA_MANAGER_URL: emulator.managerUrl,
      };
      return start(args, { cwd: folder, env, webdata: join(folder, 'node_modules/.bin/webdata') }).finished;
    }

    it('begins with a file that is valid, and declares nothing', async () => {
      expect(await webdata('init')).toMatchObject({ code: 0, stderr: '' });
      expect(await readFile(join(folder, 'webdata.yaml'), 'utf8')).toMatch(
        /^# yaml-language-server: \$schema=webdata\.schema\.json\n/,
      );
      expect(await webdata('validate')).toMatchObject({ code: 0, stdout: expect.stringContaining('is valid') });
      expect(await webdata('plan')).toMatchObject({ code: 0, stdout: expect.stringContaining('Nothing is declared') });
    });

    it('takes what is live, changes it, and comes from a plan to no drift', async () => {
      const pulled = await webdata(
        ...['pull', '--by-ip', '--zone', 'checkout,pricing', '--output', 'webdata.yaml', '--force'],
      );
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

  it('needs no install script, neither its own nor of what it brings', async () => {
    const lock = JSON.parse(await readFile(join(folder, 'package-lock.json'), 'utf8'));
    const packages = Object.entries<{ hasInstallScript?: boolean }>(lock.packages);
    expect(packages.length).toBeGreaterThan(10);
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
    const notices = await readFile(join(folder, 'node_modules/pulumi-webdata/dist/THIRD_PARTY_NOTICES.txt'), 'utf8');
    const bundled = notices.split(`\n\n${'-'.repeat(80)}\n\n`).slice(1);
    const bundledNames = bundled.map((section) => section.slice(0, section.indexOf(' ')));
    expect(bundledNames).toEqual(expect.arrayContaining(['fastify', 'pg', 'prom-client', 'csv-parse', 'luxon']));
    expect([...new Set(listed)].toSorted()).toEqual([...new Set([...theirs, ...bundledNames])].toSorted());
    expect(components.filter(({ licenses }) => licenses === undefined)).toEqual([]);
    expect(bundled.filter((section) => !/\n\n[\s\S]*(?:licen[sc]e|permission)/i.test(section))).toEqual([]);
  });

  it('installs at most 60 packages and 25 MB', async () => {
    const modules = join(folder, 'node_modules');
    const entries = await readdir(modules, { recursive: true, withFileTypes: true });
    const sizes = await Promise.all(
      entries.map(async (entry) => (await lstat(join(entry.parentPath, entry.name))).blocks * 512),
    );
    const lock = JSON.parse(await readFile(join(modules, '.package-lock.json'), 'utf8'));
    expect(Object.keys(lock.packages).length).toBeLessThanOrEqual(60);
    expect(sizes.reduce((sum, size) => sum + size, 0) / 2 ** 20).toBeLessThanOrEqual(25);
  });

  it('compiles and runs in empty TypeScript projects of both module types, with checked library types', async () => {
    const projects = ['module', 'commonjs'];
    const compilerOptions = { module: 'nodenext', target: 'es2024', strict: true, types: ['node'], typeRoots: [types] };
    // The compiler reads the type of each program in the package.json beside it, and checks the library once for both.
    const files = projects.map((type) => `${type}/program.ts`);
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
    for (const type of projects) {
      await mkdir(join(folder, type));
      await writeFile(join(folder, type, 'package.json'), JSON.stringify({ type }));
      await writeFile(join(folder, type, 'program.ts'), typedProgram);
    }
    execFileSync(process.execPath, [compiler, '-p', folder], { stdio: 'inherit' });
    for (const type of projects) {
      const output = execFileSync(process.execPath, [join(folder, type, 'program.js')], { encoding: 'utf8' });
      expect(output.trim()).toBe('2 ZoneIpAllocation,ManagerSettings,WebhookDelivery,CollectorSchedule');
    }
  });

  it('has a `webdata` whose servers need no other package', async () => {
    const webdata = join(folder, 'node_modules/.bin/webdata');
    const token = 'token-of-the-tests-0123456789';
    const env = { WEBDATA_TRIGGERS_TOKEN: token, WEBDATA_API_KEY: 'no-key', WEBDATA_API_URL: 'http://127.0.0.1:9' };
    const args = ['triggers', 'serve', '--port', '0', '--ready-file', 'ready.json'];
    const { child, finished } = start(args, { cwd: folder, env, webdata });
    try {
      const ready = () => readFile(join(folder, 'ready.json'), 'utf8');
      const { url } = JSON.parse(await eventually(ready));
      const get = async (path: string) =>
        (await fetch(url + path, { headers: { authorization: `Bearer ${token}` } })).text();
      expect(await get('/metrics')).toContain('# TYPE webdata_triggers');
      expect(JSON.parse(await get('/openapi.json'))).toMatchObject({ openapi: expect.stringMatching(/^3/) });
    } finally {
      child.kill();
    }
    expect(await finished).toMatchObject({ code: 0 });
  });

  it('has a `webdata` that reaches for PostgreSQL and writes JUnit without other packages', async () => {
    const webdata = join(folder, 'node_modules/.bin/webdata');
    const store = ['--store', 'postgres://webdata@127.0.0.1:9/none'];
    const env = { WEBDATA_API_KEY: 'no-key', WEBDATA_API_URL: 'http://127.0.0.1:9' };
    const round = await start(['triggers', 'round', ...store], {
      cwd: folder,
      env,
      webdata,
    }).finished;
    expect(round.stderr).toContain('ECONNREFUSED');
    await writeFile(
      join(folder, 'webdata.yaml'),
      'zoneIpAllocations: { static: { zones: { checkout: { count: 1 } } } }\n',
    );
    const plan = await start(['plan', '--format', 'junit'], { cwd: folder, env, webdata }).finished;
    expect(plan.stdout).toMatch(/^<\?xml [\s\S]*<testsuites/);
    const onS3 = await start(['plan', '--backend', 's3://acme-webdata'], { cwd: folder, env, webdata }).finished;
    expect(onS3.stderr).toContain('needs the AWS client, which is not installed');
  });
});

/** How each package manager adds an archive, and runs a command of a package. */
const managers = [
  { name: 'npm', add: ['install', '--no-audit', '--no-fund'], exec: ['exec', '--', 'webdata'] },
  { name: 'pnpm', add: ['add'], exec: ['exec', 'webdata'] },
  { name: 'yarn', add: ['add'], exec: ['run', '--silent', 'webdata'] },
  { name: 'bun', add: ['add'], exec: ['run', '--silent', 'webdata'] },
];

describe('the package, added with', () => {
  it.for(managers)('$name, runs its command and has no script to approve', async ({ name, add, exec }, { skip }) => {
    if (process.env.CI === undefined && spawnSync(name, ['--version']).status !== 0) skip(`${name} is not installed`);
    const project = await mkdtemp(join(tmpdir(), `webdata-${name}-`));
    try {
      await writeFile(join(project, 'package.json'), '{ "name": "project", "private": true }');
      const run = (args: readonly string[]) => spawnSync(name, args, { cwd: project, encoding: 'utf8' });
      const added = run([...add, tarball]);
      expect(added.status, added.stderr).toBe(0);
      expect(added.stdout + added.stderr).not.toMatch(/pulumi-webdata.*(?:prepare|script)/);
      expect(run([...exec, '--version'])).toMatchObject({ status: 0, stdout: `${version}\n` });
    } finally {
      await rm(project, { recursive: true });
    }
  });
});

describe('the package', () => {
  it('has exports and types that every resolver of ES modules understands', async () => {
    const bytes = Uint8Array.from(await readFile(tarball));
    const { messages } = await publint({ pack: { tarball: bytes.buffer } });
    expect(messages).toEqual([]);
    const checked = await checkPackage(createPackageFromTarballData(bytes));
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
  });
});

describe('on a Node that is too old', () => {
  it('webdata says so in one line', () => {
    const pretend = "data:text/javascript,Object.defineProperty(process.versions, 'node', { value: '20.20.2' })";
    const { stdout, stderr, status } = spawnSync(process.execPath, ['--import', pretend, binary, 'plan'], {
      encoding: 'utf8',
    });
    expect(stderr).toBe(
      'webdata needs Node 22.19 or newer; this is 20.20.2. Get it from https://nodejs.org, or run `nvm install --lts`.\n',
    );
    expect(stdout).toBe('');
    expect(status).toBe(1);
  });
});
