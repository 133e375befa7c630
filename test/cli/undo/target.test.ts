/** `undo RUN`: which run an id names. */
import { expect, it } from 'vitest';
import { type Harness, openDeclared, openHarness, serviceYaml, writesOf } from '../harness.ts';

const first = 'aaaa1111-0000-4000-8000-000000000001';
const second = 'aaaa2222-0000-4000-8000-000000000002';
const third = 'bbbb3333-0000-4000-8000-000000000003';

/** Three runs, which set `logs` to 501, 502 and 503. */
async function openRuns(): Promise<Harness> {
  const harness = await openHarness('plain');
  const { webdata, write, read } = harness;
  let journal = '';
  for (const [index, id] of [first, second, third].entries()) {
    await write('webdata.yaml', `${serviceYaml('plain')}managerSettings: { local: { logs: ${501 + index} } }\n`);
    expect(await webdata('apply', '--yes')).toMatchObject({ code: 0 });
    const added = (await read('.webdata/journal.jsonl')).slice(journal.length);
    const [{ run = '' } = {}] = added.split('\n').map((line) => JSON.parse(line || '{}'));
    journal += added.replaceAll(run, id);
    await write('.webdata/journal.jsonl', journal);
  }
  harness.emulator.clearRequests();
  return harness;
}

it.each([
  ['', 'the argument run: the value is empty'],
  ['b', 'run id `b` is too short'],
  ['bbb', 'run id `bbb` is too short'],
  ['aaaa', '2 runs have an id that begins with `aaaa`'],
  ['cccc', 'run `cccc` does not exist in the journal of this service'],
  [' bbbb', 'run ` bbbb` does not exist in the journal of this service'],
  [`${third}0`, `run \`${third}0\` does not exist in the journal of this service`],
])('`undo %j` is an error, and nothing is called', async (prefix, says) => {
  await using harness = await openRuns();
  const { code, stdout, stderr } = await harness.webdata('undo', prefix, '--yes');
  expect(stdout + stderr).toContain(`${says}\n`);
  expect(code).toBe(1);
  expect(writesOf(harness.emulator.requests())).toEqual([]);
});

it('an ambiguous id lists the runs that it may name', async () => {
  await using harness = await openRuns();
  const { stderr } = await harness.webdata('undo', 'aaaa', '--yes');
  expect(stderr).toContain(`${first} (apply, `);
  expect(stderr).toContain(`${second} (apply, `);
  expect(stderr).not.toContain(third);
  expect(stderr.trim().split('\n')).toHaveLength(3);
});

it.each([
  'bbbb',
  'BBBB3',
  third.slice(0, 8),
  third,
])('`undo %s` undoes the only run whose id begins so', async (prefix) => {
  await using harness = await openRuns();
  expect(await harness.webdata('undo', prefix, '--yes')).toMatchObject({ code: 0 });
  expect(harness.emulator.settings()).toMatchObject({ logs: 502 });
});

it('a run that made no change is named as such', async () => {
  await using harness = await openDeclared('plain', 'managerSettings: { local: { logs: 500 } }');
  const { webdata, emulator } = harness;
  emulator.addFault({ route: 'settings/put', fault: { kind: 'status', status: 403 } });
  await webdata('apply', '--yes');
  const [{ id }] = JSON.parse((await webdata('history', '--format', 'json')).stdout).runs;
  const { code, stderr } = await webdata('undo', id, '--yes');
  expect(code).toBe(1);
  expect(stderr).toContain(`run ${id.slice(0, 8)} made no change\n`);
});
