/** Alerts that those who are to be told do not take. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import { createClient } from '../../src/client/client.ts';
import { createSealer } from '../../src/triggers/secrets/secrets.ts';
import { createServiceAlerts } from '../../src/triggers/worker/alerts.ts';
import { lowBalance } from '../../src/triggers/worker/balance.ts';
import { createEndpointGuard } from '../../src/triggers/worker/endpointGuard.ts';
import { startWorker } from '../../src/triggers/worker/worker.ts';
import type { WorkerOptions } from '../../src/triggers/worker/workerOptions.ts';
import { eventually } from '../eventually.ts';
import { keepsNothing } from './keepsNothing.ts';
import { openServing } from './serving.ts';

/** Where nobody listens any more, if there is no status. */
async function receiver(status: number | undefined): Promise<string> {
  const server = createServer((_request, response) => {
    response.writeHead(status ?? 200, { location: 'http://127.0.0.1:9/' }).end();
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  if (status === undefined) await new Promise((closed) => server.close(closed));
  return `http://127.0.0.1:${port}/canary-path?token=canary-token`;
}

it.each([
  ['answered 404', 404, true, 'was answered 404'],
  ['led elsewhere', 302, true, 'was answered 302'],
  ['not reached', undefined, true, 'ECONNREFUSED'],
  ['on a private address, which this server does not call', 200, false, 'private-endpoint'],
] as const)('an alert that is %s is logged with its run and the reason, and no word of its endpoint', async (_, status, allowPrivate, found) => {
  await using serving = await openServing();
  const endpoint = await receiver(status);
  await serving.schedule('nightly', { alerts: { on: ['failed'], endpoint } });
  const run = await serving.run('nightly', { to: 'failed', text: 'refused' });
  const warned: string[] = [];
  const client = createClient({ url: 'http://127.0.0.1:9', apiKey: 'key' });
  const worker = startWorker({
    database: serving.database,
    client,
    sealer: createSealer([Buffer.alloc(32, 1).toString('base64')]),
    secrets: { env: {} },
    keeper: keepsNothing,
    limits: {},
    retention: { eventsMs: 1e10, runsMs: 1e10 },
    allowPrivate,
    log: { info: () => undefined, warn: (fields, text) => void warned.push(JSON.stringify({ ...fields, text })) },
    stopMs: 100,
  });
  await eventually(() => expect(warned).toHaveLength(1));
  await worker.stop();
  await client.close();
  expect(JSON.parse(warned[0] ?? '')).toMatchObject({ run: run.id, schedule: 'nightly', found });
  expect(warned.join()).not.toContain('canary');
});

it('a balance that could not be asked for is asked for at the next look, also after a clock that was ahead', async () => {
  await using serving = await openServing();
  await serving.schedule('often', { cron: undefined, every: '1h' });
  const answers: (() => Promise<unknown>)[] = [
    () => Promise.reject(new Error('no answer')),
    async () => ({ balance: 1 }),
    async () => ({ balance: 1 }),
  ];
  const client = { account: { balance: () => answers.shift()?.() } };
  const look = () => lowBalance({ ...serving, client, prices: { trigger: 1 } } as unknown as WorkerOptions);
  await expect(look()).rejects.toThrow('no answer');
  expect(await look()).toMatchObject({ code: 'low-balance' });
  expect(await look()).toBeUndefined();
  await serving.database.query(`UPDATE meta SET value = value + 86400000 WHERE key = 'balance_asked_at'`);
  expect(await look()).toMatchObject({ code: 'low-balance' });
});

it('that the store cannot be written is told to all who can be told, whatever else the schedules are', async () => {
  await using serving = await openServing();
  const told: string[] = [];
  const server = createServer(async (request, response) => {
    told.push(await text(request));
    response.end();
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => void server.close());
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}/a?token=canary-token`;
  await serving.schedule('told', { alerts: { endpoint } });
  await serving.schedule('told-too', { alerts: { endpoint } });
  await serving.schedule('told-in-slack', { alerts: { endpoint: `${endpoint}&slack=1`, format: 'slack' } });
  await serving.schedule('silent', {
    inputs: [{ url: 'https://a.example', alerts: 'x' }],
    inputSchema: { url: { type: 'url' }, alerts: { type: 'string' } },
  });
  await serving.schedule('sealed-elsewhere', { alerts: { endpoint } });
  await serving.database.query(
    `UPDATE schedules SET brief = replace(brief, '"key":"', '"key":"other') WHERE name = 'sealed-elsewhere'`,
  );
  const problem = { code: 'store-full', found: 'no space is left', fix: 'free some' };
  const alert = { why: 'store', code: 'store-full', reason: 'no space is left', fix: 'free some' };
  const alerts = createServiceAlerts({
    database: serving.database,
    sealer: createSealer([Buffer.alloc(32, 1).toString('base64')]),
    guard: createEndpointGuard(true),
    signal: new AbortController().signal,
  });
  expect(await alerts.send('store', problem)).toEqual(['other-encryption-key']);
  const slack = { text: 'Scheduled runs do not fire: no space is left. Fix: free some' };
  expect(told.map((body) => JSON.parse(body))).toEqual(expect.arrayContaining([alert, slack]));
  expect(told).toHaveLength(2);
  // The endpoints are known although the store is away.
  await serving.database.close();
  await alerts.send('store', problem);
  expect(told).toHaveLength(4);
});
