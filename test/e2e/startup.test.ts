/** What a process of `webdata` loads: nobody should wait for a package that their command has no use for. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { start } from './process.ts';

const spy = `
  import { registerHooks } from 'node:module';
  const seen = new Set();
  registerHooks({
    load(url, context, next) {
      const name = [...url.matchAll(/node_modules\\/((?:@[^/]+\\/)?[^/]+)\\//g)].at(-1)?.[1];
      if (name) seen.add(name);
      return next(url, context);
    },
  });
  process.on('exit', () => process.stderr.write('loaded ' + [...seen].join(' ') + '\\n'));
`;

describe('webdata starts without what it does not need', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'webdata-startup-'));
    await writeFile(join(folder, 'spy.mjs'), spy);
    await writeFile(join(folder, 'webdata.yaml'), 'managerSettings: { local: { logs: 1 } }\n');
  });

  afterAll(() => rm(folder, { recursive: true }));

  async function loadedBy(...args: string[]): Promise<string[]> {
    const NODE_OPTIONS = `--import ${pathToFileURL(join(folder, 'spy.mjs'))}`;
    const { code, stderr } = await start(args, { cwd: folder, env: { NODE_OPTIONS } }).finished;
    expect(code).toBe(0);
    return /loaded (.*)\n$/.exec(stderr)?.[1]?.split(' ') ?? [];
  }

  it.each([['--version'], ['--help'], ['completion bash']])('%s', async (line) => {
    const allowed = ['commander'];
    expect((await loadedBy(...line.split(' '))).filter((name) => !allowed.includes(name))).toEqual([]);
  });

  it.each([
    ['validate'],
    ['history'],
  ])('%s reads files, and needs neither an HTTP client nor a server', async (command) => {
    const loaded = await loadedBy(command);
    expect(loaded).toContain('yaml');
    for (const name of ['undici', 'fastify', 'fast-xml-builder', '@pulumi/pulumi']) expect(loaded).not.toContain(name);
  });
});
