/** Two at the same moment, and ends at a bad moment: nothing is sent that should not be, and nobody waits for ever. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createClient } from '../../../src/client/client.ts';
import { deliverySpec } from '../../../src/triggers/declared/deliverySpec.ts';
import { scheduleSpec } from '../../../src/triggers/declared/scheduleSpec.ts';
import { claimWaiting } from '../../../src/triggers/ledger/claiming.ts';
import { createSealer } from '../../../src/triggers/secrets/secrets.ts';
import { startTriggerService } from '../../../src/triggers/service.ts';
import type { Database } from '../../../src/triggers/store/database.ts';
import { fire, stopwatch } from '../../../src/triggers/worker/fire.ts';
import { startWorker } from '../../../src/triggers/worker/worker.ts';
import type { WorkerOptions } from '../../../src/triggers/worker/workerOptions.ts';
import { eventually } from '../../eventually.ts';
import { temporaryFolder } from '../../temporary.ts';
import { keepsNothing } from '../../triggers/keepsNothing.ts';
import { ledgerSetting } from '../../triggers/ledgerSetting.ts';
import { createScheduleRegistry } from '../../triggers/registry.ts';
import { describePostgres } from '../../triggers/stores.ts';

const sealer = createSealer([]);
const secrets = { env: {} };

/** A database in which something happens right after a query that matches. */
function interrupted(database: Database, after: RegExp, what: () => Promise<unknown>): Database {
  return {
    ...database,
    transaction: (work) =>
      database.transaction((queries) =>
        work({
          ...queries,
          async query<Row>(sql: string, parameters?: Parameters<Database['query']>[1]) {
            const rows = await queries.query<Row>(sql, parameters);
            if (after.test(sql)) await what();
            return rows;
          },
        }),
      ),
  };
}

describePostgres('two servers on one PostgreSQL', (newStore) => {
  const setting = () => ledgerSetting(newStore, { onTestFinished });

  it('send nothing of a schedule that is removed while its run is claimed', async () => {
    const { put, pass, database, registry } = await setting();
    await put('removed');
    await pass(60);
    const busy = interrupted(database, /FROM runs r/, () => registry.deleteSchedule('acme', 'removed'));
    expect(await claimWaiting(busy, 10, {})).toEqual([]);
    expect((await registry.runs({ schedule: 'removed' }))[0]).toMatchObject({ state: 'skipped' });
  });

  it('do not remove a delivery that a schedule is just about to name', async () => {
    const { database, registry } = await setting();
    await registry.putDelivery('acme', 'results', deliverySpec().parse({ endpoint: 'https://hooks.example.com' }));
    let removal: Promise<string> | undefined;
    const busy = interrupted(database, /FROM deliveries/, async () => {
      const removing = registry.deleteDelivery('acme', 'results');
      removal = removing.then(String, (error: Error) => error.message);
      await Promise.race([removal, new Promise((resolve) => setTimeout(resolve, 300))]);
    });
    const spec = scheduleSpec().parse({ collector: 'c_a', every: '1h', inputs: [{ url: 'a' }], delivery: 'results' });
    await createScheduleRegistry({ database: busy, sealer, policy: () => [] }).putSchedule('acme', 'names', spec);
    expect(await removal).toMatch('delivery results is used by names');
    await registry.deleteSchedule('acme', 'names');
  });

  it('that wait for each other both get through', async () => {
    const { put, database } = await setting();
    for (const name of ['one', 'two']) await put(name);
    const locked = [0, 0];
    const crossing = (own: 0 | 1, [first, second]: [string, string]) =>
      database.transaction(async (queries) => {
        const lock = (name: string) => queries.query('SELECT id FROM schedules WHERE name = ? FOR UPDATE', [name]);
        await lock(first);
        locked[own] = 1;
        await eventually(() => expect(locked).toEqual([1, 1]));
        await lock(second);
        return first;
      });
    const both = await Promise.all([crossing(0, ['one', 'two']), crossing(1, ['two', 'one'])]);
    expect(both).toEqual(['one', 'two']);
  });
});

/** A service that takes every request and answers none. */
async function silentService(): Promise<{ url: string; asked: () => number }> {
  let count = 0;
  const server = createServer(() => {
    count += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked: () => count };
}

function clientOf(url: string, concurrency = {}) {
  return createClient({ url, apiKey: 'key', retry: { retries: 0 }, concurrency });
}

describe('a worker', () => {
  const setting = () => ledgerSetting(async () => ':memory:', { onTestFinished });
  const quiet = { info: () => undefined, warn: () => undefined };
  const retention = { eventsMs: 1e10, runsMs: 1e10 };
  function start(database: Database, url: string, options: Partial<WorkerOptions> = {}) {
    const client = clientOf(url);
    return startWorker({
      database,
      client,
      keeper: keepsNothing,
      sealer,
      secrets,
      limits: {},
      retention,
      allowPrivate: true,
      log: quiet,
      ...options,
    });
  }

  it('that is stopped says of a trigger without an answer that it is unknown, and ends', async () => {
    const { put, pass, database, states } = await setting();
    const service = await silentService();
    await put('often');
    await pass(60);
    const worker = start(database, service.url, { stopMs: 200 });
    await eventually(() => expect(service.asked()).toBe(1));
    await worker.stop();
    expect(await states()).toEqual(['unknown']);
  });

  it('that is stopped ends though the store is away, and says what it could not write down', async () => {
    const { put, pass, database } = await setting();
    const service = await silentService();
    await put('often');
    await pass(60);
    let isAway = false;
    const away: Database = {
      ...database,
      transaction: (work) => (isAway ? Promise.reject(new Error('away')) : database.transaction(work)),
      query: (...given) => (isAway ? Promise.reject(new Error('away')) : database.query(...given)),
    };
    const said: string[] = [];
    const log = { ...quiet, warn: (_: object, text: string) => void said.push(text) };
    const worker = start(away, service.url, { stopMs: 100, log });
    await eventually(() => expect(service.asked()).toBe(1));
    isAway = true;
    await worker.stop();
    expect(said).toContain('the outcome was not recorded: the run will be unknown');
  });

  it('triggers what is due while those who are told of a failure do not answer', async () => {
    const { put, pass, database, registry, claimOne, settle } = await setting();
    const told = await silentService();
    const service = await silentService();
    await put('failing', { alerts: { endpoint: `${told.url}/hook`, on: ['failed'] } });
    await pass(60);
    await settle(await claimOne(), { status: 'refused', text: 'answered 401' });
    const worker = start(database, service.url, { stopMs: 0 });
    await eventually(() => expect(told.asked()).toBe(1));
    await registry.setPaused('acme', 'failing', true);
    await put('other');
    await registry.runNow('acme', 'other');
    await eventually(() => expect(service.asked()).toBe(1));
    await worker.stop();
  });
});

describe('triggers under way', () => {
  it('of the trigger service are sent as soon as they are claimed: a crash leaves none unknown that was not sent', async () => {
    const service = await silentService();
    const folder = temporaryFolder();
    const store = join(folder, 'store.db');
    const { put, pass, states } = await ledgerSetting(async () => store, { onTestFinished });
    for (let index = 0; index < 40; index += 1) await put(`s${index}`);
    await pass(60);
    const running = await startTriggerService({
      store,
      token: 'token',
      keys: [],
      secrets,
      allowPrivate: true,
      service: { url: service.url, apiKey: 'key' },
      stopMs: 0,
    });
    onTestFinished(() => running.close());
    await eventually(() => expect(service.asked()).toBe(40));
    expect(new Set(await states())).toEqual(new Set(['triggering']));
  });

  it('are told apart when waiting for them ends: one that was not sent may be sent again', async () => {
    const { put, pass, claim } = await ledgerSetting(async () => ':memory:', { onTestFinished });
    for (const name of ['a', 'b']) await put(name);
    await pass(60);
    const service = await silentService();
    const client = clientOf(service.url, { initial: 1, max: 1 });
    const giving = new AbortController();
    const startSending = async () => true;
    const firing = { client, sealer, secrets, startSending, givingUp: giving.signal };
    const outcomes = (await claim()).map((one) => fire(one, stopwatch(), firing));
    await eventually(() => expect(service.asked()).toBe(1));
    giving.abort();
    expect((await Promise.all(outcomes)).map(({ status }) => status).sort()).toEqual(['lost', 'not-sent']);
  });
});
