/** One round of the worker: what it starts, in which order, and what it does where a step fails. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { Client } from '../../src/client/client.ts';
import { createSealer } from '../../src/triggers/secrets/secrets.ts';
import type { Database } from '../../src/triggers/store/database.ts';
import { runRound, type Tasks } from '../../src/triggers/worker/round.ts';
import { createTaskPool } from '../../src/triggers/worker/taskPool.ts';
import type { WorkerOptions } from '../../src/triggers/worker/workerOptions.ts';
import { keepsNothing } from './keepsNothing.ts';
import { accepted, alertsIn, claimed, ledgerSetting } from './ledgerSetting.ts';

async function round(capacity = { triggers: 2, polls: 2, alerts: 1 }) {
  const folder = mkdtempSync(join(tmpdir(), 'wd-round-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const setting = await ledgerSetting(async () => join(folder, 'store.db'), { onTestFinished });
  const started: string[] = [];
  const warned: unknown[] = [];
  const stopping = new AbortController();
  const pool = (size: number) =>
    createTaskPool(
      size,
      () => undefined,
      () => undefined,
    );
  const tasks: Tasks = {
    triggers: pool(capacity.triggers),
    polls: pool(capacity.polls),
    alerts: pool(capacity.alerts),
    trigger: async ({ run }) => void started.push(`trigger ${run.schedule}`),
    poll: async ({ schedule }) => void started.push(`poll ${schedule}`),
    alert: async () => void started.push('alert'),
    own: new Set(),
    signal: stopping.signal,
  };
  const run = async (database: Database = setting.database) => {
    started.length = 0;
    const options: WorkerOptions = {
      database,
      client: {} as Client,
      sealer: createSealer([]),
      secrets: { env: {} },
      keeper: keepsNothing,
      limits: {},
      retention: { eventsMs: 1e10, runsMs: 1e10 },
      allowPrivate: true,
      log: { info: () => undefined, warn: (fields, text) => void warned.push([fields, text]) },
    };
    return { waitMs: await runRound(options, tasks), started: [...started] };
  };
  return { ...setting, setting, run, warned, stopping };
}

const yearly = { every: undefined, cron: '0 0 1 1 *', timeZone: 'UTC' };

it('starts nothing where nothing is due, and waits a minute for changes', async () => {
  const { run, put } = await round();
  expect(await run()).toEqual({ waitMs: 60_000, started: [] });
  await put('rare', yearly);
  expect(await run()).toEqual({ waitMs: 60_000, started: [] });
});

it('waits a second while a run is open, or an alert is to be sent', async () => {
  const { run, put, registry, database } = await round();
  await put('rare', yearly);
  await registry.runNow('acme', 'rare');
  expect((await run()).waitMs).toBe(1000);
  await database.query(`UPDATE runs SET state = 'failed'`);
  expect((await run()).waitMs).toBe(60_000);
  const later = (await registry.now()) + 60_000;
  await database.query(`INSERT INTO alerts (run_id, why, attempts, send_at) VALUES ('r_1', 'failed', 1, ?)`, [later]);
  expect(await run()).toEqual({ waitMs: 1000, started: [] });
});

it('waits no longer than until the next tick', async () => {
  const { run, put, database, registry } = await round();
  await put('rare', yearly);
  await database.query('UPDATE schedules SET next_at = ?', [(await registry.now()) + 400]);
  const { waitMs } = await run();
  expect(waitMs).toBeLessThanOrEqual(400);
});

it('makes runs of due ticks, and triggers them in the same round, as many as have room', async () => {
  const { run, put, database, states } = await round();
  for (const name of ['a', 'b', 'c']) await put(name);
  await database.query('UPDATE schedules SET cursor_at = cursor_at - 60000, next_at = next_at - 60000');
  expect((await run()).started).toHaveLength(2);
  expect((await states()).sort()).toEqual(['triggering', 'triggering', 'waiting']);
  expect((await run()).started).toHaveLength(1);
});

it('polls, ends leases, flags late runs and sends alerts, each where it is due', async () => {
  const { run, setting, settle, pass, registry, put, states } = await round();
  const first = await claimed(setting);
  await settle(first, accepted('j_1'));
  await put('other', { ...yearly, lateAfter: '5m' });
  await registry.runNow('acme', 'other');
  await pass(301);
  expect((await run()).started).toEqual(['trigger other', 'poll often']);
  await pass(362);
  expect((await run()).started).toEqual(['poll often']);
  expect((await states()).sort()).toEqual(['running', 'unknown']);
  expect(await alertsIn(setting)).toEqual(['unknown']);
  expect((await run()).started).toEqual(['alert']);
});

it('flags a waiting run as late that has no room', async () => {
  const { run, setting, put, registry, pass } = await round({ triggers: 0, polls: 0, alerts: 0 });
  await put('other', { ...yearly, lateAfter: '5m' });
  await registry.runNow('acme', 'other');
  await pass(301);
  expect((await run()).started).toEqual([]);
  expect(await alertsIn(setting)).toEqual(['late']);
  expect((await registry.runs({}))[0]).toMatchObject({ state: 'waiting', late: true });
  expect((await run()).started).toEqual([]);
});

it('starts the later steps although an earlier one fails, and fails with the first error', async () => {
  const { run, setting, database, settle, pass, registry, put } = await round();
  await settle(await claimed(setting), accepted('j_1'));
  await put('other', yearly);
  await registry.runNow('acme', 'other');
  await pass(10);
  let count = 0;
  const failing: Database = {
    ...database,
    transaction(work) {
      count += 1;
      return count === 1 ? Promise.reject(new Error('cannot claim')) : database.transaction(work);
    },
  };
  await expect(run(failing)).rejects.toThrow('cannot claim');
  expect(count).toBeGreaterThan(1);
  // The poll was started, and holds its lease.
  expect((await run()).started).toEqual(['trigger other']);
});

it('starts nothing more when the worker is stopped', async () => {
  const { run, put, registry, stopping, states } = await round();
  await put('other', yearly);
  await registry.runNow('acme', 'other');
  stopping.abort();
  expect((await run()).started).toEqual([]);
  expect(await states()).toEqual(['waiting']);
});

it('names a schedule whose ticks cannot be computed, and takes the others', async () => {
  const { run, put, database, warned } = await round();
  for (const name of ['broken', 'whole']) await put(name);
  await database.query('UPDATE schedules SET cursor_at = cursor_at - 60000, next_at = next_at - 60000');
  const broken = JSON.stringify({ cron: 'never', timeZone: 'Nowhere/None', catchUp: 'latest' });
  await database.query(`UPDATE schedules SET brief = ? WHERE name = 'broken'`, [broken]);
  expect((await run()).started).toEqual(['trigger whole']);
  expect(warned).toEqual([
    [{ schedule: 'acme/broken', why: expect.any(String) }, 'cannot compute the next tick of a schedule'],
  ]);
  // It is tried again after a minute, and not with each round.
  await run();
  expect(warned).toHaveLength(1);
});

it('makes runs of any number of due schedules', async () => {
  const { run, put, database, registry } = await round({ triggers: 1, polls: 0, alerts: 0 });
  for (let index = 0; index < 105; index += 1) await put(`s${index}`);
  await database.query('UPDATE schedules SET cursor_at = cursor_at - 60000, next_at = next_at - 60000');
  await run();
  // A minute that ends meanwhile makes a second tick due for some of them.
  expect(new Set((await registry.runs({ limit: 1000 })).map(({ schedule }) => schedule)).size).toBe(105);
});

it('triggers the first runs before all due ticks are runs', async () => {
  const { run, put, database } = await round();
  for (let index = 0; index < 105; index += 1) await put(`s${index}`);
  await database.query('UPDATE schedules SET cursor_at = cursor_at - 60000, next_at = next_at - 60000');
  const triggering: number[] = [];
  await run({
    ...database,
    async transaction(work) {
      triggering.push((await database.query(`SELECT id FROM runs WHERE state = 'triggering'`)).length);
      return database.transaction(work);
    },
  });
  // Before the first part of the ticks, the first claim and the second part.
  expect(triggering.slice(0, 3)).toEqual([0, 0, 2]);
});
