/** `webdata drift --accept --patch`: a patch that Git applies, in place of a change of the file. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { openDeclared } from '../harness.ts';

it('changes nothing without consent, and writes a patch instead with --patch', async () => {
  await using harness = await openDeclared('plain', 'managerSettings: { main: { logs: 12345 } }\n');
  const before = await harness.read('webdata.yaml');
  const asked: string[] = [];
  const confirm = async (question: string) => asked.push(question) < 0;
  expect(await harness.webdataWith({ confirm }, 'drift', '--accept')).toMatchObject({ code: 2 });
  expect(asked).toEqual(['Change webdata.yaml?']);
  expect(await harness.webdata('drift', '--accept')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('no terminal to confirm on'),
  });
  expect(await harness.webdata('drift', '--accept', '--patch', 'drift.patch')).toMatchObject({ code: 2 });
  expect(await harness.read('drift.patch')).toMatch(/^--- a\/webdata\.yaml\n\+\+\+ b\/webdata\.yaml\n@@ /);
  expect(await harness.read('webdata.yaml')).toBe(before);
  const apply = promisify(execFile)('git', ['apply', 'drift.patch'], { cwd: harness.folder });
  await expect(apply).resolves.toBeDefined();
  expect(await harness.webdata('drift')).toMatchObject({ code: 0 });
});
