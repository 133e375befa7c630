/** The limits of active runs, and what a claim contains. */
import { expect, it } from 'vitest';
import { deliverySpec } from '../../../src/triggers/declared/deliverySpec.ts';
import { claimWaiting } from '../../../src/triggers/ledger/claiming.ts';
import { accepted, ledgerSetting, yearly } from '../ledgerSetting.ts';
import { describeStores } from '../stores.ts';

describeStores('a limit of active runs', (newStore) => {
  it('that was lowered below the active runs lets nothing start', async (end) => {
    const { put, registry, claim } = await ledgerSetting(newStore, end);
    for (const name of ['a', 'b', 'c']) {
      await put(name, yearly);
      await registry.runNow('acme', name);
      if (name === 'b') expect(await claim({ account: 2 })).toHaveLength(2);
    }
    expect(await claim({ account: 1 })).toEqual([]);
    expect(await claim({ target: 1 })).toEqual([]);
    expect(await claim({ account: 3 })).toHaveLength(1);
  });

  it('counts running jobs too, and no ended ones', async (end) => {
    const { put, registry, claim, claimOne, settle } = await ledgerSetting(newStore, end);
    for (const name of ['a', 'b', 'c']) await put(name, yearly);
    await registry.runNow('acme', 'a');
    await settle(await claimOne(), accepted('j_1'));
    await registry.runNow('acme', 'b');
    await settle(await claimOne(), { status: 'refused', text: 'no' });
    await registry.runNow('acme', 'c');
    expect(await claim({ account: 1 })).toEqual([]);
    expect(await claim({ target: 1 })).toEqual([]);
    expect(await claim({ target: 2, account: 2 })).toHaveLength(1);
  });

  it('of one collector does not hold up the runs of others behind it', async (end) => {
    const { put, registry, database, claim, pass } = await ledgerSetting(newStore, end);
    for (const name of ['a', 'b', 'c', 'd']) {
      await put(name, { ...yearly, collector: name === 'd' ? 'c_news' : 'c_prices' });
      await registry.runNow('acme', name);
      await pass(1);
      if (name === 'a') expect(await claim({ target: 1 })).toHaveLength(1);
    }
    const claims = await claimWaiting(database, 1, { target: 1 });
    expect(claims.map(({ run }) => run.schedule)).toEqual(['d']);
  });

  it('holds for servers that claim at the same time', async (end) => {
    const { put, registry, database } = await ledgerSetting(newStore, end);
    const names = ['a', 'b', 'c', 'd', 'e', 'f'];
    for (const name of names) {
      await put(name, yearly);
      await registry.runNow('acme', name);
    }
    const claims = await Promise.all(names.map(() => claimWaiting(database, 1, { account: 2 })));
    expect(claims.flat()).toHaveLength(2);
  });
});

describeStores('a claim', (newStore) => {
  it('is of as many runs as asked for, the oldest first', async (end) => {
    const { put, registry, database, pass } = await ledgerSetting(newStore, end);
    const ids: string[] = [];
    for (const name of ['a', 'b', 'c', 'd']) {
      await put(name, yearly);
      ids.push((await registry.runNow('acme', name)).id);
      await pass(1);
    }
    const claimed = async (free: number) => (await claimWaiting(database, free, {})).map(({ run }) => run.id);
    expect(await claimed(0)).toEqual([]);
    expect(await claimed(-1)).toEqual([]);
    expect(await claimed(3)).toEqual([ids[0], ids[1], ids[2]]);
    expect(await claimed(2)).toEqual([ids[3]]);
  });

  it('is not of a run before its time', async (end) => {
    const { put, registry, claimOne, settle, claim, pass } = await ledgerSetting(newStore, end);
    await put('often', yearly);
    await registry.runNow('acme', 'often');
    await settle(await claimOne(), { status: 'not-sent', text: 'was answered 429', retryAfterMs: 60_000 });
    await pass(40);
    expect(await claim()).toEqual([]);
    await pass(21);
    expect(await claim()).toHaveLength(1);
  });

  it('has the schedule, the delivery and the time after which the run is late', async (end) => {
    const { put, registry, claimOne } = await ledgerSetting(newStore, end);
    const endpoint = 'https://hooks.example.com/in';
    await registry.putDelivery('acme', 'results', deliverySpec().parse({ endpoint }));
    await registry.putDelivery('shop', 'results', deliverySpec().parse({ endpoint: 'https://shop.example.com' }));
    for (const [name, delivery, expected] of [
      ['none', undefined, undefined],
      ['named', 'results', { endpoint }],
      ['own', { endpoint: `${endpoint}/own` }, { endpoint: `${endpoint}/own` }],
    ] as const) {
      await put(name, { ...yearly, lateAfter: '5m', delivery });
      const { id } = await registry.runNow('acme', name);
      const claim = await claimOne();
      expect(claim).toMatchObject({
        run: { id, state: 'triggering', attempts: 1, schedule: name },
        spec: { collector: 'c_prices', inputs: [{ url: 'https://a.example' }] },
        unpreparedSince: null,
        lateAfterMs: 300_000,
      });
      expect(claim.token).toMatch(/^[0-9a-f]{32}$/);
      if (expected === undefined) expect(claim.delivery).toBeUndefined();
      else expect(claim.delivery).toMatchObject(expected);
    }
  });

  it('has no delivery if the named one is missing', async (end) => {
    const { put, registry, claimOne, database } = await ledgerSetting(newStore, end);
    await registry.putDelivery('acme', 'results', deliverySpec().parse({ endpoint: 'https://hooks.example.com' }));
    await put('often', { ...yearly, delivery: 'results' });
    await registry.runNow('acme', 'often');
    await database.query('DELETE FROM deliveries');
    expect((await claimOne()).delivery).toBeUndefined();
  });
});

describeStores('a run that waits behind another one', (newStore) => {
  it('is skipped with the reason (overlap: skip)', async (end) => {
    const { put, registry, claim } = await ledgerSetting(newStore, end);
    await put('often', { ...yearly, overlap: 'skip' });
    await registry.runNow('acme', 'often');
    await claim();
    const { id } = await registry.runNow('acme', 'often');
    expect(await claim()).toEqual([]);
    expect((await registry.run(id)).run).toMatchObject({
      state: 'skipped',
      reason: 'an earlier run of this schedule was still active (overlap: skip)',
    });
  });
});

describeStores('the store', (newStore) => {
  it.for([
    ['skip', true],
    ['queue', true],
    ['cancel', false],
    ['allow', false],
  ] as const)('refuses a second active run by itself, overlap %s: %s', async ([overlap, refused], end) => {
    const { put, registry, database, pass } = await ledgerSetting(newStore, end);
    await put('often', { overlap, catchUp: { within: '1h' } });
    await registry.runNow('acme', 'often');
    await pass(60);
    const activating = database.query(`UPDATE runs SET state = 'running'`).then(
      () => 'done',
      () => 'refused',
    );
    expect(await activating).toBe(refused ? 'refused' : 'done');
  });
});
