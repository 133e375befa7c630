/** What the tests of runs share: an account with a collector and a dataset, and requests of `test/spec` sent as they are. */
import { readFileSync } from 'node:fs';
import type { AccountInput, Emulator } from '../../src/emulator/index.ts';
import { type Received, send, small } from './helpers.ts';

/** Its runs answer with the very values of `test/spec`. */
export const running: AccountInput = {
  ...small,
  collectors: {
    c_prices: { seconds: 10, row: { title: 'Item {n}', price: 12.5 } },
    c_typed: {
      inputs: { keyword: { required: true }, pages: { type: 'number' }, country: {} },
      row: { found: '{keyword} in {country}' },
      rowsPerInput: 2,
    },
    c_none: { rows: [] },
  },
  datasets: {
    gd_companies: { seconds: 10, rows: specOf('snapshotDownload').answer.body },
    gd_many: { row: { name: 'Company {n}', note: 'a "quoted", long\nnote' }, rows: 3 },
  },
};

interface Spec {
  request: { method: string; path: string; query: Record<string, string>; headers: object; body?: unknown };
  answer: { status: number; body: Record<string, unknown>[] };
}

function specOf(name: string, values: Record<string, string> = {}): Spec {
  const text = readFileSync(new URL(`../spec/${name}.json`, import.meta.url), 'utf8');
  return JSON.parse(text.replaceAll(/\{(\w+)\}/g, (place, key: string) => values[key] ?? place));
}

/** Sends the request of a file, and returns what came with what should have come. */
export async function sendSpec(emulator: Emulator, name: string, values: Record<string, string> = {}) {
  const { request, answer } = specOf(name, { apiKey: emulator.keys.user, ...values });
  const url = `${emulator.apiUrl}${request.path}?${new URLSearchParams(request.query)}`;
  const text = request.body === undefined ? {} : { text: JSON.stringify(request.body) };
  return { received: await send(request.method, url, { headers: { ...request.headers }, ...text }), answer };
}

export const shop = [{ url: 'https://shop.example.com/1' }, { url: 'https://shop.example.com/2' }];

export const trigger = (emulator: Emulator, query: string, json: unknown = shop): Promise<Received> =>
  send('POST', `${emulator.apiUrl}/dca/trigger?${query}`, { key: emulator.keys.user, json });

/** The id of a run that was triggered. */
export async function started(emulator: Emulator, query: string, json: unknown = shop): Promise<string> {
  return ((await trigger(emulator, query, json)).body as { collection_id: string }).collection_id;
}

/** A clock that stands still until it is moved. */
export function movedClock() {
  let now = Date.parse('2026-03-01T12:00:00Z');
  return {
    clock: () => new Date(now),
    pass(seconds: number): void {
      now += seconds * 1000;
    },
  };
}
