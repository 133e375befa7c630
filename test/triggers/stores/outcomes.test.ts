/** What the ledger records about an attempt to trigger: the state and the reason of the run, its alerts, and other runs of the schedule. */
import { expect, it } from 'vitest';
import { deliverySpec } from '../../../src/triggers/declared/deliverySpec.ts';
import { expireLeases } from '../../../src/triggers/ledger/leases.ts';
import type { TriggerOutcome } from '../../../src/triggers/ledger/outcomes.ts';
import { claimPolls } from '../../../src/triggers/ledger/polling.ts';
import { accepted, alertsIn, claimed, eventsOf, type LedgerSetting, ledgerSetting, yearly } from '../ledgerSetting.ts';
import { describeStores } from '../stores.ts';

const second = 1000;
const lost: TriggerOutcome = { status: 'lost', text: 'no answer' };

describeStores('an accepted run', (newStore) => {
  it('has the id and the time of its job, and no reason', async (end) => {
    const setting = await ledgerSetting(newStore, end);
    const { run } = await claimed(setting).then(async (claim) => {
      await setting.settle(claim, accepted('j_1'));
      return claim;
    });
    const { run: found, events } = await setting.registry.run(run.id);
    const at = events.at(-1)?.at;
    expect(found).toMatchObject({
      state: 'running',
      collectionId: 'j_1',
      triggeredAt: at,
      attempts: 1,
      reason: null,
      late: false,
      endedAt: null,
      rows: null,
    });
    expect(await eventsOf(setting, run.id)).toEqual([
      'waiting: started by hand',
      'triggering: about to be triggered',
      'running: triggered: j_1',
    ]);
    expect(await alertsIn(setting)).toEqual([]);
  });

  it.for([
    [299, false],
    [301, true],
  ] as const)('%i seconds after its tick, with lateAfter of 5 minutes, is late: %s', async ([passed, late], end) => {
    const setting = await ledgerSetting(newStore, end);
    const claim = await claimed(setting, { ...yearly, lateAfter: '5m' });
    // The clock of a slow machine goes on by itself.
    await setting.database.query('UPDATE runs SET tick_at = ?', [(await setting.registry.now()) - passed * second]);
    const { run } = await setting.registry.run(claim.run.id);
    await setting.settle({ ...claim, run }, accepted('j_1'));
    expect((await setting.registry.run(run.id)).run.late).toBe(late);
    expect(await alertsIn(setting)).toEqual(late ? ['late'] : []);
  });

  it('cancels only running jobs of its own schedule (overlap: cancel)', async (end) => {
    const setting = await ledgerSetting(newStore, end);
    const { put, registry, claim, settle } = setting;
    const start = async (name: string) => {
      const { id } = await registry.runNow('acme', name);
      const [one] = (await claim()).filter(({ run }) => run.id === id);
      if (one === undefined) throw new Error('nothing waits');
      await settle(one, accepted(`j_${id}`));
      return id;
    };
    for (const name of ['often', 'other']) await put(name, { ...yearly, overlap: 'cancel' });
    const [other, first, next] = [await start('other'), await start('often'), await start('often')];
    const stateOf = async (id: string) => (await registry.run(id)).run.state;
    expect(await stateOf(other)).toBe('running');
    expect(await stateOf(next)).toBe('running');
    expect(await eventsOf(setting, first)).toContain(`cancelled: cancelled by the run ${next} (overlap: cancel)`);
    expect((await registry.run(first)).run.endedAt).toEqual(expect.any(Number));
    // Nothing is polled any more for the cancelled run.
    await setting.pass(10);
    expect((await claimPolls(setting.database, 10)).map(({ id }) => id).sort()).toEqual([other, next].sort());
  });

  it('cancels no later run if it is accepted after it (overlap: cancel)', async (end) => {
    const setting = await ledgerSetting(newStore, end);
    const earlier = await claimed(setting, { ...yearly, overlap: 'cancel' });
    await setting.registry.runNow('acme', 'often');
    await setting.settle(await setting.claimOne(), accepted('j_2'));
    await setting.settle(earlier, accepted('j_1'));
    expect(await setting.states()).toEqual(['running', 'running']);
  });

  it('stays accepted if its answer comes late, while the next run is already active', async (end) => {
    const setting = await ledgerSetting(newStore, end);
    const { registry, settle, pass, claimOne, database } = setting;
    const first = await claimed(setting, { ...yearly, overlap: 'skip' });
    await pass(61);
    await expireLeases(database);
    await registry.runNow('acme', 'often');
    await settle(await claimOne(), accepted('j_2'));
    await settle(first, accepted('j_1'));
    expect((await registry.run(first.run.id)).run).toMatchObject({ state: 'running', collectionId: 'j_1' });
    expect((await setting.states()).sort()).toEqual(['running', 'running']);
  });

  it('runs although a person declared it lost: its answer counts', async (end) => {
    const setting = await ledgerSetting(newStore, end);
    const claim = await claimed(setting);
    await setting.settle(claim, lost);
    await setting.registry.resolve(claim.run.id, { as: 'lost' });
    expect((await setting.registry.run(claim.run.id)).run.endedAt).toEqual(expect.any(Number));
    await setting.settle(claim, accepted('j_1'));
    expect((await setting.registry.run(claim.run.id)).run).toMatchObject({ state: 'running', endedAt: null });
  });
});

describeStores('a run that was not accepted', (newStore) => {
  it('waits as long as the service asks, but not less than usual', async (end) => {
    const setting = await ledgerSetting(newStore, end);
    const { settle, registry, pass, claimOne } = setting;
    const claim = await claimed(setting);
    const reason = async () => (await registry.run(claim.run.id)).run.reason;
    await settle(claim, { status: 'not-sent', text: 'was answered 429', retryAfterMs: 7400 });
    expect(await reason()).toBe('was answered 429; next attempt in 8 s');
    await pass(9);
    const again = await claimOne();
    expect(await eventsOf(setting, claim.run.id)).toContain('triggering: about to be triggered, attempt 2');
    await settle(again, { status: 'not-sent', text: 'was answered 429', retryAfterMs: 10 });
    expect(await reason()).toBe('was answered 429; next attempt in 2 s');
    expect((await registry.run(claim.run.id)).run).toMatchObject({ state: 'waiting', attempts: 2, endedAt: null });
  });

  it.for([
    [{ status: 'refused', text: 'was answered 401' }, 'failed', 'was answered 401', ['failed']],
    [lost, 'unknown', 'no answer', ['unknown']],
    [{ status: 'not-sent', text: 'was answered 429' }, 'waiting', 'was answered 429; next attempt in 1 s', []],
  ] as [TriggerOutcome, string, string, string[]][])('%j', async ([outcome, state, reason, alerts], end) => {
    const setting = await ledgerSetting(newStore, end);
    const claim = await claimed(setting);
    expect(await setting.settle(claim, outcome)).toEqual([state]);
    const { run } = await setting.registry.run(claim.run.id);
    expect(run).toMatchObject({ state, reason, collectionId: null, triggeredAt: null });
    expect(run.endedAt === null).toBe(state !== 'failed');
    expect(await alertsIn(setting)).toEqual(alerts);
  });

  it('changes nothing if another server has taken the run', async (end) => {
    const setting = await ledgerSetting(newStore, end);
    const { settle, registry, pass, claimOne } = setting;
    const first = await claimed(setting);
    await settle(first, { status: 'not-sent', text: 'was answered 429' });
    await pass(2);
    await claimOne();
    for (const outcome of [lost, { status: 'refused', text: 'no' }] as const) await settle(first, outcome);
    expect((await registry.run(first.run.id)).run).toMatchObject({ state: 'triggering', attempts: 2 });
  });
});

describeStores('a run that could not be prepared', (newStore) => {
  const delivery = { endpoint: 'https://hooks.example.com', authorization: { secret: 'hooks/results' } };

  async function preparing(setting: LedgerSetting, spec: object = {}) {
    await setting.registry.putDelivery('acme', 'results', deliverySpec().parse(delivery));
    return claimed(setting, { ...yearly, delivery: 'results', ...spec });
  }

  it('waits 1, 2, 4 seconds and so on, at most a minute, and counts no attempt', async (end) => {
    const setting = await ledgerSetting(newStore, end);
    const { settle, registry, pass, claimOne } = setting;
    let claim = await preparing(setting, { catchUp: 'latest' });
    const waits: string[] = [];
    for (let count = 0; count < 3; count += 1) {
      await settle(claim, { status: 'not-prepared', text: 'no secret' });
      const { run } = await registry.run(claim.run.id);
      expect(run).toMatchObject({ state: 'waiting', attempts: 0 });
      waits.push(
        /^not prepared yet, nothing was sent: no secret; next attempt in (\d+) s$/.exec(run.reason ?? '')?.[1] ?? '',
      );
      await pass(61);
      claim = await claimOne();
    }
    expect(waits).toEqual(['10', '10', '10']);
    // The first request counts from the start.
    await settle(claim, { status: 'not-sent', text: 'was answered 429' });
    await pass(2);
    expect((await claimOne()).unpreparedSince).toBeNull();
    expect(await eventsOf(setting, claim.run.id)).toContain('triggering: about to be triggered, attempt 2');
  });

  it.for([
    ['skip', 40, 80],
    [{ within: '10m' }, 580, 620],
    [{ within: '10s' }, 40, 80],
    ['latest', 86_000, 86_500],
  ] as const)('catchUp %j: waits %i seconds after its tick, and fails after %i', async ([
    catchUp,
    before,
    after,
  ], end) => {
    const setting = await ledgerSetting(newStore, end);
    const { settle, registry, database } = setting;
    const claim = await preparing(setting, { every: undefined, cron: '0 12 * * *', timeZone: 'UTC', catchUp });
    const now = await registry.now();
    const outcome = async (passed: number) => {
      await database.query(`UPDATE runs SET state = 'triggering', token = ?`, [claim.token]);
      // A tick of the schedule some time ago, so that `latest` ends a day after it.
      const tickAt = now - passed * second;
      const cron = new Date(tickAt);
      const spec = { ...claim.spec, cron: `${cron.getUTCMinutes()} ${cron.getUTCHours()} * * *` };
      return settle(
        { ...claim, run: { ...claim.run, tickAt }, spec, unpreparedSince: tickAt },
        { status: 'not-prepared', text: 'no secret' },
      );
    };
    expect(await outcome(before)).toEqual(['waiting']);
    expect(await outcome(after)).toEqual(['failed']);
    const { run } = await registry.run(claim.run.id);
    expect(run).toMatchObject({ attempts: 0, endedAt: expect.any(Number) });
    expect(run.reason).toMatch(/^no secret\. Nothing was sent, and its catch-up window ended at 20.*Z$/);
  });

  it('has a minute from its first failure, however old its tick is', async (end) => {
    const setting = await ledgerSetting(newStore, end);
    const { settle, registry, pass } = setting;
    const claim = await preparing(setting, { catchUp: 'skip' });
    const run = { ...claim.run, tickAt: (await registry.now()) - 3_600_000 };
    await settle({ ...claim, run }, { status: 'not-prepared', text: 'no secret' });
    expect(await setting.states()).toEqual(['waiting']);
    await pass(40);
    const again = await setting.claimOne();
    await settle(
      { ...again, run: { ...again.run, tickAt: run.tickAt } },
      { status: 'not-prepared', text: 'no secret' },
    );
    expect(await setting.states()).toEqual(['waiting']);
    await pass(25);
    const last = await setting.claimOne();
    await settle({ ...last, run: { ...last.run, tickAt: run.tickAt } }, { status: 'not-prepared', text: 'no secret' });
    expect(await setting.states()).toEqual(['failed']);
  });
});
