/** The numbers of the status page, and what is kept for how long. */
import { expect, it, onTestFinished, vi } from 'vitest';
import { type RunState, runStates } from '../../../src/triggers/api/runs.ts';
import { deliverySpec } from '../../../src/triggers/declared/deliverySpec.ts';
import { forgetOld } from '../../../src/triggers/ledger/pending.ts';
import { createEndedCounter } from '../../../src/triggers/ledger/totals.ts';
import { createSealer } from '../../../src/triggers/secrets/secrets.ts';
import type { Database } from '../../../src/triggers/store/database.ts';
import { type LedgerSetting, ledgerSetting, yearly } from '../ledgerSetting.ts';
import { createScheduleRegistry } from '../registry.ts';
import { describeStores } from '../stores.ts';

const day = 24 * 3_600_000;

/** Makes one more run of each state than of the state before it. */
async function runsOfAllStates({ put, registry, database }: LedgerSetting) {
  await put('often', { ...yearly, overlap: 'allow', lateAfter: '5m' });
  for (const [index, state] of runStates.entries())
    for (let count = 0; count <= index; count += 1) {
      const { id } = await registry.runNow('acme', 'often');
      await database.query('UPDATE runs SET state = ? WHERE id = ?', [state, id]);
    }
}

describeStores('the totals', (newStore) => {
  it('count schedules, deliveries, runs of each state and late runs', async (end) => {
    const setting = await ledgerSetting(newStore, end);
    const { put, database, registry, pass } = setting;
    // A registry keeps a count that took long, as it does on a busy machine.
    const totalsNow = () => createScheduleRegistry({ database, sealer: createSealer([]), policy: () => [] }).totals();
    const none = Object.fromEntries(runStates.map((state) => [state, 0]));
    expect(await totalsNow()).toEqual({
      schedules: 0,
      paused: 0,
      deliveries: 0,
      lateNow: 0,
      encrypts: false,
      lastEvent: 0,
      runs: none,
      now: expect.any(Number),
    });
    await runsOfAllStates(setting);
    await put('paused', { paused: true });
    await registry.putDelivery('acme', 'results', deliverySpec().parse({ endpoint: 'https://hooks.example.com' }));
    const runs = Object.fromEntries(runStates.map((state, index) => [state, index + 1]));
    const totals = await totalsNow();
    expect(totals).toMatchObject({ schedules: 2, paused: 1, deliveries: 1, lateNow: 0, runs });
    expect(totals.lastEvent).toBe(Object.values(runs).reduce((sum, count) => sum + count, 0));
    await setting.database.query('UPDATE schedules SET paused = 1');
    await pass(301);
    expect((await totalsNow()).lateNow).toBe(1);
  });

  it('count more ended runs than one query reads', async (end) => {
    const { database, registry } = await ledgerSetting(newStore, end);
    const digits = 'SELECT 0 AS d UNION ALL SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3';
    const places = Array.from({ length: 7 }, (_, index) => `(${digits}) t${index}`).join(', ');
    const number = Array.from({ length: 7 }, (_, index) => `t${index}.d * ${4 ** index}`).join(' + ');
    await database.query(
      `INSERT INTO runs (id, schedule_id, owner, schedule, target, tick_at, origin, state, exclusive, attempts, not_before, late_after, late)
       SELECT 'r_' || (${number}), 'h_1', 'acme', 'often', 'c_prices', (${number}), 'tick', 'finished', 0, 1, 0, 0, 0 FROM ${places}`,
    );
    expect((await registry.totals()).runs.finished).toBe(4 ** 7);
  });

  it('are counted once for all who ask at the same time, and anew after that', async (end) => {
    const { database, put, registry } = await ledgerSetting(newStore, end);
    let queries = 0;
    let away = false;
    const counting: Database = {
      ...database,
      query(...query) {
        queries += 1;
        return away ? Promise.reject(new Error('the store is away')) : database.query(...query);
      },
    };
    const count = createEndedCounter(counting);
    const [first, second] = await Promise.all([count(), count()]);
    expect(second).toBe(first);
    const once = queries;
    await put('often', yearly);
    const { id } = await registry.runNow('acme', 'often');
    await database.query(`UPDATE runs SET state = 'lost' WHERE id = ?`, [id]);
    await expect.poll(async () => (await count()).find(({ state }) => state === 'lost')?.count).toBe(1);
    expect(queries).toBeGreaterThan(once);
    // A failure is not kept.
    away = true;
    await expect.poll(() => count().catch(String)).toBe('Error: the store is away');
    away = false;
    expect(await count()).toEqual([{ state: 'lost', count: 1 }]);
  });
});

it('ended runs are counted anew each time where that takes no time', async () => {
  vi.spyOn(performance, 'now').mockReturnValue(0);
  onTestFinished(() => void vi.restoreAllMocks());
  let queries = 0;
  const query = async () => {
    queries += 1;
    return [];
  };
  const count = createEndedCounter({ query } as unknown as Database);
  for (let times = 0; times < 2; times += 1) await count();
  expect(queries).toBe(2);
});

describeStores('old records', (newStore) => {
  it('are deleted after their retention: events earlier than runs, and nothing that goes on', async (end) => {
    const setting = await ledgerSetting(newStore, end);
    const { registry, database, put } = setting;
    await put('often', { ...yearly, overlap: 'allow' });
    const now = await registry.now();
    const made: Record<string, string> = {};
    for (const [what, state, age] of [
      ['old', 'finished', 91],
      ['recent', 'finished', 89],
      ['running', 'running', 91],
    ] as [string, RunState, number][]) {
      const { id } = await registry.runNow('acme', 'often');
      made[what] = id;
      const at = now - age * day;
      await database.query('UPDATE runs SET state = ?, ended_at = ? WHERE id = ?', [
        state,
        state === 'running' ? null : at,
        id,
      ]);
      await database.query('UPDATE events SET at = ? WHERE run_id = ?', [what === 'recent' ? now - 29 * day : at, id]);
      await database.query('INSERT INTO alerts (run_id, why, attempts, send_at, sent_at) VALUES (?, ?, 1, 1, ?)', [
        id,
        'failed',
        what === 'running' ? null : at,
      ]);
    }
    expect(await forgetOld(database, { eventsMs: 30 * day, runsMs: 90 * day })).toBe(false);
    expect((await registry.runs({})).map(({ id }) => id).sort()).toEqual([made.recent, made.running].sort());
    expect((await registry.run(made.recent ?? '')).events).toHaveLength(1);
    expect((await registry.run(made.running ?? '')).events).toEqual([]);
    const alerts = await database.query<{ run_id: string }>('SELECT run_id FROM alerts');
    expect(alerts.map(({ run_id }) => run_id).sort()).toEqual([made.recent, made.running].sort());
  });
});
