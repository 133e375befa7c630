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
const ownCompiledCode = { NODE_COMPILE_CACHE: '' };

describe('webdata starts without what it does not need', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'webdata-startup-'));
    await writeFile(join(folder, 'spy.mjs'), spy);
    await writeFile(join(folder, 'webdata.yaml'), 'managerSettings: { local: { logs: 1 } }\n');
    await writeFile(join(folder, 'schedule.yaml'), `name: acme\n${schedule}`);
  });

  afterAll(() => rm(folder, { recursive: true }));

  async function loadedBy(line: string): Promise<{ packages: string[]; vendored: string[]; files: number }> {
    const NODE_OPTIONS = `--import ${pathToFileURL(join(folder, 'spy.mjs'))}`;
    const { code, stderr } = await start(line.split(' '), { cwd: folder, env: { NODE_OPTIONS } }).finished;
    expect({ line, code }).toEqual({ line, code: 0 });
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
  ])('%s has all it needs in a few files, and installed packages for none of it', async (line) => {
    const { packages, files } = await loadedBy(line);
    expect(packages).toEqual([]);
    expect(files).toBeLessThan(line === 'history' ? 32 : 14);
  });

  it('keeps compiled code in the cache folder of the user, and does without one that cannot be written', async () => {
    const cache = join(folder, 'cache');
    const version = async (env: Record<string, string>) =>
      (await start(['--version'], { cwd: folder, env: { ...ownCompiledCode, ...env } }).finished).stdout;
    const expected = await version({});
    expect(await version({ XDG_CACHE_HOME: cache, HOME: folder })).toBe(expected);
    if (process.platform !== 'win32') expect(await readdir(join(cache, 'webdata'))).toHaveLength(1);
    expect(await version({ XDG_CACHE_HOME: '/proc/nowhere', HOME: '/proc' })).toBe(expected);
    expect(await version({ XDG_CACHE_HOME: join(folder, 'webdata.yaml') })).toBe(expected);
  });

  it('uses the compiled code that a command with another use of memory has kept', async () => {
    const cache = join(folder, 'shared');
    const run = (command: string) =>
      start([command], { cwd: folder, env: { ...ownCompiledCode, XDG_CACHE_HOME: cache } }).finished;
    // Has no manager to read from, but has loaded what both commands need.
    expect((await run('plan')).code).toBe(1);
    const kept = await timesOfFiles(cache);
    expect((await run('validate')).code).toBe(0);
    expect(await timesOfFiles(cache)).toMatchObject(kept);
    expect(Object.keys(kept).length).toBeGreaterThan(5);
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
