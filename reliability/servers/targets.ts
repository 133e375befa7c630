/** The attacked servers, each with its default options, and a correct request to each. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { startEmulator } from '../../src/emulator/index.ts';
import { openFolder } from '../../src/keeping/folder.ts';
import { type ReceiverOptions, startReceiver } from '../../src/receiver/receiver.ts';
import { startTriggerService } from '../../src/triggers/service.ts';

export interface AttackTarget {
  name: 'API of the emulator' | 'manager of the emulator' | 'trigger service' | 'receiver';
  port: number;
  /** A correct request, without the headers that every request has. */
  right: { method: string; path: string; headers: Readonly<Record<string, string>>; body: string };
  /** The status of the answer to the correct request. */
  status: number;
}

export const token = 'the/token+of=the-campaign';

export interface Targets extends AsyncDisposable {
  all: readonly AttackTarget[];
  /** Registers a schedule, with or without private endpoints allowed, and returns the status. */
  register(allowPrivate: boolean, schedule: object): Promise<number>;
  receiver(options: Partial<ReceiverOptions>): Promise<number>;
}

export async function startTargets(folder: string): Promise<Targets> {
  const apiKeys = [{ user: 'ada', permission: 'Admin' as const, value: token }];
  const zones = { checkout: {} };
  const emulator = await startEmulator({ id: 'hl_1', users: ['ada'], apiKeys, zones, manager: { token } });
  const [strict, open] = await Promise.all([triggersIn(folder, false), triggersIn(folder, true)]);
  const receivers = [await receiverIn(join(folder, 'received'), { authorizations: [`Bearer ${token}`] })];
  const json = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const right = (method: string, path: string, body = '') => ({ method, path, headers: json, body });
  return {
    all: [
      {
        name: 'API of the emulator',
        port: portOf(emulator.apiUrl),
        right: right('GET', '/zone/ips?zone=checkout'),
        status: 200,
      },
      {
        name: 'manager of the emulator',
        port: portOf(emulator.managerUrl),
        right: right('PUT', '/api/settings', '{"logs":1}'),
        status: 200,
      },
      {
        name: 'trigger service',
        port: portOf(strict.url),
        right: right('PUT', '/v1/owners/a/schedules/b', schedule({})),
        status: 200,
      },
      { name: 'receiver', port: portOf(receivers[0]?.url ?? ''), right: right('POST', '/a', '[{"a":1}]'), status: 200 },
    ],
    async register(allowPrivate, more) {
      const { url } = allowPrivate ? open : strict;
      const answer = await fetch(`${url}/v1/owners/a/schedules/c`, {
        method: 'PUT',
        headers: json,
        body: schedule(more),
      });
      await answer.text();
      return answer.status;
    },
    async receiver(options) {
      const receiver = await receiverIn(join(folder, `received${receivers.length}`), options);
      receivers.push(receiver);
      return portOf(receiver.url);
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([emulator, strict, open, ...receivers].map((server) => server.close()));
    },
  };
}

/** Returns a schedule that does not tick during the attacks. */
function schedule(more: object): string {
  return JSON.stringify({ collector: 'c_a', cron: '0 0 1 1 *', inputs: [{ url: 'https://a.example' }], ...more });
}

function triggersIn(folder: string, allowPrivate: boolean) {
  return startTriggerService({
    store: join(folder, `triggers-${allowPrivate}.db`),
    token,
    keys: [],
    secrets: { env: {} },
    allowPrivate,
    service: { url: 'http://127.0.0.1:9', apiKey: 'key' },
    stopMs: 100,
  });
}

async function receiverIn(folder: string, options: Partial<ReceiverOptions>) {
  mkdirSync(folder);
  return startReceiver({
    destination: await openFolder(folder),
    write: () => undefined,
    limits: { graceMs: 100 },
    ...options,
  });
}

function portOf(url: string): number {
  return Number(new URL(url).port);
}
