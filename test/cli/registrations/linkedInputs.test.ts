/** Inputs in a file that is a symbolic link. */
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../temporary.ts';
import { cron, nightly, openRegistering, results } from './registrations.ts';

const fromFile = (file: string) => results + nightly(cron).replace(/inputs: .*/, `inputs: { file: ${file} }`);

it.each([
  ['rows', '{"url":"https://hidden.example"}\n', 'inp/b.ndjson'],
  ['a wrong CSV, whose first line an error would quote', 'top hidden-row\n', 'inp/b.csv'],
])('are not shown if the link leads out of the folder of the declaration: %s', async (_what, text, file) => {
  await using registering = await openRegistering();
  const outside = temporaryFolder();
  await writeFile(join(outside, 'b'), text);
  await mkdir(join(registering.folder, 'inp'));
  await symlink(join(outside, 'b'), join(registering.folder, file));
  await registering.declare(fromFile(file));
  const { code, stdout, stderr } = await registering.webdata('plan');
  expect(code).toBe(1);
  expect(stdout + stderr).toMatch(
    /webdata\.yaml:\d+:\d+: inp\/b\.\w+ is a symbolic link out of the current folder and the folder of the declaration/,
  );
  expect(stdout + stderr).not.toMatch(/hidden[.-]/);
});

it('are not shown if the folder of the file is a link out of it', async () => {
  await using registering = await openRegistering();
  const outside = temporaryFolder();
  await writeFile(join(outside, 'b.ndjson'), '{"url":"https://hidden.example"}\n');
  await symlink(outside, join(registering.folder, 'inp'));
  await registering.declare(fromFile('inp/b.ndjson'));
  expect(await registering.webdata('plan')).toMatchObject({
    code: 1,
    stdout: expect.not.stringContaining('hidden.example'),
  });
});

it('are read if the link leads to a file in the folder', async () => {
  await using registering = await openRegistering();
  await registering.write('rows.ndjson', '{"url":"https://shop.example.com/b"}\n');
  await symlink('rows.ndjson', join(registering.folder, 'b.ndjson'));
  await registering.declare(fromFile('b.ndjson'));
  const { code, stdout } = await registering.webdata('plan');
  expect([code, stdout]).toEqual([0, expect.stringContaining('https://shop.example.com/b')]);
});
