/** The file of the embedded store: what is done to it when it is opened. */
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { openStore } from '../../src/triggers/store/open.ts';

const folder = mkdtempSync(join(tmpdir(), 'wd-store-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('a file that is not a store is refused and stays unchanged', async () => {
  const file = join(folder, 'webdata.yaml');
  writeFileSync(file, 'name: acme\n');
  chmodSync(file, 0o644);
  await expect(openStore(file)).rejects.toMatchObject({ problems: [{ code: 'unusable-store' }] });
  expect(statSync(file).mode & 0o777).toBe(0o644);
  expect(readFileSync(file, 'utf8')).toBe('name: acme\n');
});

it('a store is readable by its owner only, and opening it again writes nothing', async () => {
  const file = join(folder, 'triggers.db');
  await (await openStore(file)).close();
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const before = readFileSync(file);
  const { mtimeMs } = statSync(file);
  await (await openStore(file)).close();
  expect(statSync(file).mtimeMs).toBe(mtimeMs);
  expect(readFileSync(file).equals(before)).toBe(true);
});
