/** Rounds and servers that are killed at any moment, while the place for rows fails half of the time: one complete file for each finished run. */
import { readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { openStore } from '../../../src/triggers/store/open.ts';
import { openHarness } from '../../cli/harness.ts';
import { hasMoto, type Moto, startMoto } from '../../engine/backend/moto.ts';
import { moveClock } from '../../triggers/moveClock.ts';
import { start } from '../process.ts';

const kills = Number(process.env.WEBDATA_TEST_KILLS ?? 6);
const hour = 3_600_000;

interface Place {
  keep: string;
  env: Record<string, string>;
  /** Called before each start: the place may fail from now on. */
  upset(): Promise<void>;
  heal(): Promise<void>;
  /** The complete files of the schedule, by name. */
  files(): Promise<Record<string, string>>;
}

/** A folder that is replaced by a file half of the time. */
async function folderPlace(folder: string): Promise<Place> {
  const place = join(folder, 'deliveries');
  const aside = `${place}.aside`;
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
  return {
    keep: './deliveries',
    env: {},
    upset: () => toggle(Math.random() < 0.5),
    heal: () => toggle(false),
    async files() {
      const names = await readdir(join(place, 'hourly'));
      const texts = names.map(async (name) => [name, await readFile(join(place, 'hourly', name), 'utf8')] as const);
      return Object.fromEntries(await Promise.all(texts));
    },
  };
}

/** A bucket of which half of the requests fail, before or after they have an effect. */
async function bucketPlace(): Promise<Place> {
  const moto = await startMoto();
  let isHealed = false;
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray().catch(() => []));
    const luck = isHealed ? 1 : Math.random();
    if (luck < 0.2) return void response.writeHead(503).end();
    const { method = 'GET', url = '', headers } = request;
    const given = Object.entries(headers).filter(([name]) => !/^(host|connection|content-length|expect)$/.test(name));
    const answer = await fetch(moto.url + url, {
      method,
      headers: given.map(([name, value]) => [name, String(value)] as [string, string]),
      ...(body.length > 0 && { body }),
    });
    const content = Buffer.from(await answer.arrayBuffer());
    if (luck < 0.5) return void request.socket.resetAndDestroy();
    response.writeHead(answer.status, method === 'HEAD' ? Object.fromEntries(answer.headers) : {}).end(content);
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  onTestFinished(async () => {
    server.close();
    server.closeAllConnections();
    await moto[Symbol.asyncDispose]();
  });
  const proxy = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    keep: `s3://${moto.bucket}/rows`,
    env: { ...moto.env, AWS_ENDPOINT_URL_S3: proxy },
    upset: async () => undefined,
    heal: async () => {
      isHealed = true;
    },
    files: () => filesIn(moto),
  };
}

async function filesIn(moto: Moto): Promise<Record<string, string>> {
  const keys = Object.keys(await moto.objects()).filter((key) => key.startsWith('rows/hourly/'));
  return Object.fromEntries(await Promise.all(keys.map(async (key) => [key, await moto.text(key)] as const)));
}

it.each([
  ['a folder', folderPlace],
  ...(hasMoto ? [['a bucket', bucketPlace] as const] : []),
] as const)('each finished run has exactly one complete file in %s, and no tick is triggered twice', async (_, openPlace) => {
  await using harness = await openHarness({ id: 'hl_1', collectors: { c_prices: { seconds: 0 } } });
  const place = await openPlace(harness.folder);
  await harness.write(
    'webdata.yaml',
    `name: acme\ntriggers: { store: ./triggers.db }\ncollectorSchedules:\n  hourly: { collector: c_prices, every: 1h, overlap: allow, catchUp: latest, keep: "${place.keep}", inputs: [{ url: a }, { url: b }] }\n`,
  );
  await harness.webdata('apply', '--yes');
  const { apiUrl, keys, runs } = harness.emulator;
  const env = { WEBDATA_API_URL: apiUrl, WEBDATA_API_KEY: keys.ops, WEBDATA_TRIGGERS_TOKEN: 'token', ...place.env };
  const database = await openStore(join(harness.folder, 'triggers.db'));
  const options = { cwd: harness.folder, env };
  const round = () => start(['triggers', 'round'], options);
  const server = () => start(['triggers', 'serve', '--port', '0'], options);
  const toNextHour = hour - (Date.now() % hour) + 1000;
  const begun = performance.now();
  await round().finished;
  const usualMs = performance.now() - begun;
  for (let count = 0; count < kills; count += 1) {
    await moveClock(database, toNextHour + count * (hour / 2));
    await place.upset();
    // A round, a server, or both at once.
    const started = [round, server].filter((_, index) => (count + index) % 3 !== 0).map((each) => each());
    const ended = Promise.all(started.map(({ finished }) => finished));
    await Promise.race([ended, sleep((0.3 + 2.7 * Math.random()) * usualMs)]);
    for (const { child } of started) child.kill('SIGKILL');
    await ended;
  }
  await place.heal();
  await harness.webdata('triggers', 'pause', 'hourly');
  const open = `SELECT id, state, reason FROM runs WHERE state IN ('unkept', 'running', 'triggering', 'waiting')`;
  for (let count = 1; count <= 20 && (await database.query(open)).length > 0; count += 1) {
    await moveClock(database, toNextHour + kills * (hour / 2) + count * 20 * 60_000);
    await round().finished;
  }
  expect(await database.query(open)).toEqual([]);
  const found = await database.query<{ id: string; state: string; collection_id: string | null }>(
    'SELECT id, state, collection_id FROM runs',
  );
  await database.close();
  const finishedRuns = found.filter(({ state }) => state === 'finished').map(({ id }) => id);
  const files = Object.entries(await place.files());
  expect(finishedRuns.length).toBeGreaterThan(0);
  for (const id of finishedRuns) {
    const own = files.filter(([name]) => name.includes(id));
    expect(own).toHaveLength(1);
    const rows = own[0]?.[1].trimEnd().split('\n') ?? [];
    expect(rows.map((row) => JSON.parse(row))).toHaveLength(2);
  }
  // A job belongs to one run; those whose answer was lost to a kill belong to unknown runs.
  const unknown = found.filter(({ state }) => state === 'unknown').length;
  const accepted = found.filter(({ collection_id }) => collection_id !== null).length;
  expect(runs().length).toBeLessThanOrEqual(accepted + unknown);
  if (process.env.WEBDATA_TEST_KILLS !== undefined)
    process.stderr.write(
      `${kills} kills, ${finishedRuns.length} finished, ${unknown} unknown, ${files.length} files\n`,
    );
});
