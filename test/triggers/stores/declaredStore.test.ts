/** `triggers: { store }` in a declaration: every command works on the store itself, and `round` fires what is due. */
import { readdir } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { openStore } from '../../../src/triggers/store/open.ts';
import { openHarness } from '../../cli/harness.ts';
import { moveClock } from '../moveClock.ts';
import { describeStores } from '../stores.ts';

const declaration = `
name: acme
triggers: { store: "\${WEBDATA_TRIGGERS_STORE}" }
collectorSchedules:
  hourly: { collector: c_prices, every: 1h, inputs: [{ url: "https://shop.example.com/a" }] }
`;

describeStores('a declared store', (newStore) => {
  it('is all that plan, apply, drift, pause, run-now, round, runs and destroy need', async () => {
    await using harness = await openHarness({ id: 'hl_1', collectors: { c_prices: { seconds: 0 } } });
    const store = await newStore();
    const env = { WEBDATA_TRIGGERS_STORE: store };
    const webdata = (...args: string[]) => harness.webdataWith({ env }, ...args);
    await harness.write('webdata.yaml', declaration);
    expect(await webdata('plan', '--detailed-exitcode')).toMatchObject({ code: 2, stderr: '' });
    const applied = await webdata('apply', '--yes');
    expect(applied).toMatchObject({ code: 0, stderr: '' });
    expect(applied.stdout + (await webdata('history')).stdout).not.toContain('password');
    expect(await webdata('drift')).toMatchObject({ code: 0 });
    expect((await webdata('doctor')).stdout).toMatch(/triggers .*1 schedule, 0 paused/);
    expect(await webdata('triggers', 'pause', 'hourly')).toMatchObject({ code: 0 });
    expect(await webdata('drift')).toMatchObject({ code: 2 });
    expect((await webdata('triggers', 'resume', 'hourly')).stdout).toMatch(/^hourly runs next at /);
    expect(await webdata('drift')).toMatchObject({ code: 0 });
    const [, run = ''] =
      /^(r_\w+) is waiting/.exec((await webdata('triggers', 'run-now', 'hourly', '--yes')).stdout) ?? [];
    expect((await webdata('triggers', 'round')).stdout).toContain(`${run} is running`);
    const database = await openStore(store);
    await moveClock(database, 10_000);
    await database.close();
    expect((await webdata('triggers', 'round')).stdout).toContain(`${run} is finished (1 row)`);
    expect((await webdata('triggers', 'runs', '--format', 'csv')).stdout).toContain(`${run},acme,hourly,c_prices`);
    expect(await webdata('triggers', 'resolve', run, '--lost')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`run ${run} is finished`),
    });
    expect((await webdata('pull', '--output', '-')).stdout).toContain('store:');
    expect(await webdata('destroy', '--select', 'CollectorSchedule/hourly', '--yes')).toMatchObject({ code: 0 });
    expect((await webdata('triggers', 'schedules', '--format', 'json')).stdout).toBe('[]\n');
  });

  it('shows an unknown run as drift until it is resolved, also after later runs', async () => {
    await using harness = await openHarness({ id: 'hl_1', collectors: { c_prices: { seconds: 0 } } });
    const env = { WEBDATA_TRIGGERS_STORE: await newStore() };
    const webdata = (...args: string[]) => harness.webdataWith({ env }, ...args);
    await harness.write('webdata.yaml', declaration.replace('every: 1h', 'every: 1h, overlap: allow'));
    await webdata('apply', '--yes');
    harness.emulator.addFault({ route: 'dca/trigger', occurrence: 1, fault: { kind: 'drop-after' } });
    const [lost = ''] = (await webdata('triggers', 'run-now', 'hourly', '--yes')).stdout.split(' ');
    expect(await webdata('triggers', 'round')).toMatchObject({ code: 1 });
    await webdata('triggers', 'run-now', 'hourly', '--yes');
    expect((await webdata('triggers', 'round')).stdout).toContain('is running');
    expect(await webdata('drift')).toMatchObject({ code: 2, stdout: expect.stringMatching(`resolve\\s+${lost}`) });
    await webdata('triggers', 'resolve', lost, '--lost');
    expect(await webdata('drift')).toMatchObject({ code: 0 });
  });

  it('is not made by a command that reads', async () => {
    await using harness = await openHarness({ id: 'hl_1' });
    await harness.write('webdata.yaml', declaration);
    const store = await newStore();
    const env = { WEBDATA_TRIGGERS_STORE: store };
    expect(await harness.webdataWith({ env }, 'plan')).toMatchObject({ code: 0 });
    expect(await harness.webdataWith({ env }, 'drift')).toMatchObject({ stderr: '' });
    if (store.includes('://')) {
      const database = await openStore(store);
      expect(await database.query('SELECT * FROM schedules')).toEqual([]);
      await database.close();
    } else expect(await readdir(store.slice(0, store.lastIndexOf('/')))).not.toContain(store.split('/').at(-1));
  });
});

it.each([
  ['a service, too', 'url: "http://127.0.0.1:22997", store: ./t.db', '`triggers` has both `url` and `store`'],
  ['another database', 'store: "mysql://x/y"', 'mysql:// stores are not supported'],
  ['a password', 'store: "postgres://a:canary@ledger.internal/x"', 'the address of the store contains a password'],
  ['a variable of the job', `store: "./\${HOME}.db"`, 'the variable `HOME` may not be used here'],
])('a store with %s is refused', async (_, fields, says) => {
  await using harness = await openHarness({ id: 'hl_1' });
  await harness.write('webdata.yaml', `name: acme\ntriggers: { ${fields} }\n`);
  const { code, stderr } = await harness.webdataWith({ env: { HOME: 'x' } }, 'validate');
  expect(code).toBe(1);
  expect(stderr).toContain(says);
  expect(stderr).not.toContain('canary');
});

it('a declared file is beside the declaration, and a round finds it there', async () => {
  await using harness = await openHarness({ id: 'hl_1', collectors: { c_prices: { seconds: 0 } } });
  await harness.write('webdata.yaml', declaration.replace(/".*"/, './triggers.db'));
  expect(await harness.webdata('apply', '--yes')).toMatchObject({ code: 0 });
  await harness.webdata('triggers', 'run-now', 'hourly', '--yes');
  expect((await harness.webdata('triggers', 'round')).stdout).toMatch(/is running \(j_/);
  expect(await readdir(harness.folder)).toContain('triggers.db');
  expect(await harness.read('.webdata/journal.jsonl')).not.toContain(harness.folder);
});
