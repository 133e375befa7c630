/** The corners of the ledger: what changes while a run waits or its request is under way, and what must not stop the rest. */
import { expect, it } from 'vitest';
import { scheduleSpec } from '../../../src/triggers/declared/scheduleSpec.ts';
import { recordOutcomes } from '../../../src/triggers/ledger/outcomes.ts';
import { forgetOld } from '../../../src/triggers/ledger/pending.ts';
import { tickDue } from '../../../src/triggers/ledger/ticking.ts';
import { openStore } from '../../../src/triggers/store/open.ts';
import { createLedgerWriter } from '../../../src/triggers/worker/ledgerWriter.ts';
import { accepted, ledgerSetting } from '../ledgerSetting.ts';
import { describeStores } from '../stores.ts';

const day = 24 * 60 * 60;

it('an unreadable store address is refused at once, without showing its password', async () => {
  const opening = openStore('postgres://webdata:s3cret pass@ledger.internal:port/webdata');
  const error = await opening.catch((failure: Error) => failure);
  expect(String(error)).toMatch('the address of the store is not a valid URL');
  expect(JSON.stringify(error) + String(error)).not.toContain('s3cret');
});

describeStores('the ledger', (newStore) => {
  it('starts waiting runs after their schedule was changed to allow overlap', async (end) => {
    const { put, pass, claim, claimOne, settle, states } = await ledgerSetting(newStore, end);
    await put('often', { overlap: 'queue' });
    await pass(60);
    await settle(await claimOne(), accepted('j_1'));
    await pass(60);
    await put('often', { overlap: 'allow' });
    await put('other');
    await pass(60);
    // All that waits, also of the other schedule.
    expect((await claim()).map(({ run }) => run.schedule).sort()).toEqual(['often', 'often', 'other']);
    expect(await states()).toEqual(['running', 'triggering', 'triggering', 'triggering']);
  });

  it('lets no runs overlap after their schedule was changed to forbid it', async (end) => {
    const { put, pass, claim, states } = await ledgerSetting(newStore, end);
    await put('often', { overlap: 'allow' });
    await pass(60);
    await pass(60);
    await put('often', { overlap: 'skip' });
    expect(await claim()).toHaveLength(1);
    expect(await states()).toEqual(['triggering', 'skipped']);
  });

  it('sends only manual runs of a paused schedule', async (end) => {
    const { put, pass, claim, registry, states } = await ledgerSetting(newStore, end);
    await put('often');
    await pass(60);
    await registry.setPaused('acme', 'often', true);
    expect(await claim()).toEqual([]);
    expect((await registry.runs({}))[0]).toMatchObject({ state: 'skipped', reason: 'the schedule was paused' });
    await registry.runNow('acme', 'often');
    expect(await claim()).toHaveLength(1);
    expect(await states()).toEqual(['skipped', 'triggering']);
  });

  it('does not leave a run waiting forever if its schedule was removed while it was sent', async (end) => {
    const { put, pass, claimOne, registry, settle } = await ledgerSetting(newStore, end);
    await put('often');
    await pass(60);
    const claimed = await claimOne();
    await registry.deleteSchedule('acme', 'often');
    await settle(claimed, { status: 'not-sent', text: 'the connection was refused' });
    expect((await registry.runs({}))[0]).toMatchObject({ state: 'failed', reason: 'the connection was refused' });
  });

  it('refuses to send a run again whose schedule was removed', async (end) => {
    const { put, pass, claimOne, registry, settle, states } = await ledgerSetting(newStore, end);
    await put('often');
    await pass(60);
    const claimed = await claimOne();
    await settle(claimed, { status: 'lost', text: 'no answer' });
    await registry.deleteSchedule('acme', 'often');
    const resend = registry.resolve(claimed.run.id, { as: 'resend' });
    await expect(resend).rejects.toThrow('schedule often is not registered for acme');
    expect(await states()).toEqual(['unknown']);
    expect((await registry.resolve(claimed.run.id, { as: 'lost' })).state).toBe('lost');
  });

  it('ends a waiting run whose schedule is missing', async (end) => {
    const { put, pass, claim, database, registry } = await ledgerSetting(newStore, end);
    await put('often', { overlap: 'queue' });
    await pass(60);
    await database.query('DELETE FROM schedules');
    expect(await claim()).toEqual([]);
    expect((await registry.runs({}))[0]).toMatchObject({ state: 'skipped', reason: 'its schedule was removed' });
  });

  it('does not resend a run if its late answer arrives before the resend', async (end) => {
    const { put, pass, claim, claimOne, registry, settle } = await ledgerSetting(newStore, end);
    await put('often');
    await pass(60);
    const claimed = await claimOne();
    await settle(claimed, { status: 'lost', text: 'no answer' });
    await registry.resolve(claimed.run.id, { as: 'resend' });
    await settle(claimed, accepted('j_late'));
    expect(await claim()).toEqual([]);
    expect((await registry.run(claimed.run.id)).run).toMatchObject({ state: 'running', collectionId: 'j_late' });
  });

  it('reports an answer that arrives after a run was sent again', async (end) => {
    const { put, pass, claimOne, registry, settle } = await ledgerSetting(newStore, end);
    await put('often');
    await pass(60);
    const first = await claimOne();
    await settle(first, { status: 'lost', text: 'no answer' });
    await registry.resolve(first.run.id, { as: 'resend' });
    await settle(await claimOne(), accepted('j_second'));
    await settle(first, accepted('j_first'));
    const { run, events } = await registry.run(first.run.id);
    expect(run.collectionId).toBe('j_second');
    expect(events.at(-1)).toMatchObject({
      state: 'running',
      text: 'an earlier attempt was accepted as j_first',
    });
  });

  it('records nothing twice if the answer to a commit was lost and the commit is repeated', async (end) => {
    const { put, pass, claimOne, registry, settle } = await ledgerSetting(newStore, end);
    await put('often');
    await pass(60);
    const claimed = await claimOne();
    for (const outcome of [accepted('j_1'), accepted('j_1')]) await settle(claimed, outcome);
    expect((await registry.run(claimed.run.id)).events.map(({ state }) => state)).toEqual([
      'waiting',
      'triggering',
      'running',
    ]);
  });

  it('keeps messages of the service with any characters', async (end) => {
    const { put, pass, claimOne, registry, settle } = await ledgerSetting(newStore, end);
    await put('often');
    await pass(60);
    const claimed = await claimOne();
    await settle(claimed, { status: 'refused', text: 'answered 401: a\0b' });
    expect((await registry.runs({}))[0]).toMatchObject({
      state: 'failed',
      reason: expect.stringMatching('answered 401'),
    });
  });

  it('writes all other outcomes if one cannot be written', async (end) => {
    const { put, pass, claim, database, states } = await ledgerSetting(newStore, end);
    for (const name of ['a', 'b', 'c']) await put(name);
    await pass(60);
    const claims = await claim();
    const [poison, ...others] = claims;
    if (poison === undefined) throw new Error('nothing waits');
    const givingUp = new AbortController();
    const writer = createLedgerWriter({
      database,
      record: recordOutcomes,
      expected: () => 1,
      onFailure: () => undefined,
      givingUp: givingUp.signal,
    });
    // No store has a place for this.
    const unwritable = { collectionId: Symbol('none') as unknown as string, status: 'accepted' } as const;
    const written = claims.map((one) =>
      writer.write({ claim: one, outcome: one === poison ? unwritable : accepted(`j_${one.run.id}`) }),
    );
    expect(await Promise.all(written.slice(1))).toEqual(others.map(() => 'running'));
    givingUp.abort();
    expect(await written[0]).toBeUndefined();
    expect((await states()).sort()).toEqual(['running', 'running', 'triggering']);
  });

  it('lets other schedules tick if one cannot be read', async (end) => {
    const { put, database, registry, pass } = await ledgerSetting(newStore, end);
    for (const name of ['broken', 'whole']) await put(name);
    const broken = JSON.stringify({ cron: 'never', timeZone: 'Nowhere/None', catchUp: 'latest' });
    await database.query(`UPDATE schedules SET brief = ?, spec = ? WHERE name = 'broken'`, [broken, broken]);
    await pass(60);
    expect((await registry.runs({})).map(({ schedule }) => schedule)).toEqual(['whole']);
    await database.query(`UPDATE schedules SET next_at = 0 WHERE name = 'broken'`);
    expect((await tickDue(database)).unreadable).toMatchObject([{ schedule: 'acme/broken' }]);
  });

  it('of another version is refused, and stays as it is', async (end) => {
    const { database, store } = await ledgerSetting(newStore, end);
    await database.query(`UPDATE meta SET value = 2 WHERE key = 'version'`);
    await expect(openStore(store)).rejects.toMatchObject({ problems: [{ code: 'other-store-version' }] });
  });

  it('deletes all old events, not only the first thousands', async (end) => {
    const { database, pass } = await ledgerSetting(newStore, end);
    const digits = 'SELECT 0 AS d UNION ALL SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4';
    const places = Array.from({ length: 6 }, (_, index) => `(${digits}) t${index}`).join(', ');
    await database.query(`INSERT INTO events (run_id, at, state, text) SELECT 'r_1', 1, 'waiting', '' FROM ${places}`);
    await pass(1);
    while (await forgetOld(database, { eventsMs: 30 * day * 1000, runsMs: 90 * day * 1000 }));
    expect(await database.query('SELECT COUNT(*) AS count FROM events')).toEqual([{ count: 0 }]);
  });

  it('continues a list of schedules after any of them, and omits the inputs on request', async (end) => {
    const { put, registry } = await ledgerSetting(newStore, end);
    for (const name of ['a', 'b', 'c']) await put(name);
    const spec = scheduleSpec().parse({ collector: 'c_prices', every: '1m', inputs: [{ url: 'https://a.example' }] });
    await registry.putSchedule('acme/eu', 'a', spec);
    const names: string[] = [];
    for (let after: string | undefined; names.length < 10; ) {
      const [next] = await registry.schedules({ after, limit: 1, brief: true });
      if (next === undefined) break;
      expect(next.spec).not.toHaveProperty('inputs');
      after = `${next.owner}/${next.name}`;
      names.push(after);
    }
    expect(names).toEqual(['acme/a', 'acme/b', 'acme/c', 'acme/eu/a']);
    await expect(registry.putSchedule('acme', 'eu/a', spec)).rejects.toThrow('the name "eu/a"');
  });
});
