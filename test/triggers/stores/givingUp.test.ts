/** Jobs that have no result: who polls them, and until when. */

import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RunState } from '../../../src/triggers/api/runs.ts';
import { claimPolls, pollLeaseMs, pollMs, recordPolls } from '../../../src/triggers/ledger/polling.ts';
import { eventually } from '../../eventually.ts';
import { type End, firingSetting, sent } from '../firingSetting.ts';
import { accepted, ledgerSetting } from '../ledgerSetting.ts';
import { describeStores } from '../stores.ts';

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
    await each.pass(hour / 2);
    const meanwhile = await each.triggers.runNow('acme', 'yearly');
    await each.until(meanwhile.id, 'skipped');
    await each.pass(hour);
    const { reason, collectionId } = await each.until(id, 'given-up');
    expect(reason).toMatch(
      /^no result until 20.*\(giveUpAfter\)\. The job may still run and deliver\. Last answer: building/,
    );
    await eventually(() =>
      expect(alerts()).toContainEqual(expect.objectContaining({ why: 'given-up', run: id, collectionId })),
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
    await recordPolls(database, [{ run: claim.run, answer: { status: 'finished', rows: 3 } }]);
    expect((await states())[0]).toBe('finished');
  });

  it.concurrent('shows the last answer meanwhile', async (end) => {
    const { put, pass, claimOne, settle, database, registry } = await ledgerSetting(newStore, end);
    await put('often');
    await pass(60);
    const claim = await claimOne();
    await settle(claim, accepted('j_1'));
    await recordPolls(database, [{ run: claim.run, answer: { status: 'no-answer', text: 'was answered 403' } }]);
    expect((await registry.run(claim.run.id)).run).toMatchObject({ state: 'running', reason: 'was answered 403' });
    await recordPolls(database, [{ run: claim.run, answer: { status: 'building' } }]);
    expect((await registry.run(claim.run.id)).run).toMatchObject({ state: 'running', reason: null });
  });
});

/** A service that starts each job and answers each poll alike. */
async function alwaysAnswering(
  { onTestFinished }: End,
  answer: { status: number; type?: string; body: string },
): Promise<string> {
  const server = createServer((request, response) => {
    if (request.method === 'POST') {
      response.end(JSON.stringify({ collection_id: 'j_1', snapshot_id: 's_1', start_eta: '2026-01-01T00:00:00Z' }));
      return;
    }
    response.writeHead(answer.status, { 'content-type': answer.type ?? 'application/json' }).end(answer.body);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const json = (status: number, value: unknown) => ({ status, body: JSON.stringify(value) });
const collector = { collector: 'c_prices' };
const dataset = { collector: undefined, dataset: 'gd_people' };

describe('the answer to a poll', () => {
  const answers: [string, object, { status: number; type?: string; body: string }, RunState, RegExp | null][] = [
    ['a state without a known meaning', collector, json(200, { status: 'reticulating' }), 'running', /reticulating/],
    ['"collecting" under 202', dataset, json(202, { status: 'collecting' }), 'running', /collecting/],
    ['a refused key', collector, json(401, 'bad key'), 'running', /401/],
    ['a role that may not', dataset, json(403, 'Snapshot not ready'), 'running', /403/],
    ['a server error', dataset, json(500, { error: 'Snapshot not ready' }), 'running', /500/],
    ['not found, in the first minutes', collector, json(404, { error: 'not found' }), 'running', /not found/],
    ['failed', collector, json(200, { status: 'failed', error: 'the site is down' }), 'failed', /the site is down/],
    ['canceled', dataset, json(200, { status: 'canceled', message: 'by an admin' }), 'failed', /by an admin/],
    ['rows', collector, json(200, [{ a: 1 }, { a: 2 }]), 'finished', null],
    ['a list where lines were asked for', dataset, json(200, [{ a: 1 }]), 'finished', null],
    [
      'a table where lines were asked for',
      dataset,
      { status: 200, type: 'text/csv', body: 'a,b\n1,2\n' },
      'finished',
      null,
    ],
  ];

  it.concurrent.for(answers)('%s', async ([, spec, answer, state, reason], end) => {
    const url = await alwaysAnswering(end, answer);
    const folder = mkdtempSync(join(tmpdir(), 'wd-polls-'));
    end.onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const each = await firingSetting(join(folder, 'store.db'), end, { service: { url, apiKey: 'key' } });
    const { id } = await each.fire({ ...spec, giveUpAfter: '1h' });
    await each.until(id, 'running');
    await each.pass(pollMs);
    const run = await eventually(async () => {
      const { run: found } = await each.triggers.run(id);
      expect({ state: found.state, reason: found.reason }).toEqual({
        state,
        reason: reason === null ? null : expect.stringMatching(reason),
      });
      return found;
    });
    if (state !== 'running') return;
    await each.pass(2 * hour);
    await each.until(run.id, 'given-up', 'failed');
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
    await pass(pollLeaseMs / 1000);
    await each.another({ store });
    await eventually(async () => {
      expect((await registry.run(claim.run.id)).run.state).toBe('finished');
    });
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
    await recordPolls(database, [{ run: claim.run, answer: { status: 'released' } }]);
    expect(await claimPolls(database, 10)).toHaveLength(1);
  });
});
