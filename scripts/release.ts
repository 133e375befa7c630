/**
 * `npm run release -- TAG`: writes everything that a release consists of into dist/release, with checksums. `--dry-run` needs no tag, no dated
 * section of the changelog and no address of the repository, and prints what it could not do. `--built` uses the build in dist.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import manifest from '../package.json' with { type: 'json' };
import { dist, root } from './bundle/paths.ts';
import { publishedManifest, repository } from './docs/address.ts';
import { pathWithEngine } from './pulumi/engine.ts';
import { buildPlugin, pluginFolder } from './pulumi/plugin.ts';
import { buildSdks } from './pulumi/sdks.ts';
import { nextNotes, notesOf } from './releaseNotes.ts';
import { writeArchives } from './terraform/archives.ts';
import { buildProvider } from './terraform/provider.ts';

const release = join(dist, 'release');
const tarball = `${manifest.name}-${manifest.version}.tgz`;

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: { 'dry-run': { type: 'boolean', default: false }, built: { type: 'boolean', default: false } },
});
const isDry = flags['dry-run'];
const missing: string[] = [];

/** Fails, or in a dry run only notes that something is missing. */
function miss(what: string): void {
  if (!isDry) throw new Error(what);
  missing.push(what);
}

/** Returns the notes. A wrong tag ends a release before anything is replaced. */
function notes(): string {
  const { GITHUB_REPOSITORY: here } = process.env;
  if (!isDry && here !== undefined && repository !== undefined && here !== repository.name)
    throw new Error(`package.json names the repository ${repository.name}; this is ${here}`);
  return isDry && positionals.length === 0 ? nextNotes(root) : notesOf(positionals[0] ?? '', root);
}

/** Packs twice: the second time with the fields of the manifest that only a release knows. */
function writePackage(): void {
  // The lists of the package are written again: they come from the build.
  run(process.execPath, 'scripts/sbom.ts');
  const staged = mkdtempSync(join(tmpdir(), 'webdata-package-'));
  const pack = ['pack', '--silent', '--ignore-scripts', '--pack-destination'];
  run('npm', ...pack, staged);
  run('tar', '-xzf', join(staged, tarball), '-C', staged);
  const folder = join(staged, 'package');
  const published = publishedManifest(manifest, repository, process.env.RELEASE_AUTHOR);
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(published, null, 2)}\n`);
  run('npm', ...pack, release, folder);
  rmSync(staged, { recursive: true });
  copyFileSync(join(dist, 'sbom.cdx.json'), join(release, 'sbom.cdx.json'));
}

async function writePlugin(): Promise<void> {
  if (!flags.built) await buildPlugin();
  cpSync(join(pluginFolder, 'release'), release, { recursive: true });
  copyFileSync(join(pluginFolder, 'schema.json'), join(release, 'pulumi-schema.json'));
}

async function writeTerraformProvider(): Promise<void> {
  if (!flags.built) await buildProvider();
  writeArchives(release);
}

/** Writes the SDKs for programs in TypeScript and Python as packages. */
function writeSdks(): void {
  const path = pathWithEngine();
  if (path === undefined) {
    miss('no SDKs: they need Pulumi (`npm run pulumi:install`)');
    return;
  }
  const { node, pythonSource } = buildSdks(path);
  run('npm', 'pack', '--silent', '--pack-destination', release, node);
  run('python3', '-m', 'pip', 'wheel', '--quiet', '--no-deps', '--wheel-dir', release, pythonSource);
}

/** Packs the action with the package, for repositories that keep a copy of the action. */
function writeAction(): void {
  const folder = mkdtempSync(join(tmpdir(), 'webdata-action-'));
  for (const name of ['action.yml', 'LICENSE']) copyFileSync(join(root, name), join(folder, name));
  copyFileSync(join(release, tarball), join(folder, tarball));
  archive(`webdata-action-v${manifest.version}.tar.gz`, folder);
  rmSync(folder, { recursive: true });
}

/** Builds the image where an engine runs. Its context is the folder of the release. */
function writeImage(): void {
  copyFileSync(join(root, 'ci/Dockerfile'), join(release, 'Dockerfile'));
  if (spawnSync('docker', ['info'], { stdio: 'ignore' }).status === 0)
    run('docker', 'build', '--quiet', '--tag', `webdata:${manifest.version}`, release);
  else missing.push('no image: no docker engine runs here. The workflow builds and pushes it');
}

function archive(name: string, folder: string): void {
  const owner = ['--owner=0', '--group=0', '--numeric-owner', '--sort=name', '--mtime=@0'];
  run('tar', ...owner, '-czf', join(release, name), '-C', folder, ...readdirSync(folder).toSorted());
}

function writeChecksums(): void {
  const lines = readdirSync(release)
    .toSorted()
    .map(
      (name) =>
        `${createHash('sha256')
          .update(readFileSync(join(release, name)))
          .digest('hex')}  ${name}\n`,
    );
  writeFileSync(join(release, 'SHA256SUMS'), lines.join(''));
}

function run(command: string, ...args: readonly string[]): void {
  execFileSync(command, args, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
}

const text = notes();
if (repository === undefined)
  miss('package.json has no `repository`: provenance and absolute addresses need it. Set it and run `npm run docs`');
if (!('homepage' in manifest))
  miss(
    'package.json has no `homepage`: errors, help and the JSON Schema lead to that address of the documentation site',
  );
if (!process.env.RELEASE_AUTHOR) miss('the package has no `author`: set RELEASE_AUTHOR');
rmSync(release, { recursive: true, force: true });
mkdirSync(release, { recursive: true });
writeFileSync(join(release, 'notes.md'), text);
if (!flags.built) run('npm', 'run', 'build');
writePackage();
await writePlugin();
await writeTerraformProvider();
writeSdks();
writeAction();
writeImage();
writeChecksums();
process.stdout.write(readFileSync(join(release, 'SHA256SUMS'), 'utf8'));
for (const each of missing) console.log(`Not done: ${each}.`);
