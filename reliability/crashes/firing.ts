/** Kills `webdata triggers serve` while it fires, and lets another server continue on the same store. */
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startEmulator } from '../../src/emulator/index.ts';
import { startTriggerService } from '../../src/triggers/service.ts';
import type { Database } from '../../src/triggers/store/database.ts';
import { openStore } from '../../src/triggers/store/open.ts';
import {
  allRuns,
  atMostOnce,
  createLog,
  isBegun,
  pauseAll,
  registerAll,
  untilSettled,
} from '../../test/e2e/triggers/chaos.ts';
import type { CampaignStage } from '../frame/campaign.ts';
import { startVictim, wasKilled } from './killed.ts';
import type { Kind, Played } from './kind.ts';
import { armedRelay } from './moves.ts';
import { filePoints, type Point, requestPoints } from './points.ts';

export const firing: Kind = {
  name: 'trigger firing',
  holds:
    'each tick has one run; none was triggered twice; the ledger records each accepted trigger, or that its outcome is unknown; no run stays unfinished',
  spanMs: 250,
  async boundaries(stage) {
    const list = join(stage.folder, 'firing-operations');
    await playFiring(stage, undefined, list);
    return [...filePoints(list), ...requestPoints(schedules)];
  },
  play: playFiring,
};

const schedules = 3;
/** Long enough that even a slow machine does not reach a second tick. */
const periodMs = 60 * 60_000;
const token = 'token';

async function playFiring(stage: CampaignStage, point: Point | undefined, list?: string): Promise<Played> {
  const folder = await mkdtemp(join(stage.folder, 'firing-'));
  const store = join(folder, 'triggers.db');
  const emulator = await startEmulator({ id: 'hl_1', collectors: { c_prices: { seconds: 0 } } });
  emulator.addFault({ route: 'dca/trigger', fault: { kind: 'delay', ms: 8 } });
  const { relay, armed } = await armedRelay(() => emulator.apiUrl);
  const service = { url: relay.url, apiKey: emulator.keys.admin };
  const database = await openStore(store);
  try {
    const { ticks, step } = await registerAll(database, { schedules, steps: 1, periodMs });
    await step(1);
    const env = {
      WEBDATA_API_URL: service.url,
      WEBDATA_API_KEY: service.apiKey,
      WEBDATA_TRIGGERS_TOKEN: token,
      WEBDATA_TRIGGERS_STORE: store,
    };
    const victim = { cwd: folder, env, under: folder, commits: true };
    const { child, finished } = startVictim(['triggers', 'serve', '--port', '0'], victim, point, list);
    armed.at(point, () => child.kill('SIGKILL'));
    // A server does not exit by itself: if it does not reach the point, wait until it has fired everything.
    const over = new AbortController();
    const fired = untilFired(database, over.signal).then(() => sleep(500));
    const instant = point?.at === 'instant' ? [relay.heard().then(() => sleep(point.ms))] : [];
    await Promise.race([finished, fired, ...instant]);
    over.abort();
    const isAlive = child.exitCode === null && child.signalCode === null;
    child.kill('SIGKILL');
    const killed = wasKilled(await finished) && (point?.at === 'instant' || !isAlive);
    await relay.settled();
    const next = await startTriggerService({
      store,
      token,
      service,
      keys: [],
      secrets: { env: {} },
      allowPrivate: true,
    });
    while (!(await isBegun(database))) await sleep(50);
    await pauseAll(database, { schedules });
    // Long enough for the triggers in progress to time out, and for the others to be polled.
    await step(2);
    await untilSettled(database);
    await next.close();
    const accepted = createLog(emulator).read();
    return { killed, faults: atMostOnce({ runs: await allRuns(database), ticks, accepted }) };
  } finally {
    await database.close();
    await relay.close();
    await emulator.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Waits until every due trigger is answered or unknown. */
async function untilFired(database: Database, over: AbortSignal): Promise<void> {
  const open = `SELECT COUNT(*) AS count FROM runs WHERE state IN ('waiting', 'triggering')`;
  const isOpen = async () => {
    const [row] = await database.query<{ count: number }>(open).catch(() => []);
    return row?.count !== 0;
  };
  while (!over.aborted && (!(await isBegun(database)) || (await isOpen()))) await sleep(50);
}
