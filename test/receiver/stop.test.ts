/** A receiver that stops: what is being received comes to its end, for a while. */
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openFolder } from '../../src/keeping/folder.ts';
import { filesIn, kept, open, post, sending } from './helpers.ts';

it('takes what it is receiving to its end, and nothing new', async () => {
  await using opened = await open();
  const { outgoing, answer } = sending(opened.url);
  outgoing.write('[1');
  await expect.poll(() => filesIn(opened.folder)).toHaveLength(1);
  const closed = opened.receiver.close();
  await expect(post(opened.url, '[2]')).rejects.toThrow('ECONNREFUSED');
  outgoing.end(']');
  expect(await answer).toMatchObject({ status: 200, headers: { connection: 'close' } });
  await closed;
  expect(Object.values(await kept(opened.folder))).toContain('[1]');
});

it('cuts off what is not whole after the time of grace, and keeps none of it', async () => {
  await using opened = await open({ limits: { graceMs: 50 } });
  const { outgoing, answer } = sending(opened.url);
  outgoing.write('[1');
  await expect.poll(() => filesIn(opened.folder)).toHaveLength(1);
  await opened.receiver.close();
  await expect(answer).rejects.toThrow();
  await expect.poll(() => filesIn(opened.folder)).toEqual([]);
});

it('removes the probe that a killed receiver left', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'webdata-received-'));
  await writeFile(join(folder, '.probe'), Buffer.alloc(64 * 1024));
  await (await openFolder(folder)).close();
  expect(await readdir(folder)).not.toContain('.probe');
  await rm(folder, { recursive: true });
});
