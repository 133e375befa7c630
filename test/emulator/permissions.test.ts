/** The permission levels of API keys, on every call of the service that takes a key. */
import { expect, test } from 'vitest';
import type { Emulator } from '../../src/emulator/index.ts';
import { send, start } from './helpers.ts';
import { running, shop, started } from './runs.ts';

interface Call {
  method: string;
  path: string;
  json?: unknown;
}

/** One good call of each kind; the runs that they ask for are there. */
async function callsOn(emulator: Emulator): Promise<Record<string, Call>> {
  const id = await started(emulator, 'collector=c_none');
  return {
    request: {
      method: 'POST',
      path: '/request',
      json: { zone: 'checkout', url: 'https://example.com/', format: 'raw' },
    },
    trigger: { method: 'POST', path: '/dca/trigger?collector=c_none', json: shop },
    dataset: { method: 'GET', path: `/dca/dataset?id=${id}` },
    collect: { method: 'POST', path: '/datasets/v3/trigger?dataset_id=gd_many', json: shop },
    download: { method: 'GET', path: `/datasets/snapshots/${id}/download?format=json` },
    ips: { method: 'GET', path: '/zone/ips?zone=checkout' },
    recent: { method: 'GET', path: '/zone/recent_ips?zones=*' },
    migrate: {
      method: 'POST',
      path: '/zone/ips/migrate',
      json: { from: 'checkout', to: 'parked', ips: ['192.0.2.99'] },
    },
    asns: { method: 'GET', path: '/api/checkout/get_asn' },
  };
}

const account = { ...running, pages: { 'https://example.com/': { body: 'Example' } } };

async function allowedOn(emulator: Emulator, key: string | undefined): Promise<Record<string, number>> {
  const calls = Object.entries(await callsOn(emulator));
  const statuses = calls.map(async ([name, { method, path, json }]) => {
    const { status } = await send(method, `${emulator.apiUrl}${path}`, {
      ...(key !== undefined && { key }),
      ...(json !== undefined && { json }),
    });
    return [name, status] as const;
  });
  return Object.fromEntries(await Promise.all(statuses));
}

const usage = { request: 200, trigger: 200, dataset: 200, collect: 200, download: 200 };
const noUsage = { request: 403, trigger: 403, dataset: 403, collect: 403, download: 403 };
const reading = { ips: 200, recent: 200, asns: 200 };

test.each([
  ['admin', { ...usage, ...reading, migrate: 200 }],
  ['finance', { ...noUsage, ips: 403, recent: 403, asns: 403, migrate: 403 }],
  ['ops', { ...usage, ...reading, migrate: 200 }],
  ['limit', { ...noUsage, ...reading, migrate: 403 }],
  ['user', { ...usage, ...reading, migrate: 403 }],
] as const)('a key of the level %s may make its calls, and no other', async (role, statuses) => {
  const emulator = await start(account);
  expect(await allowedOn(emulator, emulator.keys[role])).toEqual(statuses);
});
