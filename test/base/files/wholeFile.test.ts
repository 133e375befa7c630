import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { appendLine, openLineFile } from '../../../src/base/files/lineFile.ts';
import { writeWholeFile } from '../../../src/base/files/wholeFile.ts';
import { hasSmallDisks, smallDisk } from './smallDisk.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'webdata-whole-'));
});
afterEach(() => rm(folder, { recursive: true }));

it('replaces a file, behind a link too, and keeps who may read it', async () => {
  await writeFile(join(folder, 'real'), 'before', { mode: 0o640 });
  await symlink('real', join(folder, 'link'));
  await writeWholeFile(join(folder, 'link'), 'after');
  expect(await readFile(join(folder, 'real'), 'utf8')).toBe('after');
  expect((await stat(join(folder, 'real'))).mode & 0o777).toBe(0o640);
  await writeWholeFile(join(folder, 'secret'), 'key', { mode: 0o600 });
  expect((await stat(join(folder, 'secret'))).mode & 0o777).toBe(0o600);
  expect((await readdir(folder)).toSorted()).toEqual(['link', 'real', 'secret']);
});

it('removes what a process that was killed was writing, and not what another one writes', async () => {
  const { pid: dead } = spawnSync('true');
  const name = (pid: number) => `.writing.${hostname()}.${pid}.${crypto.randomUUID()}`;
  const others = name(1);
  await writeFile(join(folder, name(dead)), 'half a k');
  await writeFile(join(folder, others), 'half a k');
  await writeWholeFile(join(folder, 'state.json'), 'key');
  expect((await readdir(folder)).toSorted()).toEqual([others, 'state.json']);
});

it.skipIf(!hasSmallDisks)('keeps what there was where the disk has room for only a part, and says so', async () => {
  using disk = smallDisk(256);
  const file = join(disk?.folder ?? '', 'state.json');
  await writeWholeFile(file, 'a'.repeat(100_000));
  await expect(writeWholeFile(file, 'b'.repeat(200_000))).rejects.toMatchObject({ code: 'ENOSPC' });
  expect(await readFile(file, 'utf8')).toBe('a'.repeat(100_000));
  expect(await readdir(disk?.folder ?? '')).toEqual(['state.json']);
});

it('ends a line that was cut off before it writes the next', async () => {
  const file = join(folder, 'lines.jsonl');
  await writeFile(file, '{"first":1}\n{"seco');
  await appendLine(file, '{"third":3}');
  await appendLine(file, '{"fourth":4}');
  expect(await readFile(file, 'utf8')).toBe('{"first":1}\n{"seco\n{"third":3}\n{"fourth":4}\n');
});

it.skipIf(!hasSmallDisks)('does not glue a line to one that a full disk cut off', async () => {
  using disk = smallDisk(256);
  const file = join(disk?.folder ?? '', 'lines.jsonl');
  const lines = await openLineFile(file);
  await lines.append('a'.repeat(4000));
  disk?.fill();
  await expect(lines.append('b'.repeat(4000))).rejects.toMatchObject({ code: 'ENOSPC' });
  disk?.empty();
  await lines.append('c');
  await lines.close();
  const [first, second, ...rest] = (await readFile(file, 'utf8')).split('\n');
  expect(first).toBe('a'.repeat(4000));
  expect(second).toMatch(/^b+$/);
  expect(rest).toEqual(['c', '']);
});
