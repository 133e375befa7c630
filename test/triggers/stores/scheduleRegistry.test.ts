/** What a person asks the registry: lists, runs by hand, and findings about unknown runs. */
import { expect, it } from 'vitest';
import type { ScheduleFilter } from '../../../src/triggers/api/records.ts';
import type { RunFilter } from '../../../src/triggers/api/runs.ts';
import { deliverySpec } from '../../../src/triggers/declared/deliverySpec.ts';
import { scheduleSpec } from '../../../src/triggers/declared/scheduleSpec.ts';
import { claimPolls } from '../../../src/triggers/ledger/polling.ts';
import { createSealer } from '../../../src/triggers/secrets/secrets.ts';
import { accepted, alertsIn, claimed, eventsOf, type LedgerSetting, ledgerSetting, yearly } from '../ledgerSetting.ts';
import { frozenAt, moveClock } from '../moveClock.ts';
import { createScheduleRegistry } from '../registry.ts';
import { describeStores } from '../stores.ts';

const hour = 3_600_000;

describeStores('a list', (newStore) => {
  async function listed(setting: LedgerSetting) {
    const spec = (collector: string) =>
      scheduleSpec().parse({ collector, ...yearly, inputs: [{ url: 'https://a.example' }] });
    const { registry } = setting;
    for (const [owner, name, collector] of [
      ['shop', 'b_1', 'c_news'],
      ['shop', 'a-1', 'c_prices'],
      ['acme', 'c%1', 'c_prices'],
    ] as const)
      await registry.putSchedule(owner, name.replace('%', '.'), spec(collector));
    return async (filter: ScheduleFilter) =>
      (await registry.schedules(filter)).map(({ owner, name }) => `${owner}/${name}`);
  }

  it('of schedules is filtered by owner and by any part of the owner, the name or the target', async (end) => {
    const names = await listed(await ledgerSetting(newStore, end));
    expect(await names({})).toEqual(['acme/c.1', 'shop/a-1', 'shop/b_1']);
    expect(await names({ owner: 'shop' })).toEqual(['shop/a-1', 'shop/b_1']);
    expect(await names({ text: '' })).toHaveLength(3);
    expect(await names({ text: 'HOP/B' })).toEqual(['shop/b_1']);
    expect(await names({ text: 'c_news' })).toEqual(['shop/b_1']);
    expect(await names({ owner: 'shop', text: 'prices' })).toEqual(['shop/a-1']);
    // Signs with a meaning in SQL have none here.
    expect(await names({ text: 'b_1' })).toEqual(['shop/b_1']);
    expect(await names({ text: 'a_1' })).toEqual([]);
    expect(await names({ text: '%' })).toEqual([]);
    expect(await names({ text: '\\' })).toEqual([]);
  });

  it('of schedules has as many as asked for, and continues after any name', async (end) => {
    const names = await listed(await ledgerSetting(newStore, end));
    expect(await names({ limit: 2 })).toEqual(['acme/c.1', 'shop/a-1']);
    expect(await names({ limit: 2, after: 'acme/c.1' })).toEqual(['shop/a-1', 'shop/b_1']);
    expect(await names({ after: 'shop/a-1' })).toEqual(['shop/b_1']);
    expect(await names({ after: 'shop/b_1' })).toEqual([]);
    expect(await names({ after: 'a' })).toHaveLength(3);
    expect(await names({ text: 'prices', after: 'acme/c.1' })).toEqual(['shop/a-1']);
  });

  it('of runs is filtered, has the latest first, and continues after any run', async (end) => {
    const setting = await ledgerSetting(newStore, end);
    const { put, registry, pass } = setting;
    for (const name of ['a', 'b']) await put(name, yearly);
    const made: string[] = [];
    for (const name of ['a', 'b', 'a', 'b']) {
      made.unshift((await registry.runNow('acme', name)).id);
      await pass(10);
    }
    const ids = async (filter: RunFilter) => (await registry.runs(filter)).map(({ id }) => id);
    expect(await ids({})).toEqual(made);
    expect(await ids({ owner: 'shop' })).toEqual([]);
    expect(await ids({ owner: 'acme', schedule: 'b' })).toEqual([made[0], made[2]]);
    expect(await ids({ states: ['running', 'waiting'], limit: 1 })).toEqual([made[0]]);
    expect(await ids({ states: ['running'] })).toEqual([]);
    expect(await ids({ after: made[1] })).toEqual([made[2], made[3]]);
    await expect(ids({ after: 'r_none' })).rejects.toMatchObject({
      problems: [{ code: 'unknown-run', found: 'run r_none does not exist' }],
    });
  });

  it('of an owner has its deliveries and schedules with their last runs, each by name', async (end) => {
    const { put, registry, pass } = await ledgerSetting(newStore, end);
    const delivery = deliverySpec().parse({ endpoint: 'https://hooks.example.com' });
    for (const name of ['z', 'y']) await registry.putDelivery('acme', name, delivery);
    await registry.putDelivery('shop', 'x', delivery);
    for (const name of ['b', 'a']) await put(name, yearly);
    await registry.runNow('acme', 'b');
    await pass(1);
    const { id } = await registry.runNow('acme', 'b');
    const { deliveries, schedules } = await registry.records('acme');
    expect(deliveries.map(({ name }) => name)).toEqual(['y', 'z']);
    expect(schedules.map(({ name, lastRun }) => [name, lastRun?.id])).toEqual([
      ['a', undefined],
      ['b', id],
    ]);
    expect(await registry.owners()).toEqual(['acme', 'shop']);
    expect(await registry.records('nobody')).toEqual({ deliveries: [], schedules: [] });
  });
});

describeStores('a registration', (newStore) => {
  it('is refused under a name that a path cannot have', async (end) => {
    const { put, registry } = await ledgerSetting(newStore, end);
    const delivery = deliverySpec().parse({ endpoint: 'https://hooks.example.com' });
    for (const name of ['a/b', '-a', 'a b', 'a\n']) {
      const problems = [{ code: 'wrong-record-name', found: `the name ${JSON.stringify(name)}` }];
      await expect(put(name)).rejects.toMatchObject({ problems });
      await expect(registry.putDelivery('acme', name, delivery)).rejects.toMatchObject({ problems });
    }
    for (const name of ['a', '1', 'A_b-c.d']) await put(name);
    expect((await registry.schedules({})).map(({ name }) => name).sort()).toEqual(['1', 'A_b-c.d', 'a']);
  });

  it('needs its delivery, and keeps it', async (end) => {
    const { put, registry } = await ledgerSetting(newStore, end);
    const delivery = deliverySpec().parse({ endpoint: 'https://hooks.example.com' });
    const unknown = (allowed: string) => ({
      problems: [{ code: 'unknown-delivery', path: ['delivery'], found: 'delivery none is not registered', allowed }],
    });
    await expect(put('a', { delivery: 'none' })).rejects.toMatchObject(unknown('none yet'));
    for (const name of ['results', 'more']) await registry.putDelivery('acme', name, delivery);
    await registry.putDelivery('shop', 'none', delivery);
    await expect(put('a', { delivery: 'none' })).rejects.toMatchObject(unknown('more, results'));
    for (const name of ['b', 'a']) await put(name, { delivery: 'results' });
    await expect(registry.deleteDelivery('acme', 'results')).rejects.toMatchObject({
      problems: [{ code: 'delivery-in-use', found: 'delivery results is used by a, b' }],
    });
    expect(await registry.deleteDelivery('acme', 'more')).toBe(true);
    expect(await registry.deleteDelivery('acme', 'more')).toBe(false);
    expect((await registry.records('acme')).deliveries.map(({ name }) => name)).toEqual(['results']);
    expect((await registry.records('shop')).deliveries).toHaveLength(1);
  });

  it('that pauses a schedule withdraws its waiting ticks: skipped, or failed after an attempt', async (end) => {
    const setting = await ledgerSetting(newStore, end);
    const { put, registry, pass, claimOne, settle } = setting;
    for (const name of ['tried', 'new']) {
      await put(name, { overlap: 'allow' });
      await pass(60);
      if (name === 'tried')
        await settle(await claimOne(), { status: 'not-sent', text: 'was answered 429', retryAfterMs: hour });
    }
    for (const name of ['tried', 'new'])
      expect(await registry.setPaused('acme', name, true)).toMatchObject({ nextTickAt: null });
    const runs = await registry.runs({});
    expect(runs.map(({ schedule, state, attempts }) => [schedule, state, attempts]).sort()).toEqual([
      ['new', 'skipped', 0],
      ['tried', 'failed', 1],
      ['tried', 'skipped', 0],
    ]);
    expect(new Set(runs.map(({ reason }) => reason))).toEqual(new Set(['the schedule was paused']));
    await expect(registry.setPaused('acme', 'none', true)).rejects.toMatchObject({
      problems: [{ code: 'unknown-schedule', found: 'schedule none is not registered for acme' }],
    });
  });

  it('that changes the timing starts anew, and one that changes anything else does not', async (end) => {
    const { put, registry, database, pass } = await ledgerSetting(newStore, end);
    const since = async () => {
      const [row] = await database.query<{ since_at: number }>('SELECT since_at FROM schedules');
      return row?.since_at;
    };
    await put('often', { every: '1h' });
    const first = await since();
    await pass(10);
    await put('often', { every: '1h', overlap: 'allow', lateAfter: '1m' });
    expect(await since()).toBe(first);
    await registry.setPaused('acme', 'often', true);
    expect(await since()).toBe(first);
    await registry.setPaused('acme', 'often', false);
    const resumed = await since();
    expect(resumed).toBeGreaterThan(first ?? 0);
    await pass(20);
    await registry.setPaused('acme', 'often', false);
    expect(await since()).toBe(resumed);
    await put('often', { every: '2h' });
    expect(await since()).toBeGreaterThan(resumed ?? 0);
  });

  it('that is removed withdraws the runs that wait', async (end) => {
    const setting = await ledgerSetting(newStore, end);
    const { registry } = setting;
    await setting.put('often', yearly);
    const { id } = await registry.runNow('acme', 'often');
    await registry.deleteSchedule('acme', 'often');
    expect(await eventsOf(setting, id)).toEqual(['waiting: started by hand', 'skipped: its schedule was removed']);
  });
});

describeStores('a run by hand', (newStore) => {
  it('has a time of its own, and never that of a tick', async (end) => {
    const { put, database } = await ledgerSetting(newStore, end);
    await moveClock(database, 0);
    await put('often', { every: '1s', overlap: 'allow' });
    const orderAt = async (now: number) => {
      const frozen = frozenAt(database, now);
      const registry = createScheduleRegistry({ database: frozen, sealer: createSealer([]), policy: () => [] });
      const { tickAt, origin, state, attempts, reason } = await registry.runNow('acme', 'often');
      expect({ origin, state, attempts, reason }).toEqual({
        origin: 'hand',
        state: 'waiting',
        attempts: 0,
        reason: null,
      });
      return tickAt - now;
    };
    const noon = Date.UTC(2026, 2, 1, 12);
    expect([await orderAt(noon), await orderAt(noon), await orderAt(noon + 1)]).toEqual([1, 2, 2]);
    expect([await orderAt(noon + 999), await orderAt(noon + 999)]).toEqual([0, 2]);
  });

  it('needs its schedule', async (end) => {
    const { registry } = await ledgerSetting(newStore, end);
    await expect(registry.runNow('acme', 'none')).rejects.toThrow('schedule none is not registered for acme');
  });
});

describeStores('an unknown run', (newStore) => {
  async function unknown(setting: LedgerSetting, spec?: object) {
    const claim = await claimed(setting, spec);
    await setting.settle(claim, { status: 'lost', text: 'no answer' });
    return claim.run.id;
  }

  it('that was triggered is polled at once, for giveUpAfter from now', async (end) => {
    const setting = await ledgerSetting(newStore, end);
    const { registry, database, pass } = setting;
    const id = await unknown(setting, { ...yearly, giveUpAfter: '2h' });
    await pass(3600);
    const run = await registry.resolve(id, { as: 'triggered', collectionId: 'j_9' });
    expect(run).toMatchObject({ state: 'running', collectionId: 'j_9', reason: null, endedAt: null });
    expect(run.triggeredAt).toBeGreaterThanOrEqual(run.tickAt + hour);
    const [row] = await database.query<{ give_up_at: number }>('SELECT give_up_at FROM runs WHERE id = ?', [id]);
    expect(row?.give_up_at).toBe((run.triggeredAt ?? 0) + 2 * hour);
    expect(await claimPolls(database, 1)).toMatchObject([{ id }]);
    expect((await eventsOf(setting, id)).at(-1)).toBe('running: declared to be j_9 by hand');
  });

  it('of a deleted schedule can still be found at the service', async (end) => {
    const setting = await ledgerSetting(newStore, end);
    const id = await unknown(setting);
    await setting.registry.deleteSchedule('acme', 'often');
    expect(await setting.registry.resolve(id, { as: 'triggered', collectionId: 'j_9' })).toMatchObject({
      state: 'running',
    });
  });

  it('that is ordered again starts from the first attempt, at once', async (end) => {
    const setting = await ledgerSetting(newStore, end);
    const { registry, claimOne, settle, pass } = setting;
    const { run } = await claimed(setting).then(async (claim) => {
      await settle(claim, { status: 'not-sent', text: 'was answered 429' });
      await pass(2);
      await settle(await claimOne(), { status: 'lost', text: 'no answer' });
      return claim;
    });
    expect(await registry.resolve(run.id, { as: 'resend' })).toMatchObject({ state: 'waiting', attempts: 0 });
    expect((await claimOne()).run).toMatchObject({ id: run.id, attempts: 1 });
    expect(await eventsOf(setting, run.id)).toContain('waiting: ordered again by hand');
  });

  it('that is lost has ended, and nothing else can be resolved', async (end) => {
    const setting = await ledgerSetting(newStore, end);
    const id = await unknown(setting);
    expect(await setting.registry.resolve(id, { as: 'lost' })).toMatchObject({
      state: 'lost',
      reason: 'declared lost by hand',
      endedAt: expect.any(Number),
    });
    for (const resolution of [{ as: 'lost' }, { as: 'resend' }, { as: 'triggered', collectionId: 'j_1' }] as const)
      await expect(setting.registry.resolve(id, resolution)).rejects.toMatchObject({
        problems: [{ code: 'run-not-unknown', found: `run ${id} is lost` }],
      });
    expect(await alertsIn(setting)).toEqual(['unknown']);
  });

  it('whose rows have arrived is finished', async (end) => {
    const setting = await ledgerSetting(newStore, end);
    const id = await unknown(setting);
    await setting.database.query(`UPDATE runs SET keep = '{}'`);
    expect(await setting.registry.resolve(id, { as: 'delivered' })).toMatchObject({ state: 'unknown' });
    await setting.database.query('UPDATE runs SET keep = NULL');
    const resolved = { state: 'finished', endedAt: expect.any(Number), deliveredAt: expect.any(Number) };
    expect(await setting.registry.resolve(id, { as: 'delivered' })).toMatchObject(resolved);
  });

  it('that was given up can be found at the service, and not declared lost', async (end) => {
    const setting = await ledgerSetting(newStore, end);
    const claim = await claimed(setting);
    await setting.settle(claim, accepted('j_1'));
    await setting.database.query(`UPDATE runs SET state = 'given-up'`);
    await expect(setting.registry.resolve(claim.run.id, { as: 'lost' })).rejects.toThrow('is given-up');
    expect(await setting.registry.resolve(claim.run.id, { as: 'triggered', collectionId: 'j_1' })).toMatchObject({
      state: 'running',
    });
  });
});
