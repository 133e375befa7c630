/** Alerts as their endpoints get them: which are sent, with what, and how often. */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { createSealer } from '../../src/triggers/secrets/secrets.ts';
import { sendAlerts } from '../../src/triggers/worker/alerts.ts';
import { createEndpointGuard } from '../../src/triggers/worker/endpointGuard.ts';
import { moveClock } from './moveClock.ts';
import { openServing, type Serving } from './serving.ts';

interface Received {
  request: Pick<IncomingMessage, 'method' | 'url' | 'headers'>;
  body: unknown;
}

async function receiver(status: () => number) {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const piece of request) text += piece;
    const { method, url, headers } = request;
    received.push({ request: { method, url, headers }, body: JSON.parse(text) });
    response.writeHead(status()).end('thank you');
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { received, endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}/alert?token=t` };
}

async function alerting({ database }: Serving) {
  const guard = createEndpointGuard(true);
  onTestFinished(() => guard.dispatcher.destroy());
  const sealer = createSealer([Buffer.alloc(32, 1).toString('base64')]);
  return (more: Partial<Parameters<typeof sendAlerts>[0]> = {}) =>
    sendAlerts({ database, sealer, guard, signal: new AbortController().signal, ...more });
}

const alertRows = ({ database }: Serving) =>
  database.query<{ attempts: number; send_at: number; sent_at: number | null }>(
    'SELECT attempts, send_at, sent_at FROM alerts ORDER BY id',
  );

it('names the run, its schedule, its state and the reason, once', async () => {
  await using serving = await openServing();
  const { received, endpoint } = await receiver(() => 204);
  const send = await alerting(serving);
  await serving.schedule('nightly', { alerts: { on: ['failed'], endpoint } });
  const { id, tickAt } = await serving.run('nightly', {
    to: 'failed',
    text: 'was answered 401',
    set: { collection_id: 'j_1' },
  });
  expect(await send()).toEqual([]);
  expect(received).toMatchObject([
    { request: { method: 'POST', url: '/alert?token=t', headers: { 'content-type': 'application/json' } } },
  ]);
  expect(received[0]?.body).toEqual({
    why: 'failed',
    owner: 'acme',
    schedule: 'nightly',
    run: id,
    tickAt: new Date(tickAt).toISOString(),
    state: 'failed',
    reason: 'was answered 401',
    collectionId: 'j_1',
  });
  const [row] = await alertRows(serving);
  expect(row?.sent_at).toBeGreaterThanOrEqual(tickAt);
  await moveClock(serving.database, 3_600_000);
  expect(await send()).toEqual([]);
  expect(received).toHaveLength(1);
});

it('is one sentence for Slack, without its control characters', async () => {
  await using serving = await openServing();
  const { received, endpoint } = await receiver(() => 200);
  const send = await alerting(serving);
  await serving.schedule('nightly', { alerts: { endpoint, format: 'slack' } });
  const text = 'the page <main> has changed (job failed)';
  const { id, tickAt } = await serving.run('nightly', { to: 'failed', text });
  expect(await send()).toEqual([]);
  const at = new Date(tickAt).toISOString().slice(0, 19);
  expect(received[0]?.body).toEqual({
    text: `acme/nightly failed: the page &lt;main&gt; has changed (job failed) — tick of ${at}Z, run ${id}`,
  });
});

it('are not sent for other reasons, without alerts, or after the schedule was deleted', async () => {
  await using serving = await openServing();
  const { received, endpoint } = await receiver(() => 200);
  const send = await alerting(serving);
  await serving.schedule('late-only', { alerts: { on: ['late'], endpoint } });
  await serving.schedule('without');
  await serving.schedule('deleted', { alerts: { on: ['failed'], endpoint } });
  for (const name of ['late-only', 'without', 'deleted']) await serving.run(name, { to: 'failed', text: 'no' });
  await serving.registry.deleteSchedule('acme', 'deleted');
  expect(await send()).toEqual([]);
  expect(received).toEqual([]);
  expect((await alertRows(serving)).map(({ sent_at }) => sent_at === null)).toEqual([false, false, false]);
});

it('are repeated after 1, 2, 4, 8 and 16 minutes, then given up', async () => {
  await using serving = await openServing();
  const { received, endpoint } = await receiver(() => 503);
  const send = await alerting(serving);
  await serving.schedule('nightly', { alerts: { on: ['failed'], endpoint } });
  const { id } = await serving.run('nightly', { to: 'failed', text: 'no' });
  let offset = 0;
  for (const [index, minutes] of [1, 2, 4, 8, 16, 32].entries()) {
    expect(await send()).toEqual([{ run: id, schedule: 'nightly', found: 'was answered 503' }]);
    const [row] = await alertRows(serving);
    expect(row).toMatchObject({ attempts: index + 1 });
    expect(row?.sent_at === null).toBe(index < 5);
    const now = await serving.registry.now();
    const waits = ((row?.send_at ?? 0) - now) / 60_000;
    expect(waits).toBeGreaterThan(minutes - 0.5);
    expect(waits).toBeLessThanOrEqual(minutes);
    // A server that dies meanwhile holds up the alert no longer than this.
    expect(await send()).toEqual([]);
    offset += minutes * 60_000;
    await moveClock(serving.database, offset);
  }
  expect(await send()).toEqual([]);
  expect(received).toHaveLength(6);
});

it('are sent again until the endpoint accepts one', async () => {
  await using serving = await openServing();
  let status = 500;
  const { received, endpoint } = await receiver(() => status);
  const send = await alerting(serving);
  await serving.schedule('nightly', { alerts: { on: ['failed'], endpoint } });
  await serving.run('nightly', { to: 'failed', text: 'no' });
  await send();
  status = 200;
  await moveClock(serving.database, 61_000);
  expect(await send()).toEqual([]);
  await moveClock(serving.database, 3_600_000);
  expect(await send()).toEqual([]);
  expect(received).toHaveLength(2);
});

it('are sent at most 20 at a time, the oldest first', async () => {
  await using serving = await openServing();
  const { received, endpoint } = await receiver(() => 200);
  const send = await alerting(serving);
  await serving.schedule('nightly', { alerts: { on: ['failed'], endpoint } });
  const runs: string[] = [];
  for (let count = 0; count < 22; count += 1)
    runs.push((await serving.run('nightly', { to: 'failed', text: 'no' })).id);
  await serving.database.query('UPDATE alerts SET send_at = send_at - (100 - id)');
  await send();
  expect(received).toHaveLength(20);
  await send();
  expect(
    received
      .slice(20)
      .map(({ body }) => (body as { run: string }).run)
      .sort(),
  ).toEqual(runs.slice(20).sort());
});

it('end with the reason of the failure where the server is stopped', async () => {
  await using serving = await openServing();
  const { endpoint } = await receiver(() => 200);
  const send = await alerting(serving);
  await serving.schedule('nightly', { alerts: { on: ['failed'], endpoint } });
  await serving.run('nightly', { to: 'failed', text: 'no' });
  expect(await send({ signal: AbortSignal.abort() })).toMatchObject([{ found: 'AbortError' }]);
});
