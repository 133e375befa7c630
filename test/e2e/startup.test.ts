/** What a process of `webdata` loads: no command waits for a package that it does not use. */
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { start } from './process.ts';

const spy = `
  import { registerHooks } from 'node:module';
  const packages = new Set();
  const vendored = [];
  let files = 0;
  registerHooks({
    load(url, context, next) {
      const name = [...url.matchAll(/node_modules\\/((?:@[^/]+\\/)?[^/]+)\\//g)].at(-1)?.[1];
      if (name) packages.add(name);
      if (url.includes('/dist/vendor/')) vendored.push(url.replace(/^.*\\//, ''));
      if (url.startsWith('file:')) files += 1;
      return next(url, context);
    },
  });
  process.on('exit', () => process.stderr.write(JSON.stringify({ packages: [...packages], vendored, files })));
`;

const schedule = `collectorSchedules:
  prices: { collector: c_prices, cron: '0 3 * * *', inputs: [{ url: 'https://shop.example.com' }] }
`;

/** Takes back what tests share, so that a command keeps its compiled code as it does for users. */
const ownCompiledCode = { NODE_COMPILE_CACHE: '', CI: '' };

const envWith = (cache: string) => ({ ...ownCompiledCode, XDG_CACHE_HOME: cache });

describe('webdata starts without what it does not need', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'webdata-startup-'));
    await writeFile(join(folder, 'spy.mjs'), spy);
    await writeFile(join(folder, 'webdata.yaml'), 'managerSettings: { local: { logs: 1 } }\n');
    await writeFile(
      join(folder, 'large.yaml'),
      `${'# padding\n'.repeat(30_000)}managerSettings: { local: { logs: 1 } }\n`,
    );
    await writeFile(join(folder, 'schedule.yaml'), `name: acme\n${schedule}`);
  });

  afterAll(() => rm(folder, { recursive: true }));

  async function loadedBy(line: string): Promise<{ packages: string[]; vendored: string[]; files: number }> {
    const NODE_OPTIONS = `--import ${pathToFileURL(join(folder, 'spy.mjs'))}`;
    const { code, stderr } = await start(line.split(' '), { cwd: folder, env: { NODE_OPTIONS } }).finished;
    expect({ line, code }).toEqual({ line, code: line.startsWith('plan') ? 1 : 0 });
    return JSON.parse(stderr);
  }

  it('tells its version from a handful of files', async () => {
    for (const flag of ['--version', '-V']) expect((await loadedBy(flag)).files).toBeLessThan(10);
  });

  it.each([
    ['--help'],
    ['completion bash'],
    ['validate'],
    ['history'],
    ['plan --manager-url http://127.0.0.1:9 --retries 0'],
  ])('%s has all it needs in a few files, and installed packages for none of it', async (line) => {
    const { packages, files } = await loadedBy(line);
    expect(packages).toEqual([]);
    expect(files).toBeLessThan(line === 'history' ? 32 : 14);
  });

  it('keeps compiled code in the cache folder of the user, but not in CI, and does without a folder that cannot be written', async () => {
    const cache = join(folder, 'cache');
    const version = async (env: Record<string, string>) =>
      (await start(['--version'], { cwd: folder, env: { ...ownCompiledCode, ...env } }).finished).stdout;
    const expected = await version({});
    expect(await version({ XDG_CACHE_HOME: cache, HOME: folder })).toBe(expected);
    if (process.platform !== 'win32') expect(await readdir(join(cache, 'webdata'))).toHaveLength(1);
    expect(await version({ XDG_CACHE_HOME: '/proc/nowhere', HOME: '/proc' })).toBe(expected);
    expect(await version({ XDG_CACHE_HOME: join(folder, 'ci'), CI: 'true' })).toBe(expected);
    expect(await readdir(folder)).not.toContain('ci');
    expect(await version({ XDG_CACHE_HOME: join(folder, 'webdata.yaml') })).toBe(expected);
  });

  it('uses the compiled code that an earlier command has kept', async () => {
    const cache = join(folder, 'kept');
    for (const command of ['validate', 'plan', 'plan -f large.yaml', '--help']) {
      const run = async () => (await start(command.split(' '), { cwd: folder, env: envWith(cache) }).finished).code;
      const code = await run();
      const kept = await timesOfFiles(cache);
      expect(await run()).toBe(code);
      expect({ command, kept: await timesOfFiles(cache) }).toEqual({ command, kept });
    }
  });

  it('loads the parser of cron expressions only for a file that has any', async () => {
    const [without, withCron] = [await loadedBy('validate'), await loadedBy('validate -f schedule.yaml')];
    expect(without.vendored).toEqual([]);
    expect(withCron.vendored).toEqual(['cron-parser.cjs']);
  });
});

/** Returns the time of the last write of each file. */
async function timesOfFiles(folder: string): Promise<Record<string, number>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(await Promise.all(files.map(async (file) => [file, (await stat(file)).mtimeMs] as const)));
}
