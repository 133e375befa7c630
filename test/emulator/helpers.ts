import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { type AccountInput, type Emulator, type EmulatorOptions, startEmulator } from '../../src/emulator/index.ts';

/** Two IPs in checkout, as in `test/spec/zoneIps.json`, and a few more. */
export const small: AccountInput = {
  id: 'hl_example',
  zones: {
    checkout: {
      password: 'checkout-password',
      ips: [
        { ip: '192.0.2.10', countries: ['us', 'us', 'us', 'ca'] },
        { ip: '192.0.2.11', country: 'de' },
      ],
      recentIps: ['203.0.113.5', '203.0.113.6'],
    },
    pricing: { ips: { us: ['192.0.2.20-192.0.2.22'] }, recentIps: [] },
    parked: {},
  },
  asns: [
    { asn: '64500', title: 'Example Networks' },
    { asn: '64501', title: 'Sample Hosting' },
  ],
  partnerName: 'example_partner',
  manager: { settings: { password: 'manager-password' }, ports: [24000, 24001, 24002] },
};

export const exampleFile = (name: string): string =>
  fileURLToPath(new URL(`../../examples/accounts/${name}.yaml`, import.meta.url));

/** An emulator that is closed when the test ends. */
export async function start(account: AccountInput = small, options?: EmulatorOptions): Promise<Emulator> {
  const emulator = await startEmulator(account, options);
  onTestFinished(() => emulator.close());
  return emulator;
}

export interface Received {
  status: number;
  headers: Headers;
  text: string;
  /** The parsed body, or undefined if it is not JSON. */
  body: unknown;
}

/** A raw client: one request, as it is said, with the headers that are given. */
export async function send(
  method: string,
  url: string,
  {
    key,
    json,
    text,
    headers = {},
  }: { key?: string; json?: unknown; text?: string; headers?: Record<string, string> } = {},
): Promise<Received> {
  const body = json === undefined ? text : JSON.stringify(json);
  const response = await fetch(url, {
    method,
    headers: {
      ...(key && { authorization: `Bearer ${key}` }),
      ...(json !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body }),
  });
  const received = await response.text();
  return { status: response.status, headers: response.headers, text: received, body: parse(received) };
}

export const get = (emulator: Emulator, path: string, key = emulator.keys.admin): Promise<Received> =>
  send('GET', `${emulator.apiUrl}${path}`, { key });

export const migrate = (
  emulator: Emulator,
  from: string,
  to: string,
  ips: readonly string[],
  key = emulator.keys.ops,
): Promise<Received> => send('POST', `${emulator.apiUrl}/zone/ips/migrate`, { key, json: { from, to, ips } });

export const putSettings = (emulator: Emulator, json: unknown): Promise<Received> =>
  send('PUT', `${emulator.managerUrl}/api/settings`, { json });

/** The addresses that a listing of a zone shows. */
export async function listed(emulator: Emulator, zone: string): Promise<string[]> {
  const { body } = await get(emulator, `/zone/ips?zone=${zone}`);
  return (body as { ips: { ip: string }[] }).ips.map(({ ip }) => ip);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
