/** `webdata triggers report`, on a declared store. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openStore } from '../../../src/triggers/store/open.ts';
import { openHarness } from '../../cli/harness.ts';
import { moveClock } from '../../triggers/moveClock.ts';

const day = 24 * 3_600_000;

it('shows runs, rows against the usual number, cost and files, and ends with 1 while something needs a person', async () => {
  await using harness = await openHarness({ id: 'hl_1', collectors: { c_prices: { seconds: 0 } } });
  await harness.write(
    'webdata.yaml',
    `name: acme
triggers: { store: ./triggers.db }
prices: { currency: USD, targets: { c_prices: 0.1 } }
collectorSchedules:
  daily: { collector: c_prices, every: 1d, overlap: allow, inputs: [{ url: "https://shop.example.com/a" }], keep: ./deliveries }
  refused: { collector: c_none, every: 1d, inputs: [{ url: "https://shop.example.com/b" }] }
`,
  );
  await harness.webdata('apply', '--yes');
  const database = await openStore(join(harness.folder, 'triggers.db'));
  const report = (...args: string[]) => harness.webdata('triggers', 'report', ...args);
  expect(await report()).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/acme\/daily {2}no run\n[\s\S]*Nothing needs/),
  });
  const toMidnight = day - (Date.now() % day) + 1000;
  const roundAt = async (offset: number) => {
    await moveClock(database, toMidnight + offset);
    return harness.webdata('triggers', 'round');
  };
  for (const offset of [0, 10_000]) await roundAt(offset);
  const { code, stdout } = await report('--since', '1h', '--format', 'json');
  const morning = JSON.parse(stdout);
  expect(code).toBe(1);
  expect(morning.needsPerson).toBe(true);
  expect(morning.schedules).toMatchObject([
    { schedule: 'daily', runs: { finished: 1 }, rows: 1, usualRows: null, cost: 0.1, problems: [] },
    { schedule: 'refused', runs: { failed: 1 }, rows: null, cost: null, problems: [{ what: 'failed' }] },
  ]);
  expect(morning.schedules[0].kept).toEqual([expect.stringMatching(/^\.\/deliveries\/daily\/.*\.ndjson$/)]);
  // Two nights later, one was missed, and the last answer was lost.
  harness.emulator.addFault({ route: 'dca/trigger', occurrence: 'all', fault: { kind: 'drop-after' } });
  await roundAt(2 * day);
  const text = await report('--since', '1h');
  expect(text).toMatchObject({ code: 1, stderr: '' });
  expect(text.stdout).toMatch(/acme\/daily {2}3 runs: [^\n]*1 unknown[^\n]*, 1 row, 0\.10 USD\n/);
  for (const what of ['unknown', 'missing']) expect(text.stdout).toMatch(new RegExp(`^ {2}${what} \\d{4}-`, 'm'));
  const markdown = await report('--since', '1h', '--format', 'markdown');
  expect(markdown.stdout).toMatch(/\| ❌ acme\/daily \| 3 runs: .* \| 1 row \| 0\.10 USD \|/);
  // Nothing is older than today, but what needs a person stays.
  const later = new Date(Date.now() + 30 * day).toISOString();
  expect(await report('--since', later)).toMatchObject({ code: 1, stdout: expect.stringMatching(/unknown \d{4}-/) });
  expect(await report('--since', 'noon')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('It must be yesterday'),
  });
  await database.close();
});
