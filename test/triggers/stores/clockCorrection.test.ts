/** A store whose clock was ahead, and was then set right: everything goes on at once, and nothing is sent twice. */
import { expect, it } from 'vitest';
import { scheduleSpec } from '../../../src/triggers/declared/scheduleSpec.ts';
import { claimWaiting } from '../../../src/triggers/ledger/claiming.ts';
import { correctClock } from '../../../src/triggers/ledger/clockCorrection.ts';
import { ledgerNow } from '../../../src/triggers/ledger/now.ts';
import { forgetOld, pendingWork } from '../../../src/triggers/ledger/pending.ts';
import { claimPolls } from '../../../src/triggers/ledger/polling.ts';
import { tickDue } from '../../../src/triggers/ledger/ticking.ts';
import { eventually } from '../../eventually.ts';
import { firingSetting } from '../firingSetting.ts';
import { accepted, alertsIn, type LedgerSetting, ledgerSetting } from '../ledgerSetting.ts';
import { moveClock } from '../moveClock.ts';
import { describeStores } from '../stores.ts';

const minute = 60_000;
const day = 24 * 60 * minute;
const ahead = 400 * day;

/** The clock is set to so many milliseconds after the right time, and what is due becomes runs. */
async function setClock({ database }: LedgerSetting, offset: number): Promise<void> {
  await moveClock(database, offset);
  await tickDue(database);
}

describeStores('a clock that was ahead', (newStore) => {
  it.for<[what: string, registeredAt: number]>([
    ['registered before it was wrong', 0],
    ['registered while it was wrong', ahead],
  ])('does not silence a schedule that was %s', async ([, registeredAt], end) => {
    const ledger = await ledgerSetting(newStore, end);
    await moveClock(ledger.database, registeredAt);
    await ledger.put('often');
    await setClock(ledger, ahead);
    await setClock(ledger, ahead + 5 * minute);
    await moveClock(ledger.database, 0);
    expect((await pendingWork(ledger.database)).isClockAhead).toBe(true);

    await expect(correctClock(ledger.database)).resolves.toMatchObject({ schedules: 1 });
    const [schedule] = await ledger.registry.schedules({});
    const now = await ledgerNow(ledger.database);
    expect(schedule?.nextTickAt).toBeGreaterThan(now);
    expect(schedule?.nextTickAt).toBeLessThanOrEqual(now + minute);
    expect(schedule?.lastRun).toMatchObject({
      state: 'skipped',
      late: true,
      reason: expect.stringMatching(/^the clock of the store was ahead and had decided the ticks until 20/),
    });
    expect(await alertsIn(ledger)).toContain('late');

    await setClock(ledger, 3 * minute);
    const fired = (await ledger.registry.runs({ states: ['waiting'] })).filter(({ tickAt }) => tickAt < now + day);
    expect(fired).not.toHaveLength(0);
    expect((await pendingWork(ledger.database)).isClockAhead).toBe(false);
    await expect(correctClock(ledger.database)).resolves.toBeUndefined();
  });

  it('leaves ticks that it skipped to the right clock', async (end) => {
    const ledger = await ledgerSetting(newStore, end);
    await ledger.put('daily', { every: '1d', catchUp: 'latest' });
    await setClock(ledger, ahead);
    await moveClock(ledger.database, 0);
    await correctClock(ledger.database);
    await setClock(ledger, day);
    const [run] = await ledger.registry.runs({ states: ['waiting'] });
    expect(run).toMatchObject({ schedule: 'daily', state: 'waiting' });
  });

  it('does not send a tick again that was sent too early', async (end) => {
    const ledger = await ledgerSetting(newStore, end);
    await ledger.put('often');
    await setClock(ledger, 10 * minute);
    const early = await ledger.claim();
    for (const [index, claim] of early.entries()) await ledger.settle(claim, accepted(`j_${index}`));
    expect(early.length).toBeGreaterThan(0);
    await moveClock(ledger.database, 0);
    await correctClock(ledger.database);
    await setClock(ledger, 10 * minute);
    const ticks = (await ledger.claim({})).map(({ run }) => run.tickAt);
    expect(ticks.filter((tick) => early.some(({ run }) => run.tickAt === tick))).toEqual([]);
  });

  it('does not hold up retries, polls, leases or alerts', async (end) => {
    const ledger = await ledgerSetting(newStore, end);
    const { database, registry } = ledger;
    await ledger.put('often', { every: '1d', overlap: 'allow', giveUpAfter: '1d' });
    await moveClock(database, ahead);
    const ids: string[] = [];
    for (let count = 0; count < 3; count += 1) ids.push((await registry.runNow('acme', 'often')).id);
    const byId = new Map((await ledger.claim()).map((claim) => [claim.run.id, claim]));
    const [retried, polled, leased] = ids.map((id) => byId.get(id));
    if (retried === undefined || polled === undefined || leased === undefined) throw new Error('not all were claimed');
    await ledger.settle(retried, { status: 'not-sent', text: 'busy', retryAfterMs: minute });
    await ledger.settle(polled, accepted('j_polled'));
    await moveClock(database, 0);
    await correctClock(database);

    const now = await ledgerNow(database);
    await expect(claimPolls(database, 10)).resolves.toMatchObject([{ id: polled.run.id }]);
    await expect(claimWaiting(database, 10, {})).resolves.toMatchObject([{ run: { id: retried.run.id } }]);
    const times = await database.query<Record<string, number>>(
      `SELECT MAX(CASE WHEN state = 'triggering' THEN lease_until END) AS lease, MAX(give_up_at) AS giveup,
         MAX(triggered_at) AS triggered FROM runs`,
    );
    const latest = times[0] ?? {};
    // The server of the third run may still wait for its answer.
    expect(latest.lease).toBeGreaterThan(now);
    expect(latest.lease).toBeLessThan(now + 2 * minute);
    expect(latest.giveup).toBeLessThan(now + day + minute);
    expect(latest.triggered).toBeLessThan(now + minute);
    const [alert] = await database.query<{ at: number | null }>('SELECT MAX(send_at) AS at FROM alerts');
    expect(alert?.at ?? 0).toBeLessThan(now + minute);
  });

  it('deletes no record early', async (end) => {
    const ledger = await ledgerSetting(newStore, end);
    const { database } = ledger;
    const retention = { eventsMs: 30 * day, runsMs: 90 * day };
    await ledger.put('often');
    await setClock(ledger, 2 * minute);
    const events = async () => (await database.query('SELECT id FROM events')).length;
    const before = await events();
    expect(before).toBeGreaterThan(0);
    await forgetOld(database, retention);
    for (const offset of [ahead, ahead + day / 2]) {
      await moveClock(database, offset);
      await forgetOld(database, retention);
      expect(await events()).toBe(before);
    }
    // The clock is right again, and later it really is that time.
    await moveClock(database, 0);
    await forgetOld(database, retention);
    for (const offset of [ahead, ahead + day - minute]) {
      await moveClock(database, offset);
      await forgetOld(database, retention);
      expect(await events()).toBe(before);
    }
    await moveClock(database, ahead + day);
    await forgetOld(database, retention);
    expect(await events()).toBe(0);
  });

  it('is noticed by a running server, which says so in its log', async (end) => {
    const each = await firingSetting(await newStore(), end);
    await moveClock(each.database, ahead);
    const spec = { collector: 'c_prices', every: '1s', inputs: [{ url: 'https://a.example' }] };
    await each.triggers.putSchedule('acme', 'often', scheduleSpec().parse(spec));
    await eventually(async () => expect(await each.triggers.runs({})).not.toHaveLength(0));
    await moveClock(each.database, 0);
    const soon = Date.now() + day;
    await eventually(async () => {
      const runs = await each.triggers.runs({ states: ['finished', 'running'] });
      expect(runs.some(({ tickAt }) => tickAt < soon)).toBe(true);
    });
    const lines = each.lines.filter((line) => line.includes('the clock of the store was ahead'));
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ schedules: 1, recordedUntil: /^20/ }]);
  });
});
