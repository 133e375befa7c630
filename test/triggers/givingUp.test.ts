/** Jobs that have no result: who polls them, and until when. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, vi } from 'vitest';
import { moveClock } from '../../src/triggers/ledger/now.ts';
import { claimPolls, settlePoll } from '../../src/triggers/ledger/polling.ts';
import { type End, firingSetting, patience, sent } from './firingSetting.ts';
import { accepted, ledgerSetting } from './ledgerSetting.ts';
import { describeStores } from './stores.ts';

const hour = 3_600_000;

/** An endpoint that takes alerts. */
async function alertReceiver({ onTestFinished }: End): Promise<{ endpoint: string; alerts: () => unknown[] }> {
  const bodies: unknown[] = [];
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const piece of request) text += piece;
    bodies.push(JSON.parse(text));
    response.end();
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => void server.close());
  return { endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}/alert`, alerts: () => bodies };
}

describeStores('a job that does not end', (newStore) => {
  it.concurrent('is given up after giveUpAfter, with an alert, and holds up no later tick', async (end) => {
    const each = await firingSetting(await newStore(), end);
    const { endpoint, alerts } = await alertReceiver(end);
    const spec = { collector: 'c_slow', giveUpAfter: '1h', alerts: { endpoint } };
    const { id } = await each.fire(spec);
    await each.until(id, 'running');
    await moveClock(each.database, hour / 2);
    const meanwhile = await each.triggers.runNow('acme', 'yearly');
    await each.until(meanwhile.id, 'skipped');
    await moveClock(each.database, hour + 60_000);
    const { reason, collectionId } = await each.until(id, 'given-up');
    expect(reason).toMatch(
      /^no result until 20.*\(giveUpAfter\)\. The job may still go on, and deliver\. Last answer: building/,
    );
    await vi.waitFor(
      () => expect(alerts()).toContainEqual(expect.objectContaining({ why: 'given-up', run: id, collectionId })),
      patience,
    );
    const next = await each.triggers.runNow('acme', 'yearly');
    await each.until(next.id, 'running');
    expect(sent(each)).toBe(2);
    await each.triggers.resolve(id, { as: 'triggered', collectionId: collectionId ?? '' });
    await each.until(id, 'running');
  });

  it.concurrent('is not given up where its result is there, however late', async (end) => {
    const { put, pass, claimOne, settle, database, states } = await ledgerSetting(newStore, end);
    await put('often', { giveUpAfter: '1m' });
    await pass(60);
    const claim = await claimOne();
    await settle(claim, accepted('j_1'));
    await pass(600);
    await settlePoll(database, claim.run, { as: 'finished', rows: 3 });
    expect((await states())[0]).toBe('finished');
  });

  it.concurrent('shows the last answer meanwhile', async (end) => {
    const { put, pass, claimOne, settle, database, registry } = await ledgerSetting(newStore, end);
    await put('often');
    await pass(60);
    const claim = await claimOne();
    await settle(claim, accepted('j_1'));
    await settlePoll(database, claim.run, { as: 'no-answer', text: 'was answered 403' });
    expect((await registry.run(claim.run.id)).run).toMatchObject({ state: 'running', reason: 'was answered 403' });
    await settlePoll(database, claim.run, { as: 'building' });
    expect((await registry.run(claim.run.id)).run).toMatchObject({ state: 'running', reason: null });
  });
});

describeStores('a run whose server died while it polled', (newStore) => {
  it.concurrent('is taken over within seconds, and triggered once', async (end) => {
    const store = await newStore();
    const { put, pass, claimOne, settle, database, registry } = await ledgerSetting(async () => store, end);
    await put('often', { every: '1h' });
    await registry.runNow('acme', 'often');
    await pass(0);
    const claim = await claimOne();
    const each = await firingSetting(await newStore(), end);
    const other = await each.fire({ overlap: 'allow' });
    const { collectionId } = await each.until(other.id, 'finished');
    await settle(claim, accepted(collectionId ?? ''));
    await pass(10);
    expect(await claimPolls(database, 10)).toHaveLength(1);
    const died = performance.now();
    await each.another({ store });
    await vi.waitFor(async () => {
      expect((await registry.run(claim.run.id)).run.state).toBe('finished');
    }, patience);
    expect(performance.now() - died).toBeLessThan(20_000);
    expect(sent(each)).toBe(1);
  });

  it.concurrent('is asked about at once where its server was stopped', async (end) => {
    const { put, pass, claimOne, settle, database } = await ledgerSetting(newStore, end);
    await put('often');
    await pass(60);
    const claim = await claimOne();
    await settle(claim, accepted('j_1'));
    await pass(10);
    expect(await claimPolls(database, 10)).toHaveLength(1);
    expect(await claimPolls(database, 10)).toHaveLength(0);
    await settlePoll(database, claim.run, { as: 'released' });
    expect(await claimPolls(database, 10)).toHaveLength(1);
  });
});
