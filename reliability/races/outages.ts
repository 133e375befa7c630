/** Servers of the trigger service, as real processes and in real time: on a PostgreSQL on which nothing fires, and suspended while they fire. */
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startEmulator } from '../../src/emulator/index.ts';
import { createTriggersClient } from '../../src/triggers/client.ts';
import { scheduleSpec } from '../../src/triggers/declared/scheduleSpec.ts';
import { openStore } from '../../src/triggers/store/open.ts';
import { hasSmallDisks } from '../../test/base/files/smallDisk.ts';
import { start } from '../../test/e2e/process.ts';
import { alertEndpoint, connected, fullDisk, lockedRows, withoutUpdate } from '../../test/e2e/triggers/brokenStores.ts';
import { allRuns, atMostOnce, createLog, registerAll, untilSettled } from '../../test/e2e/triggers/chaos.ts';
import { type Postgres, postgresPrograms, startPostgres } from '../../test/triggers/postgres.ts';
import { expected } from '../crashes/checks.ts';
import { saidBy } from '../crashes/killed.ts';
import type { Race, Raced } from './race.ts';

/** They take minutes; test/e2e/triggers/brokenStore.test.ts and test/triggers/stores/firing.test.ts move the clock instead. */
const usual = { times: 6, short: 0 };

const noPostgres = postgresPrograms === undefined ? 'no PostgreSQL' : undefined;

export const triggerOutages: readonly Race[] = [
  brokenBy('a transaction that holds all schedules', lockedRows, 'ticks-overdue'),
  brokenBy('a role without UPDATE', withoutUpdate, 'store-denied'),
  brokenBy('a PostgreSQL on a full disk', fullDisk, 'store-full', hasSmallDisks ? noPostgres : 'no small disk'),
  ...['SQLite', 'PostgreSQL'].map(
    (store): Race => ({
      ...usual,
      name: `a server of the trigger service on ${store}, suspended for 50 to 80 s while it fires`,
      holds: 'each tick is triggered once; answers that had arrived are taken: no run is unknown, none stays unsent',
      lacks: store === 'SQLite' ? undefined : noPostgres,
      async run({ folder }, random) {
        if (store === 'SQLite')
          return playSuspended(join(await mkdtemp(join(folder, 'store-')), 'triggers.db'), random);
        const postgres = await startPostgres();
        return await playSuspended(postgres.url, random).finally(() => postgres.remove());
      },
    }),
  ),
];

type Broken = typeof lockedRows;

function brokenBy(what: string, world: Broken, code: string, lacks = noPostgres): Race {
  let postgres: Postgres;
  return {
    ...usual,
    name: `the trigger service on ${what}`,
    holds: `/readyz is 503, a metric and one alert say \`${code}\`, until schedules fire again; none is triggered twice`,
    lacks,
    async around(runs) {
      postgres = await startPostgres();
      return await runs().finally(() => postgres.remove());
    },
    run: (_, random) => playBroken(postgres, world, code, random),
  };
}

async function playBroken(postgres: Postgres, world: Broken, code: string, random: () => number): Promise<Raced> {
  await using ends = new AsyncDisposableStack();
  const end = { onTestFinished: (last: () => Promise<void> | void) => ends.defer(async () => void (await last())) };
  const name = `t${Math.floor(random() * 1e15)}`;
  await (await connected(postgres.url, end)).query(`CREATE DATABASE ${name}`);
  const broken = await world(postgres.url.replace('/postgres?', `/${name}?`), end);
  const { endpoint, received } = await alertEndpoint(end);
  const { url, log } = await serving(broken.store, ends);
  const triggers = ends.adopt(createTriggersClient({ url, token: 'token' }), (each) => each.close());
  const inputs = [{ url: 'https://shop.example.com' }];
  const alerts = { on: ['failed'], endpoint };
  const spec = { collector: 'c_prices', every: '2s', inputs, overlap: 'allow', runName: '{tick}', alerts };
  await triggers.putSchedule('acme', 'often', scheduleSpec().parse(spec));
  const page = async (path: string) => {
    const answer = await fetch(new URL(path, `${url}/`), { headers: { authorization: 'Bearer token' } });
    return { status: answer.status, text: await answer.text() };
  };
  await secondsUntil(async () => log.read().length > 0);
  await sleep(3000 * random());

  await broken.break();
  const noticed = await secondsUntil(async () => (await page('readyz')).status === 503);
  await secondsUntil(async () => received.length > 0);
  await sleep(20_000 * random());
  const [ready, { text: metrics }] = [await page('readyz'), await page('metrics')];
  const faults = [
    ...expected('/readyz', [503, true], [ready.status, ready.text.includes(`"code":"${code}"`)]),
    ...expected('the metric', true, metrics.includes(`store_problem{code="${code}"`)),
    ...expected('alerts', 1, received.length),
  ];

  const before = log.read().length;
  await broken.mend();
  const mended = await secondsUntil(async () => (await page('readyz')).status === 200 && log.read().length > before);
  faults.push(...expected('triggered, each once', [...new Set(log.read())], log.read()));
  return { cameTo: `noticed ${within(noticed)}, fires again ${within(mended)}`, faults };
}

/** More than are sent at once, so that some are only claimed. */
const schedules = 60;

async function playSuspended(store: string, random: () => number): Promise<Raced> {
  await using ends = new AsyncDisposableStack();
  const database = ends.adopt(await openStore(store), (each) => each.close());
  const { ticks, step } = await registerAll(database, { schedules, steps: 1, periodMs: 60 * 60_000 });
  const { emulator, child, log } = await serving(store, ends);
  emulator.addFault({ route: 'dca/trigger', fault: { kind: 'delay', ms: 1000 + 3000 * random() } });
  await step(1);
  // Half of them at once, when requests are not all sent.
  await sleep(random() < 0.5 ? 1500 * random() : 5000 * random());
  child.kill('SIGSTOP');
  await sleep(50_000 + 30_000 * random());
  child.kill('SIGCONT');
  while ((await allRuns(database)).length < ticks.length) await sleep(200);
  await untilSettled(database);
  const runs = await allRuns(database);
  const unknown = runs.flatMap(({ state, reason }) => (state === 'unknown' ? [reason] : []));
  const faults = [...atMostOnce({ runs, ticks, accepted: log.read() }), ...expected('unknown runs', [], unknown)];
  return { cameTo: `${runs.filter(({ state }) => state === 'finished').length} runs finished`, faults };
}

/** Starts a server and its emulator, which end with `ends`. */
export async function serving(store: string, ends: AsyncDisposableStack) {
  const account = { id: 'hl_1', collectors: { c_prices: { seconds: 0 } } };
  const emulator = ends.adopt(await startEmulator(account), (each) => each.close());
  const env = {
    WEBDATA_API_URL: emulator.apiUrl,
    WEBDATA_API_KEY: emulator.keys.admin,
    WEBDATA_TRIGGERS_TOKEN: 'token',
    WEBDATA_TRIGGERS_STORE: store,
  };
  const server = start(['triggers', 'serve', '--port', '0', '--allow-private-endpoints'], { cwd: '/', env });
  ends.defer(async () => void (server.child.kill('SIGKILL') && (await server.finished)));
  const [, url = ''] = (await saidBy(server, /Trigger service at (\S+)\n/)) ?? [];
  return { ...server, url, emulator, log: createLog(emulator) };
}

async function secondsUntil(isSo: () => Promise<boolean>): Promise<number> {
  const began = performance.now();
  while (!(await isSo().catch(() => false))) {
    if (performance.now() - began > 240_000) throw new Error(`it is still not so after 240 s: ${isSo}`);
    await sleep(100);
  }
  return (performance.now() - began) / 1000;
}

const within = (seconds: number) => `in ${[3, 10, 30, 90, 240].find((limit) => seconds < limit)} s`;
