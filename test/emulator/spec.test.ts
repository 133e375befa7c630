import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Emulator } from '../../src/emulator/index.ts';
import { send, small, start } from './helpers.ts';

interface SpecFile {
  section: string;
  base: 'service' | 'manager';
  request: {
    method: string;
    path: string;
    query: Record<string, string>;
    headers: Record<string, string>;
    body?: unknown;
  };
  answer: { status: number; body?: unknown };
}

const folder = new URL('../spec/', import.meta.url);

const files = readdirSync(folder)
  .filter((name) => name.endsWith('.json'))
  .map((name) => [name, JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as SpecFile] as const)
  .filter(([, { section }]) => /^[DEF]\d?$/.test(section));

describe('the emulator answers with the shapes of the specification', () => {
  test.each(files)('%s', async (_name, { base, request, answer }) => {
    const emulator = await start(small);
    const url = new URL(request.path, base === 'manager' ? emulator.managerUrl : emulator.apiUrl);
    const { query, headers } = filled({ query: request.query, headers: request.headers }, emulator);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);

    const received = await send(request.method, url.href, { headers, text: JSON.stringify(request.body) });

    expect(received.status).toBe(answer.status);
    if (answer.body !== undefined) expect(shapeOf(received.body)).toEqual(shapeOf(answer.body));
  });

  test('D1 and D3 answer with the very values of an account that holds them', async () => {
    const emulator = await start(small);
    for (const name of ['zoneIps.json', 'zoneIpsPerCountry.json', 'zoneRecentIps.json', 'zoneIpsMigrate.json']) {
      const { request, answer } = new Map(files).get(name) as SpecFile;
      const { query, headers } = filled({ query: request.query, headers: request.headers }, emulator);
      const url = `${emulator.apiUrl}${request.path}?${new URLSearchParams(query)}`;
      const received = await send(request.method, url, { headers, text: JSON.stringify(request.body) });
      expect(received.body, name).toEqual(answer.body);
    }
  });
});

/** Values for the placeholders of the files. */
function filled<Value>(value: Value, { keys }: Emulator): Value {
  const text = JSON.stringify(value)
    .replaceAll('{apiKey}', keys.admin)
    .replaceAll('{perCountrySwitch}', 'ip_per_country')
    .replaceAll('{perCountryValue}', 'true');
  return JSON.parse(text);
}

/** Keys and JSON types, recursively. Of a list the shapes of its entries, each once; an empty list says nothing of them. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return [...new Set(value.map((item) => JSON.stringify(shapeOf(item))))];
  if (value === null || typeof value !== 'object') return value === null ? 'null' : typeof value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, shapeOf(item)]));
}
