/** Claims, leases and limits of the ledger, a step at a time: which runs are sent, and by which server. */
import { expect, it } from 'vitest';
import { expireLeases } from '../../../src/triggers/ledger/leases.ts';
import { flagLate, pendingWork } from '../../../src/triggers/ledger/pending.ts';
import { claimPolls, recordPolls } from '../../../src/triggers/ledger/polling.ts';
import { accepted, ledgerSetting, yearly } from '../ledgerSetting.ts';
import { describeStores } from '../stores.ts';

describeStores('a claimed run', (newStore) => {
  it('is claimed by one server only', async (end) => {
    const { put, pass, claim, states } = await ledgerSetting(newStore, end);
    await put('often');
    await pass(60);
    const [first, second] = await Promise.all([claim(), claim()]);
    expect([...first, ...second]).toHaveLength(1);
    expect(await states()).toEqual(['triggering']);
  });

  it('becomes unknown when its lease expires, not before', async (end) => {
    const { put, pass, claimOne, database, registry, states } = await ledgerSetting(newStore, end);
    await put('often', yearly);
    await registry.runNow('acme', 'often');
    await claimOne();
    await pass(50);
    expect(await expireLeases(database)).toBe(0);
    expect(await states()).toEqual(['triggering']);
    await pass(11);
    expect((await pendingWork(database)).leases).toBe(true);
    expect(await expireLeases(database)).toBe(1);
    const [run] = await registry.runs({});
    expect(run).toMatchObject({ state: 'unknown', attempts: 1 });
    expect(run?.reason).toMatch(/^outcome unknown: it may have been accepted and billed/);
  });

  it('is retried after 1, 2 and 4 seconds, then fails', async (end) => {
    const { put, pass, claim, claimOne, settle, registry } = await ledgerSetting(newStore, end);
    await put('often', yearly);
    await registry.runNow('acme', 'often');
    for (const seconds of [1, 2, 4]) {
      await settle(await claimOne(), { status: 'not-sent', text: 'refused' });
      expect((await registry.runs({}))[0]).toMatchObject({
        state: 'waiting',
        reason: `refused; next attempt in ${seconds} s`,
      });
      // Shorter pauses may be over already on a slow machine.
      if (seconds === 4) expect(await claim()).toEqual([]);
      await pass(seconds + 1);
    }
    await settle(await claimOne(), { status: 'not-sent', text: 'refused' });
    expect((await registry.runs({}))[0]).toMatchObject({ state: 'failed', attempts: 4, reason: 'refused' });
  });

  it('leaves capacity for others according to the limits', async (end) => {
    const { put, pass, claim } = await ledgerSetting(newStore, end);
    await put('a');
    await put('b');
    await put('c', { collector: 'c_news' });
    await pass(60);
    expect(await claim({ account: 0 })).toEqual([]);
    const each = await claim({ target: 1 });
    expect(each.map(({ run }) => run.target).sort()).toEqual(['c_news', 'c_prices']);
    expect(await claim({ account: 2 })).toEqual([]);
    expect(await claim({ account: 3 })).toHaveLength(1);
  });
});

describeStores('two waiting runs of one schedule', (newStore) => {
  it.for([
    ['skip', 1, ['triggering', 'skipped']],
    ['queue', 1, ['triggering', 'waiting']],
    ['cancel', 2, ['triggering', 'triggering']],
    ['allow', 2, ['triggering', 'triggering']],
  ] as const)('in one claim, overlap %s: %i is sent', async ([overlap, sent, states], end) => {
    const setting = await ledgerSetting(newStore, end);
    await setting.put('often', { overlap, catchUp: { within: '1h' } });
    await setting.pass(120);
    const claims = await setting.claim();
    expect(claims).toHaveLength(sent);
    // The oldest tick goes first.
    expect(claims[0]?.run.tickAt).toBe(Math.min(...(await setting.registry.runs({})).map(({ tickAt }) => tickAt)));
    expect((await setting.states()).slice(0, 2)).toEqual(states);
  });
});

describeStores('a waiting or running run', (newStore) => {
  it('is flagged late once, after lateAfter', async (end) => {
    const { put, pass, database, registry } = await ledgerSetting(newStore, end);
    await put('often', { ...yearly, lateAfter: '5m', alerts: { endpoint: 'https://hooks.example.com' } });
    await registry.runNow('acme', 'often');
    await pass(290);
    expect(await flagLate(database)).toBe(0);
    await pass(11);
    expect(await flagLate(database)).toBe(1);
    expect(await flagLate(database)).toBe(0);
    expect((await registry.runs({}))[0]).toMatchObject({ state: 'waiting', late: true });
    expect((await pendingWork(database)).alerts).toBe(true);
  });

  it('is polled at the pace of the service: after 5 s, after 30 s without an answer, and after its Retry-After', async (end) => {
    const { put, pass, claimOne, settle, database, registry } = await ledgerSetting(newStore, end);
    await put('often', yearly);
    await registry.runNow('acme', 'often');
    const { run } = await claimOne().then(async (claim) => {
      await settle(claim, accepted('j_1'));
      return claim;
    });
    const isDueAfter = async (seconds: number) => {
      // Leaves a slow machine some seconds.
      await pass(seconds - 4);
      expect(await claimPolls(database, 10)).toEqual([]);
      await pass(5);
      expect(await claimPolls(database, 10)).toHaveLength(1);
    };
    await isDueAfter(5);
    await recordPolls(database, [{ run, answer: { status: 'no-answer', text: 'was answered 500' } }]);
    await isDueAfter(30);
    await recordPolls(database, [{ run, answer: { status: 'building', retryAfterMs: 45_000 } }]);
    await isDueAfter(45);
    // The server that polls has died: another one takes over when its lease ends.
    await isDueAfter(8);
  });
});
