/** Files as other programs write them: CSV of spreadsheets, conflicts of Git, line ends of Windows, extensions as in Compose. */
import { expect, it } from 'vitest';
import { openHarness } from '../harness.ts';
import { nightly, openRegistering, results } from '../registrations/registrations.ts';

it.each([
  ['semicolons', 'url;note\nhttps://a.example/;x, y\n', { url: 'https://a.example/', note: 'x, y' }],
  ['tabs', 'url\tnote\nhttps://a.example/\tb\n', { url: 'https://a.example/', note: 'b' }],
  ['a named separator', 'sep=;\r\nurl;note\r\nhttps://a.example/;b\r\n', { url: 'https://a.example/', note: 'b' }],
  ['commas', 'url,"a;b"\nhttps://a.example/,b\n', { url: 'https://a.example/', 'a;b': 'b' }],
])('CSV with %s is read by its columns', async (_, text, input) => {
  await using registering = await openRegistering();
  await registering.write('rows.csv', text);
  await registering.declare(results + nightly('every: 1h').replace(/inputs: .*/, 'inputs: { file: rows.csv }'));
  expect(await registering.webdata('apply', '--yes')).toMatchObject({ code: 0 });
  expect((await registering.serving.registry.records('acme')).schedules[0]?.spec.inputs).toEqual([input]);
});

it.each([
  ['https://a.example/1,x\nhttps://a.example/2,y\n', 'https://a.example/1'],
  ['17;x\n18;y\n', '17'],
])('CSV without a header is refused', async (text, cell) => {
  await using registering = await openRegistering();
  await registering.write('rows.csv', text);
  await registering.declare(results + nightly('every: 1h').replace(/inputs: .*/, 'inputs: { file: rows.csv }'));
  const { code, stdout } = await registering.webdata('apply', '--yes');
  expect({ code, stdout }).toMatchObject({ code: 1, stdout: expect.stringContaining('has no names of columns') });
  expect(stdout).toContain(cell);
});

it('a conflict of a merge is named, and keys that begin with x- hold anchors', async () => {
  await using harness = await openHarness('plain');
  await harness.write('webdata.yaml', 'account: a\n<<<<<<< HEAD\nname: a\n=======\nname: b\n>>>>>>> other\n');
  const { code, stderr } = await harness.webdata('validate');
  expect({ code, stderr }).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('webdata.yaml:2:1: a conflict of a merge'),
  });
  await harness.write('webdata.yaml', 'x-logs: &logs { logs: 500 }\nmanagerSettings: { local: { <<: *logs } }\n');
  expect(await harness.webdata('validate')).toMatchObject({ code: 0 });
});

it('fmt keeps the line ends of Windows', async () => {
  await using harness = await openHarness('plain');
  await harness.write('webdata.yaml', 'name: acme\r\n');
  expect(await harness.webdata('fmt', '--check')).toEqual({ code: 0, stdout: '', stderr: '' });
  await harness.write('webdata.yaml', 'name:   acme\r\n');
  expect(await harness.webdata('fmt')).toMatchObject({ code: 0 });
  expect(await harness.read('webdata.yaml')).toBe('name: acme\r\n');
});
