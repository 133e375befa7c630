/**
 * `npm run site` builds the documentation site into `site/dist`, and `npm run site:dev` serves it while pages are written. The site generator
 * has a package of its own in `site/`, which this script installs when it is needed.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import manifest from '../package.json' with { type: 'json' };
import { apiPages } from './site/api.ts';
import { buildPlayground } from './site/playground.ts';
import { stage } from './site/stage.ts';
import { checkOut, releasedVersions } from './site/versions.ts';

const root = join(import.meta.dirname, '..');
const site = join(root, 'site');
const staged = join(site, '.staged');
const lock = join(site, 'package-lock.json');
const installedLock = join(site, 'node_modules/.installed-lock.json');

/** The address of the site: `homepage` of package.json. Without one, the site is only read on this machine. */
const siteUrl = `${homepage().replace(/\/+$/, '')}/`;

function install(): void {
  const isInstalled = existsSync(installedLock) && readFileSync(installedLock, 'utf8') === readFileSync(lock, 'utf8');
  if (isInstalled) return;
  const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: site, stdio: 'inherit' });
  if (status !== 0) throw new Error('npm ci failed in site/');
  copyFileSync(lock, installedLock);
}

function stageAll({ withApi }: { withApi: boolean }): void {
  mkdirSync(staged, { recursive: true });
  const api = (from: string) => (withApi ? apiPages(from, site, staged) : []);
  const released = releasedVersions(root).map((version, index) => {
    const from = checkOut(root, version, join(staged, 'checkouts'));
    const sources = addressOf(`v${version}`);
    return { root: from, version, path: index === 0 ? '' : version, sources, made: api(from) };
  });
  const path = released.length === 0 ? '' : 'next';
  const current = { root, version: manifest.version, path, sources: addressOf('main'), made: api(root) };
  stage(staged, siteUrl, { current, released });
  const { pathname, origin } = new URL(siteUrl);
  const settings = {
    url: origin,
    baseUrl: pathname,
    version: manifest.version,
    released: released.map((each) => each.version),
  };
  writeFileSync(join(staged, 'settings.json'), JSON.stringify({ ...settings, repository: repository() }));
}

function homepage(): string {
  return (manifest as { homepage?: string }).homepage ?? 'http://localhost:3000';
}

/** The address of the repository, once package.json has one. */
function repository(): string | undefined {
  const { repository: known } = manifest as { repository?: string | { url: string } };
  const url = typeof known === 'string' ? known : known?.url;
  return url?.replace(/^git\+/, '').replace(/\.git$/, '');
}

function addressOf(ref: string): string | undefined {
  const known = repository();
  return known && `${known}/blob/${ref}`;
}

function docusaurus(...args: readonly string[]): ChildProcess {
  const program = join(site, 'node_modules/@docusaurus/core/bin/docusaurus.mjs');
  const all = [program, ...args, '--config', join(site, 'docusaurus.config.js')];
  const env = { ...process.env, DOCUSAURUS_NO_PERSISTENT_CACHE: '', BROWSERSLIST_IGNORE_OLD_DATA: '1' };
  return spawn(process.execPath, all, { cwd: site, stdio: 'inherit', env });
}

async function build(): Promise<void> {
  stageAll({ withApi: true });
  await buildPlayground(join(staged, 'static/playground.html'));
  const building = docusaurus('build', staged, '--out-dir', join(site, 'dist'));
  process.exitCode = await new Promise((done) => building.on('close', (code) => done(code ?? 1)));
}

/** The pages of the TypeScript API take long to write and are left out. */
async function serve(): Promise<void> {
  stageAll({ withApi: false });
  await buildPlayground(join(staged, 'static/playground.html'));
  const serving = docusaurus('start', staged, '--no-open');
  let timer: NodeJS.Timeout | undefined;
  watch(join(root, 'docs'), { recursive: true }, () => {
    clearTimeout(timer);
    timer = setTimeout(() => stageAll({ withApi: false }), 200);
  });
  serving.on('close', (code) => process.exit(code ?? 1));
}

install();
await (process.argv[2] === 'serve' ? serve() : build());
