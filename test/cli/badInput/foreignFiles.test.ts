/** Files as other programs write them: CSV, conflicts of Git, line ends of Windows, extensions as in Compose. */
import { expect, it } from 'vitest';
import { openHarness } from '../harness.ts';
import { nightly, openRegistering, results } from '../registrations/registrations.ts';

it.each([
  ['https://a.example/1,x\nhttps://a.example/2,y\n', 'https://a.example/1'],
  ['17;x\n18;y\n', '17'],
  ['jane@shop.example,x\njoe@shop.example,y\n', 'jane@shop.example'],
  ['2026-01-31\tx\n2026-02-01\ty\n', '2026-01-31'],
  ['192.0.2.1\n192.0.2.2\n', '192.0.2.1'],
  ['url;note\nhttps://a.example/;b\n', 'url;note'],
  ['url\tnote\nhttps://a.example/\tb\n', 'url'],
])('CSV without a header, or with another separator, is refused', async (text, cell) => {
  await using registering = await openRegistering();
  await registering.write('rows.csv', text);
  await registering.declare(results + nightly('every: 1h').replace(/inputs: .*/, 'inputs: { file: rows.csv }'));
  const { code, stdout } = await registering.webdata('apply', '--yes');
  expect({ code, stdout }).toMatchObject({ code: 1, stdout: expect.stringContaining('has no names of columns') });
  expect(stdout).toContain(cell);
});

it('a first line that inputSchema declares is a header', async () => {
  await using registering = await openRegistering();
  await registering.write('rows.csv', 'shop,2024\nshop,12\n');
  const inputs = 'inputs: { file: rows.csv }\n    inputSchema: { shop: string, "2024": number }';
  await registering.declare(results + nightly('every: 1h').replace(/inputs: .*/, inputs));
  expect(await registering.webdata('apply', '--yes')).toMatchObject({ code: 0 });
  expect((await registering.serving.registry.records('acme')).schedules[0]?.spec.inputs).toEqual([
    { shop: 'shop', 2024: 12 },
  ]);
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

it.each([
  ['rows.json', '[\n<<<<<<< HEAD\n{ "url": "https://a.example/" }\n=======\n>>>>>>> b\n]\n'],
  ['rows.ndjson', '{"url":"https://a.example/"}\n>>>>>>> b\n'],
  ['rows.csv', 'url\n<<<<<<< HEAD\nhttps://a.example/\n=======\nhttps://b.example/\n>>>>>>> b\n'],
])('a conflict in the inputs %s is named before the first call', async (file, text) => {
  await using registering = await openRegistering();
  await registering.write(file, text);
  await registering.declare(results + nightly('every: 1h').replace(/inputs: .*/, `inputs: { file: ${file} }`));
  const { code, stdout } = await registering.webdata('apply', '--yes');
  expect({ code, stdout }).toMatchObject({
    code: 1,
    stdout: expect.stringContaining(`${file}:2:1: a conflict of a merge`),
  });
});

it('a conflict in a list, a plan file and a schema of another program is named', async () => {
  await using harness = await openHarness('plain');
  await harness.write('ips.txt', '192.0.2.10\n<<<<<<< HEAD\n192.0.2.11\n=======\n>>>>>>> b\n');
  await harness.write(
    'webdata.yaml',
    'zoneIpAllocations: { a: { zones: { checkout: { ips: [{ file: ips.txt }] } }, sources: [pricing] } }\n',
  );
  await harness.write('plan.json', '<<<<<<< HEAD\n{}\n=======\n{}\n>>>>>>> b\n');
  for (const [args, place] of [
    [['plan'], 'ips.txt:2:1'],
    [['validate'], 'ips.txt:2:1'],
    [['apply', 'plan.json', '--yes'], 'plan.json:1:1'],
    [['fmt', '--check', 'plan.json'], 'plan.json:1:1'],
  ] as const) {
    const { code, stderr } = await harness.webdata(...args);
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining(place) });
    expect(stderr).toContain('a conflict of a merge that is not resolved');
  }
});
