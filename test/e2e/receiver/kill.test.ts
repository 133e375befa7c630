/** A receiver that is killed in the middle of a delivery: the next one cleans up, and takes it whole. */
import { appendFile, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { filesIn, kept, post, record, sending } from '../../receiver/helpers.ts';
import { startProcess, stop, temporaryFolder } from './process.ts';

/** Too random to be compressed much, so that half of what is sent is about half of what it says. */
const rows = JSON.stringify(Array.from({ length: 20_000 }, (_, index) => ({ index, random: Math.random() })));
const compressed = gzipSync(rows);
const gzip = { 'content-encoding': 'gzip' };

it('leaves one whole file and no half one when killed half-way and delivered again', async () => {
  await using folder = await temporaryFolder();
  const args = ['--folder', 'kept'];
  const killed = await startProcess(folder.path, args);
  const { outgoing, answer } = sending(killed.url, { path: '/acme/results', headers: gzip });
  outgoing.write(compressed.subarray(0, compressed.length / 2));
  await expect.poll(() => filesIn(folder.path).catch(() => [])).not.toEqual([]);
  killed.child.kill('SIGKILL');
  await killed.finished;
  await expect(answer).rejects.toThrow();
  const left = await filesIn(folder.path);
  expect(left).not.toEqual([]);
  for (const file of left) expect(file).toMatch(/^kept\/\.receiving\//);

  const next = await startProcess(folder.path, args);
  expect(await filesIn(folder.path)).toEqual([]);
  expect(await post(next.url, compressed, { path: '/acme/results', headers: gzip })).toMatchObject({ text: 'Kept.\n' });
  expect(await stop(next)).toMatchObject({ code: 0, signal: null });
  expect(Object.values(await kept(join(folder.path, 'kept')))).toEqual([rows]);
  expect(await record(join(folder.path, 'kept'))).toMatchObject([{ again: false, bytes: rows.length }]);
});

it('knows after a restart what was kept before it', async () => {
  await using folder = await temporaryFolder();
  const first = await startProcess(folder.path, ['--folder', 'kept']);
  await post(first.url, compressed, { headers: gzip });
  first.child.kill('SIGKILL');
  await first.finished;
  const second = await startProcess(folder.path, ['--folder', 'kept']);
  expect(await post(second.url, rows)).toMatchObject({ text: 'Kept before.\n' });
  await stop(second);
  expect(await readdir(join(folder.path, 'kept'))).toHaveLength(3);
});

it('goes on with the record behind a line that was cut off', async () => {
  await using folder = await temporaryFolder();
  const first = await startProcess(folder.path, ['--folder', 'kept']);
  await post(first.url, rows);
  first.child.kill('SIGKILL');
  await first.finished;
  const file = join(folder.path, 'kept/received.jsonl');
  await appendFile(file, '{"time":"2026-');
  const second = await startProcess(folder.path, ['--folder', 'kept']);
  await post(second.url, '[{"other":1}]');
  await stop(second);
  const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
  expect(lines).toHaveLength(3);
  expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ again: false });
});
