/** What the ledger records about the results of jobs, and which work it reports as due. */
import { expect, it } from 'vitest';
import { flagLate, pendingWork } from '../../../src/triggers/ledger/pending.ts';
import { claimPolls, type PollAnswer, recordPolls } from '../../../src/triggers/ledger/polling.ts';
import { accepted, alertsIn, claimed, eventsOf, type LedgerSetting, ledgerSetting, yearly } from '../ledgerSetting.ts';
import { describeStores } from '../stores.ts';

describeStores('a poll', (newStore) => {
  async function running(setting: LedgerSetting, spec: object = yearly) {
    const claim = await claimed(setting, spec);
    await setting.settle(claim, accepted('j_1'));
    return claim.run;
  }

  it.for([
    [{ status: 'finished', rows: 1 }, 'finished', 'finished with 1 row', null, 1, []],
    [{ status: 'finished', rows: 0 }, 'finished', 'finished with 0 rows', null, 0, []],
    [{ status: 'finished', rows: null }, 'finished', 'finished; the rows were not counted', null, null, []],
    [
      { status: 'expired' },
      'expired',
      'the results expired before they were read',
      'the results expired before they were read',
      null,
      [],
    ],
    [
      { status: 'failed', text: 'the site is down' },
      'failed',
      'the site is down',
      'the site is down',
      null,
      ['failed'],
    ],
  ] as const)('records %j', async ([answer, state, text, reason, rows, alerts], end) => {
    const setting = await ledgerSetting(newStore, end);
    const { id } = await running(setting);
    const [polled] = [(await setting.registry.run(id)).run];
    await recordPolls(setting.database, [{ run: polled, answer }]);
    const { run, events } = await setting.registry.run(id);
    expect(run).toMatchObject({ state, reason, rows, endedAt: events.at(-1)?.at });
    expect(events.at(-1)?.text).toBe(text);
    expect(await alertsIn(setting)).toEqual(alerts);
    // An answer that comes after the end changes nothing.
    for (const late of [
      { status: 'building', words: 'late' },
      { status: 'failed', text: 'late' },
      { status: 'released' },
    ] as const)
      await recordPolls(setting.database, [{ run: polled, answer: late }]);
    expect((await setting.registry.run(id)).run).toEqual(run);
  });

  it('gives up after giveUpAfter with the last answer, not before', async (end) => {
    const setting = await ledgerSetting(newStore, end);
    const { id } = await running(setting, { ...yearly, giveUpAfter: '10m' });
    const { run } = await setting.registry.run(id);
    await setting.pass(590);
    await recordPolls(setting.database, [{ run, answer: { status: 'building', words: 'collecting' } }]);
    expect((await setting.registry.run(id)).run).toMatchObject({ state: 'running', reason: 'collecting' });
    await setting.pass(11);
    await recordPolls(setting.database, [{ run, answer: { status: 'no-answer', text: 'was answered 500' } }]);
    const until = new Date((run.triggeredAt ?? 0) + 600_000).toISOString();
    expect((await setting.registry.run(id)).run).toMatchObject({
      state: 'given-up',
      reason: `no result until ${until} (giveUpAfter). The job may still run and deliver. Last answer: was answered 500`,
    });
    expect(await alertsIn(setting)).toEqual(['given-up']);
  });

  it('records the answers to several jobs in one commit, each for its own run', async (end) => {
    const { put, registry, claim, settle, database, pass } = await ledgerSetting(newStore, end);
    const names = ['building', 'expired', 'failed', 'finished', 'overdue', 'released', 'withdrawn'];
    for (const name of names) {
      await put(name, { ...yearly, giveUpAfter: name === 'overdue' ? '1m' : '1d' });
      await registry.runNow('acme', name);
    }
    for (const each of await claim()) await settle(each, accepted(`j_${each.run.schedule}`));
    await pass(120);
    const answers = [
      { status: 'building', words: 'collecting' },
      { status: 'expired' },
      { status: 'failed', text: 'the site is down' },
      { status: 'finished', rows: 2 },
      { status: 'building' },
      { status: 'released' },
      { status: 'building' },
    ] as const;
    const runs = (await registry.runs({})).toSorted((one, other) => one.schedule.localeCompare(other.schedule));
    await database.query(`UPDATE runs SET state = 'lost' WHERE schedule = 'withdrawn'`);
    const recorded = await recordPolls(
      database,
      runs.map((run, index) => ({ run, answer: answers[index] ?? { status: 'expired' } })),
    );
    expect(recorded).toEqual([true, true, true, true, true, true, false]);
    const found = await Promise.all(runs.map(async ({ id }) => (await registry.run(id)).run));
    expect(found.map(({ schedule, state, reason, rows }) => [schedule, state, reason, rows])).toEqual([
      ['building', 'running', 'collecting', null],
      ['expired', 'expired', 'the results expired before they were read', null],
      ['failed', 'failed', 'the site is down', null],
      ['finished', 'finished', null, 2],
      ['overdue', 'given-up', expect.stringMatching('Last answer: building'), null],
      ['released', 'running', null, null],
      ['withdrawn', 'lost', null, null],
    ]);
    // A released run is due at once, a building one after a pause.
    expect((await claimPolls(database, 10)).map(({ schedule }) => schedule)).toEqual(['released']);
  });

  it.for([
    [['missing'], true],
    [['missing', 'released'], true],
    [['missing', 'building'], false],
  ] as const)('after the answers %j: whether the job was missing is %s', async ([answers, isMissing], end) => {
    const setting = await ledgerSetting(newStore, end);
    const run = await running(setting);
    for (const status of answers)
      await recordPolls(setting.database, [{ run, answer: { status, text: 'not found' } as PollAnswer }]);
    await setting.pass(60);
    expect(await claimPolls(setting.database, 10)).toMatchObject([{ id: run.id, state: 'running', isMissing }]);
  });

  it('is claimed once, the most overdue first', async (end) => {
    const setting = await ledgerSetting(newStore, end);
    const { put, registry, claim, settle, database, pass } = setting;
    for (const name of ['a', 'b', 'c']) {
      await put(name, yearly);
      await registry.runNow('acme', name);
      for (const one of await claim()) await settle(one, accepted(`j_${name}`));
    }
    await pass(20);
    const names = async (free: number) => (await claimPolls(database, free)).map(({ schedule }) => schedule);
    expect(await names(1)).toEqual(['a']);
    expect(await names(10)).toEqual(['b', 'c']);
    expect(await names(10)).toEqual([]);
  });
});

describeStores('the work that is due', (newStore) => {
  const nothing = {
    isClockAhead: false,
    ticks: false,
    waiting: false,
    polls: false,
    leases: false,
    late: false,
    undelivered: false,
    alerts: false,
  };

  it('is named for each step of a run', async (end) => {
    const setting = await ledgerSetting(newStore, end);
    const { put, registry, database, claimOne, settle, pass } = setting;
    const due = async () => {
      const { nextTickInMs, isIdle, now, oldestDueAt, ...found } = await pendingWork(database);
      expect(isIdle).toBe(false);
      return found;
    };
    expect(await pendingWork(database)).toMatchObject({ ...nothing, isIdle: true, nextTickInMs: undefined });
    await put('often', { cron: '0 0 1 1 *', every: undefined, lateAfter: '5m' });
    expect((await pendingWork(database)).nextTickInMs).toBeGreaterThan(0);
    await registry.runNow('acme', 'often');
    expect(await due()).toEqual({ ...nothing, waiting: true });
    await pass(301);
    expect(await due()).toEqual({ ...nothing, waiting: true, late: true });
    expect(await flagLate(database)).toBe(1);
    expect(await due()).toEqual({ ...nothing, waiting: true, alerts: true });
    await database.query('DELETE FROM alerts');
    const claim = await claimOne();
    expect(await due()).toEqual(nothing);
    await pass(370);
    expect(await due()).toEqual({ ...nothing, leases: true });
    await settle(claim, accepted('j_1'));
    await database.query('DELETE FROM alerts');
    expect(await due()).toEqual(nothing);
    await pass(380);
    expect(await due()).toEqual({ ...nothing, polls: true });
    await registry.setPaused('acme', 'often', true);
    expect((await pendingWork(database)).nextTickInMs).toBeUndefined();
  });

  it('includes ticks at their time', async (end) => {
    const { put, database, pass } = await ledgerSetting(newStore, end);
    await put('often');
    const { ticks, nextTickInMs = 0 } = await pendingWork(database);
    expect(ticks).toBe(false);
    expect(nextTickInMs).toBeGreaterThan(0);
    expect(nextTickInMs).toBeLessThanOrEqual(60_000);
    await database.query('UPDATE schedules SET next_at = 1');
    expect(await pendingWork(database)).toMatchObject({ ticks: true, nextTickInMs: 0 });
    await pass(0);
  });

  it('names a run that is late in its events, once', async (end) => {
    const setting = await ledgerSetting(newStore, end);
    const { put, registry, pass, database } = setting;
    await put('often', { ...yearly, lateAfter: '5m' });
    const { id } = await registry.runNow('acme', 'often');
    await pass(301);
    await flagLate(database);
    await flagLate(database);
    expect(await eventsOf(setting, id)).toEqual(['waiting: started by hand', 'waiting: late: still waiting']);
    expect(await alertsIn(setting)).toEqual(['late']);
  });
});
