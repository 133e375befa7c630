/** A release as users get it: `npm run release -- --dry-run`, and its package, plugin and action in use. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { appendFile, cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { version } from '../../src/version.ts';
import { accounts, openHarness, serviceYaml } from '../cli/harness.ts';
import { runAction } from './codeHost/compositeAction.ts';
import { npm } from './packed.ts';
import { start } from './process.ts';
import { describeOnEngine, hasEngine, openProject, type Project } from './pulumi/harness.ts';

const release = resolve('dist/release');
const declared = 'zoneIpAllocations: { static: { zones: { checkout: { ips: [192.0.2.10] } }, sources: [pricing] } }\n';
let folder: string;
let said: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'webdata-release-'));
  // The global set-up has built; building again would pull it from under other tests.
  const args = ['scripts/release.ts', '--dry-run', '--built'];
  said = execFileSync(process.execPath, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
});

afterAll(() => rm(folder, { recursive: true }));

it('has everything that the workflow publishes, with checksums, and says what was not done', async () => {
  const platforms = ['darwin', 'linux', 'windows'].flatMap((system) => [`${system}-amd64`, `${system}-arm64`]);
  const sdks = hasEngine ? [`pulumi-webdata-webdata-${version}.tgz`, `pulumi_webdata-${version}-py3-none-any.whl`] : [];
  const names = [
    'Dockerfile',
    'notes.md',
    ...platforms.map((platform) => `pulumi-resource-webdata-v${version}-${platform}.tar.gz`),
    'pulumi-schema.json',
    `pulumi-webdata-${version}.tgz`,
    ...sdks,
    'sbom.cdx.json',
    'terraform-registry-manifest.json',
    ...['SHA256SUMS', 'manifest.json'].map((name) => `terraform-provider-webdata_${version}_${name}`),
    ...platforms.map((platform) => `terraform-provider-webdata_${version}_${platform.replace('-', '_')}.zip`),
    `webdata-action-v${version}.tar.gz`,
  ];
  const sums = await readFile(join(release, 'SHA256SUMS'), 'utf8');
  expect([...sums.matchAll(/^[0-9a-f]{64} {2}(.+)$/gm)].map(([, name]) => name)).toEqual(names.toSorted());
  execFileSync('sha256sum', ['--check', '--quiet', 'SHA256SUMS'], { cwd: release });
  expect(said).toContain('Not done: package.json has no `repository`');
});

it('without --dry-run fails before anything is built, if the tag is not the version', () => {
  const run = () =>
    execFileSync(process.execPath, ['scripts/release.ts', 'v0.0.1'], { stdio: 'pipe', encoding: 'utf8' });
  expect(run).toThrow(`tag v0.0.1 does not match version ${version}`);
});

describe('the package in an empty project', () => {
  let project: string;

  beforeAll(async () => {
    project = join(folder, 'project');
    await mkdir(project);
    await writeFile(join(project, 'package.json'), '{ "private": true, "type": "module" }');
    const tarball = join(release, `pulumi-webdata-${version}.tgz`);
    const packages = [tarball, '@pulumi/pulumi@3.270.0', 'typescript@6.0.3'];
    npm(project, 'install', '--ignore-scripts', '--no-audit', '--no-fund', ...packages);
  });

  it('has the documentation, with links to what it contains', async () => {
    const root = join(project, 'node_modules/pulumi-webdata');
    const files = await readdir(root, { recursive: true });
    const pages = ['README.md', ...files.filter((name) => /^docs\/.*\.md$/.test(name))];
    expect(pages.length).toBeGreaterThan(20);
    const outside = pages.flatMap((page) =>
      [...readFileSync(join(root, page), 'utf8').matchAll(/\]\((?!\w+:|#)([^)\s#]+)/g)]
        .map(([, link = '']) => join(dirname(page), link))
        .filter((target) => !files.includes(target.replace(/\/$/, ''))),
    );
    // The sources and their tests, the evidence, and pictures that would be a third of the package.
    expect(
      outside.filter((name) => !/^(test|src|reliability|bench|scripts|site|docs\/evidence)\b|\.png$/.test(name)),
    ).toEqual([]);
  });

  describeOnEngine('works in a TypeScript program of Pulumi', () => {
    const program = `
      const allocation = new ZoneIpAllocation('static', { zones: { checkout: { ips: ['192.0.2.10'] } }, sources: ['pricing'] });
      const first: pulumi.Output<string | undefined> = allocation.ipsOf('checkout').apply(([ip]) => ip);
      new ManagerSettings('local', { logs: 7 });
      first.apply((ip) => ip);`;

    it('and is no change of its stack when it is upgraded', async () => {
      await using created = await openProject(accounts.plain, { modules: join(project, 'node_modules') });
      await created.program(program);
      const { code, output } = await created.pulumi('up', '--yes', '--skip-preview');
      expect(output).toMatch(/\+ 3 created/);
      expect(code).toBe(0);
      expect(created.emulator.ips('checkout')).toContain('192.0.2.10');
      const before = await providersOf(created);
      const runtime = join(project, 'node_modules/pulumi-webdata/dist/providers/runtime');
      await appendFile(join(runtime, 'index.js'), '\nprocess.stdout.write("upgraded handlers run\\n");\n');

      const preview = await created.pulumi('preview', '--expect-no-changes');
      expect(preview.output).toContain('upgraded handlers run');
      expect(preview.code).toBe(0);
      await created.program(program.replace('logs: 7', 'logs: 8'));
      expect(await created.pulumi('up', '--yes', '--skip-preview')).toMatchObject({ code: 0 });
      expect(await providersOf(created)).toEqual(before);
    });
  });
});

async function providersOf({ state }: Project): Promise<unknown[]> {
  const resources = [...(await state('ZoneIpAllocation')), ...(await state('ManagerSettings'))];
  expect(resources).toHaveLength(2);
  return resources.map(({ outputs }) => outputs.__provider);
}

it('the action runs from a copy in the repository, and installs the package beside it', async () => {
  await using harness = await openHarness('plain');
  const workspace = join(folder, 'workspace');
  const actionPath = join(workspace, '.github/actions/webdata');
  await mkdir(actionPath, { recursive: true });
  execFileSync('tar', ['-xzf', join(release, `webdata-action-v${version}.tar.gz`), '-C', actionPath]);
  await writeFile(join(workspace, 'webdata.yaml'), serviceYaml('plain') + declared);
  const prefix = join(folder, 'global');
  const env = {
    // npm may need a proxy or settings.
    ...(process.env as Record<string, string>),
    PATH: `${join(prefix, 'bin')}:${process.env.PATH}`,
    npm_config_prefix: prefix,
    WEBDATA_API_URL: harness.emulator.apiUrl,
    WEBDATA_API_KEY: harness.emulator.keys.ops,
  };
  const run = await runAction({ workspace, actionPath, inputs: { command: 'plan' }, env });
  expect(run.code, run.log).toBe(0);
  expect(run.log).toContain('Plan: 1 IP moves');
  expect(await readFile(join(run.outputs.reports ?? '', 'webdata-report.html'), 'utf8')).toContain('192.0.2.10');
});

describe('the image', () => {
  it('is linted, runs without root, and has what the manifests for Kubernetes start', async () => {
    const hadolint = execFileSync('scripts/hadolint.sh', { encoding: 'utf8' }).trim();
    execFileSync(hadolint, [join(release, 'Dockerfile')], { stdio: 'inherit' });
    const text = await readFile(join(release, 'Dockerfile'), 'utf8');
    expect(text).toMatch(/^USER 1000:1000$/m);
    expect(text).toMatch(/^ENTRYPOINT \["webdata"\]$/m);
  });

  it('has a step that installs the package and the client for buckets, which then needs no writable folder', async () => {
    const [, line = ''] =
      /^RUN (npm install [\s\S]*?[^\\])$/m.exec(await readFile(join(release, 'Dockerfile'), 'utf8')) ?? [];
    const prefix = join(folder, 'image');
    const context = join(folder, 'context');
    await mkdir(context);
    await cp(join(release, `pulumi-webdata-${version}.tgz`), join(context, `pulumi-webdata-${version}.tgz`));
    const script = line.replaceAll('/tmp/', `${context}/`).replaceAll('/opt/webdata', prefix);
    execFileSync('sh', ['-ec', script], { stdio: ['ignore', 'ignore', 'inherit'] });
    const { finished } = start(['--version'], { cwd: '/', env: {}, webdata: join(prefix, 'bin/webdata') });
    expect(await finished).toMatchObject({ code: 0, stdout: `${version}\n` });
    expect(await readdir(join(prefix, 'lib/node_modules'))).toEqual(
      expect.arrayContaining(['@aws-sdk', 'pulumi-webdata']),
    );
  });
});
