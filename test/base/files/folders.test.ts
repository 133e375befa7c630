import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeFolder } from '../../../src/base/files/folders.ts';

describe('a created folder', () => {
  let root: string;
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'webdata-folder-'));
  });
  afterEach(() => rm(root, { recursive: true }));

  it('has all folders above it, with the same mode', async () => {
    await makeFolder(join(root, 'a/b/c'), 0o700);
    for (const folder of ['a', 'a/b', 'a/b/c']) {
      const stats = await stat(join(root, folder));
      expect(stats.isDirectory()).toBe(true);
      if (process.platform !== 'win32') expect(stats.mode & 0o777).toBe(0o700);
    }
  });

  it('may exist already', async () => {
    await makeFolder(join(root, 'a'));
    await expect(makeFolder(join(root, 'a'))).resolves.toBeUndefined();
  });

  it.each(['file', 'file/a/b'])('cannot be where a file is: %s', async (path) => {
    await writeFile(join(root, 'file'), '');
    await expect(makeFolder(join(root, path))).rejects.toMatchObject({ code: expect.stringMatching('EEXIST|ENOTDIR') });
  });

  it.runIf(process.platform === 'linux')('is refused in /proc, without waiting', async () => {
    await expect(makeFolder('/proc/webdata/kept')).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
