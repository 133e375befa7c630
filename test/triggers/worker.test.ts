/** The worker as its operator sees it: what it logs and reports, and how it behaves when the store is away and when it is stopped. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { Client } from '../../src/client/client.ts';
import { failing, type ServiceErrorCode } from '../../src/client/errors.ts';
import { parseProfile } from '../../src/client/profile.ts';
import { createSealer } from '../../src/triggers/secrets/secrets.ts';
import type { Database } from '../../src/triggers/store/database.ts';
import { startWorker } from '../../src/triggers/worker/worker.ts';
import { eventually } from '../eventually.ts';
import { keepsNothing } from './keepsNothing.ts';
import { ledgerSetting } from './ledgerSetting.ts';

type Answer = (signal: AbortSignal) => unknown;

/** A service that answers triggers as told, and whose jobs finish with two rows. */
function serviceOf(answer: Answer): Client {
  async function* rows() {
    yield* [1, 2];
  }
  const collectors = {
    trigger: async (_: unknown, { signal }: { signal: AbortSignal }) => answer(signal),
    dataset: async () => ({ state: 'ready', rows: rows() }),
  };
  return { profile: parseProfile(), collectors } as unknown as Client;
}

function fail(code: ServiceErrorCode, circumstances: object = {}): Answer {
  return () => {
    throw failing({ method: 'POST', url: 'http://service.example/dca/trigger', read: false }, {})(
      code,
      'failed',
      circumstances,
    );
  };
}

async function setting() {
  const folder = mkdtempSync(join(tmpdir(), 'wd-worker-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const ledger = await ledgerSetting(async () => join(folder, 'store.db'), { onTestFinished });
  const logged: Record<string, unknown>[] = [];
  const outcomes: [string, number][] = [];
  const log = {
    info: (fields: object, text: string) => void logged.push({ ...fields, text }),
    warn: (fields: object, text: string) => void logged.push({ ...fields, text, warned: true }),
  };
  const common = (answer: Answer) => ({
    database: ledger.database,
    client: serviceOf(answer),
    sealer: createSealer([]),
    secrets: { env: {} },
    keeper: keepsNothing,
    limits: {},
  });
  const start = (
    answer: Answer,
    more: { database?: Database; client?: Client; stopMs?: number; onOutcome?: undefined } = {},
  ) => {
    const worker = startWorker({
      ...common(answer),
      retention: { eventsMs: 1e10, runsMs: 1e10 },
      allowPrivate: true,
      log,
      onOutcome: (state, lateness) => void outcomes.push([state, lateness]),
      stopMs: 100,
      ...more,
    });
    onTestFinished(() => worker.stop());
    return worker;
  };
  const order = async (spec: object = {}) => {
    await ledger.put('often', { every: undefined, cron: '0 0 1 1 *', timeZone: 'UTC', ...spec });
    return (await ledger.registry.runNow('acme', 'often')).id;
  };
  const until = (text: string) =>
    eventually(() => {
      const found = logged.find((line) => line.text === text);
      if (found === undefined) throw new Error(`only: ${JSON.stringify(logged)}`);
      return found;
    });
  return { ...ledger, logged, outcomes, start, order, until, common };
}

const accepted: Answer = () => ({ collectionId: 'j_1' });

it('logs a run that was triggered and its result, and reports how late it was', async () => {
  const { order, start, until, outcomes, logged, pass } = await setting();
  const id = await order();
  start(accepted);
  const run = { run: id, owner: 'acme', schedule: 'often', attempt: 1 };
  expect(await until('triggered')).toEqual({ ...run, outcome: 'accepted', collectionId: 'j_1', text: 'triggered' });
  await pass(10);
  expect(await until('polled')).toEqual({ run: id, schedule: 'often', became: 'finished', text: 'polled' });
  expect(outcomes).toEqual([['running', expect.any(Number)]]);
  expect(outcomes[0]?.[1]).toBeGreaterThanOrEqual(0);
  expect(logged).toHaveLength(2);
});

it.each([
  ['lost', fail('connection-lost'), 'outcome unknown: it may have been accepted and billed', 'unknown'],
  ['refused', fail('refused', { status: 422 }), 'not triggered', 'failed'],
  ['not-sent', fail('unreachable', { sent: false }), 'not triggered yet', 'waiting'],
  [
    'not-sent',
    fail('server-error', { status: 503 }),
    'answered with a server error: it may have been accepted and billed',
    'waiting',
  ],
] as const)('warns of a run that is %s: %#', async (outcome, answer, text, state) => {
  const { order, start, until, outcomes } = await setting();
  const id = await order();
  start(answer);
  expect(await until(text)).toMatchObject({
    warned: true,
    run: id,
    schedule: 'often',
    outcome,
    reason: expect.stringContaining('POST http://service.example/dca/trigger failed'),
  });
  expect(outcomes[0]?.[0]).toBe(state);
});

it('warns once while the store is away, goes on by itself, and says so', async () => {
  const { order, start, until, database, logged } = await setting();
  const id = await order();
  let away = true;
  const failingStore: Database = {
    ...database,
    query: (...query) => (away ? Promise.reject(new Error('no route to the store')) : database.query(...query)),
  };
  const worker = start(accepted, { database: failingStore });
  expect(await until('the worker failed; retrying')).toMatchObject({
    warned: true,
    reason: 'the worker failed: no route to the store',
  });
  worker.wake();
  await new Promise((done) => setTimeout(done, 100));
  away = false;
  worker.wake();
  await until('schedules fire again');
  expect(await until('triggered')).toMatchObject({ run: id });
  expect(logged.map(({ text }) => text).filter((text) => String(text).includes('retrying'))).toHaveLength(1);
});

it('begins when it is woken, and waits for nothing when it is stopped without work', async () => {
  const { start, order, until } = await setting();
  const worker = start(accepted, { stopMs: 3_600_000 });
  await order();
  worker.wake();
  await until('triggered');
  await worker.stop();
});

it('records the answer that arrives while it is stopped', async () => {
  const { order, start, registry } = await setting();
  const id = await order();
  const answer = Promise.withResolvers<unknown>();
  const worker = start(() => answer.promise, { stopMs: 10_000 });
  await eventually(async () => expect((await registry.run(id)).run.state).toBe('triggering'));
  const stopped = worker.stop();
  await new Promise((done) => setTimeout(done, 50));
  answer.resolve({ collectionId: 'j_1' });
  await stopped;
  expect((await registry.run(id)).run).toMatchObject({ state: 'running', collectionId: 'j_1' });
});

it('records a run as unknown whose answer does not arrive before it stops', async () => {
  const { order, start, registry } = await setting();
  const id = await order();
  const never: Answer = (signal) =>
    new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('gave up waiting'))));
  const worker = start(never, { stopMs: 100 });
  await eventually(async () => expect((await registry.run(id)).run.state).toBe('triggering'));
  await worker.stop();
  expect((await registry.run(id)).run).toMatchObject({
    state: 'unknown',
    reason: 'outcome unknown: it may have been accepted and billed. gave up waiting',
  });
});

it('reports an outcome before the earlier job of a data set is cancelled, which may take long', async () => {
  const { order, registry, database, start, outcomes } = await setting();
  await order({ collector: undefined, dataset: 'gd_people', overlap: 'cancel' });
  let cancelled = 0;
  const cancel = () => {
    cancelled += 1;
    return new Promise<never>(() => undefined);
  };
  const service = serviceOf(accepted);
  const trigger = async () => ({ snapshotId: 's_1' });
  const datasets = { trigger, cancel, download: async () => ({ state: 'not-ready' }) };
  start(accepted, { client: { ...service, datasets } as unknown as Client });
  await eventually(() => expect(outcomes).toHaveLength(1));
  await database.query('UPDATE runs SET tick_at = tick_at - 1000');
  await registry.runNow('acme', 'often');
  await eventually(() => expect(outcomes).toHaveLength(2));
  await eventually(() => expect(cancelled).toBe(1));
});

it('needs nobody who asks for its outcomes', async () => {
  const { order, start, until, logged, pass } = await setting();
  await order();
  start(accepted, { onOutcome: undefined });
  await pass(10);
  await until('polled');
  expect(logged.map(({ text }) => text)).toEqual(['triggered', 'polled']);
});

it('deletes old records when it starts', async () => {
  const { start, order, registry, database } = await setting();
  const id = await order();
  await database.query(`UPDATE runs SET state = 'finished', ended_at = 1`);
  start(accepted);
  await eventually(() => expect(registry.run(id)).rejects.toThrow('does not exist'));
});
