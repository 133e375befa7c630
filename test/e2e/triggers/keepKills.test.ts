/** Rounds that are killed at any moment, while the folder for rows fails half of the time: one complete file for each finished run. */
import { readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { openStore } from '../../../src/triggers/store/open.ts';
import { openHarness } from '../../cli/harness.ts';
import { moveClock } from '../../triggers/moveClock.ts';
import { start } from '../process.ts';

const kills = Number(process.env.WEBDATA_TEST_KILLS ?? 12);
const hour = 3_600_000;

it('each finished run has exactly one complete file, and no tick is triggered twice', async () => {
  await using harness = await openHarness({ id: 'hl_1', collectors: { c_prices: { seconds: 0 } } });
  await harness.write(
    'webdata.yaml',
    'name: acme\ntriggers: { store: ./triggers.db }\ncollectorSchedules:\n  hourly: { collector: c_prices, every: 1h, overlap: allow, catchUp: latest, keep: ./deliveries, inputs: [{ url: a }, { url: b }] }\n',
  );
  await harness.webdata('apply', '--yes');
  const { apiUrl, keys, runs } = harness.emulator;
  const env = { WEBDATA_API_URL: apiUrl, WEBDATA_API_KEY: keys.ops };
  const place = join(harness.folder, 'deliveries');
  const aside = `${place}.aside`;
  const database = await openStore(join(harness.folder, 'triggers.db'));
  const round = () => start(['triggers', 'round'], { cwd: harness.folder, env });
  const toNextHour = hour - (Date.now() % hour) + 1000;
  let isAway = false;
  const toggle = async (away: boolean) => {
    if (away === isAway) return;
    if (away) await rename(place, aside).catch(() => undefined);
    if (away) await writeFile(place, 'in the way');
    else {
      await rename(place, `${place}.${Math.random()}`);
      await rename(aside, place).catch(() => undefined);
    }
    isAway = away;
  };
  for (let count = 0; count < kills; count += 1) {
    await moveClock(database, toNextHour + count * (hour / 2));
    await toggle(Math.random() < 0.5);
    const { child, finished } = round();
    const [killedAfter] = [250 + Math.random() * 900];
    await Promise.race([finished, sleep(killedAfter)]);
    child.kill('SIGKILL');
    await finished;
  }
  await toggle(false);
  for (let count = 1; count <= 6; count += 1) {
    await moveClock(database, toNextHour + kills * hour + count * 20 * 60_000);
    await round().finished;
  }
  const found = await database.query<{ id: string; state: string; collection_id: string | null }>(
    'SELECT id, state, collection_id FROM runs',
  );
  await database.close();
  const finishedRuns = found.filter(({ state }) => state === 'finished').map(({ id }) => id);
  const files = await readdir(join(place, 'hourly'));
  expect(finishedRuns.length).toBeGreaterThan(0);
  for (const id of finishedRuns) {
    const own = files.filter((file) => file.includes(id));
    expect(own).toHaveLength(1);
    const rows = (await readFile(join(place, 'hourly', own[0] ?? ''), 'utf8')).trimEnd().split('\n');
    expect(rows.map((row) => JSON.parse(row))).toHaveLength(2);
  }
  expect(
    found.filter(({ state }) => ['unkept', 'running', 'triggering', 'waiting'].includes(state)).length,
  ).toBeLessThan(3);
  // A job belongs to one run; those whose answer was lost to a kill belong to unknown runs.
  const unknown = found.filter(({ state }) => state === 'unknown').length;
  const accepted = found.filter(({ collection_id }) => collection_id !== null).length;
  expect(runs().length).toBeLessThanOrEqual(accepted + unknown);
});
