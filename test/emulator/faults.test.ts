import { describe, expect, test } from 'vitest';
import { ProblemError } from '../../src/base/diagnostics/problem.ts';
import type { Emulator, FaultInput } from '../../src/emulator/index.ts';
import { formatProblems } from '../../src/report/text/problems.ts';
import { get, listed, migrate, putSettings, send, start } from './helpers.ts';
import { running, shop, trigger } from './runs.ts';

const moveOne = (emulator: Emulator) => migrate(emulator, 'pricing', 'parked', ['192.0.2.20']);
const moveAll = (emulator: Emulator) =>
  migrate(emulator, 'pricing', 'parked', ['192.0.2.20', '192.0.2.21', '192.0.2.22']);

/** A trigger of a batch, and one of a dataset. */
const triggers = (emulator: Emulator) => [
  () => trigger(emulator, 'collector=c_none'),
  () =>
    send('POST', `${emulator.apiUrl}/datasets/v3/trigger?dataset_id=gd_many`, { key: emulator.keys.user, json: shop }),
];

async function startWith(fault: FaultInput['fault'], route = 'zone/ips/migrate'): Promise<Emulator> {
  const emulator = await start();
  emulator.addFault({ route, occurrence: 1, fault });
  return emulator;
}

describe('faults before the effect', () => {
  test('a status, with body and Retry-After', async () => {
    const emulator = await startWith({ kind: 'status', status: 503, body: { error: 'busy' }, retryAfter: 3 });
    const received = await moveOne(emulator);
    expect(received).toMatchObject({ status: 503, body: { error: 'busy' } });
    expect(received.headers.get('retry-after')).toBe('3');
    expect(emulator.ips('parked')).toEqual([]);
    expect((await moveOne(emulator)).status).toBe(200);
  });

  test.each([
    ['drop-before', 'UND_ERR_SOCKET'],
    ['reset-before', 'ECONNRESET'],
  ] as const)('a connection that is cut by %s, of each trigger: there is no run', async (kind, code) => {
    const emulator = await start(running);
    for (const route of ['dca/trigger', 'datasets/trigger']) emulator.addFault({ route, fault: { kind } });
    for (const call of triggers(emulator)) await expect(call()).rejects.toMatchObject({ cause: { code } });
    expect(emulator.runs()).toEqual([]);
    expect(emulator.requests().map(({ status }) => status)).toEqual(['dropped', 'dropped']);
  });

  test('an HTML page with status 200', async () => {
    const emulator = await startWith({ kind: 'html' });
    const received = await moveOne(emulator);
    expect(received.status).toBe(200);
    expect(received.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(received.text).toMatch(/^<!doctype html>/);
    expect(emulator.ips('parked')).toEqual([]);
  });
});

describe('faults after the effect', () => {
  test.each([
    ['drop-after', 'UND_ERR_SOCKET'],
    ['reset-after', 'ECONNRESET'],
  ] as const)('a connection that is cut by %s, of each trigger: the run is there', async (kind, code) => {
    const emulator = await start(running);
    for (const route of ['dca/trigger', 'datasets/trigger']) emulator.addFault({ route, fault: { kind } });
    for (const call of triggers(emulator)) await expect(call()).rejects.toMatchObject({ cause: { code } });
    expect(emulator.runs().map(({ of }) => of)).toEqual(['c_none', 'gd_many']);
  });

  test('a 503 to each trigger: the run exists, although no client got its ID', async () => {
    const emulator = await start(running);
    const fault = { kind: 'status', status: 503, when: 'after' } as const;
    for (const route of ['dca/trigger', 'datasets/trigger']) emulator.addFault({ route, occurrence: 1, fault });
    for (const call of triggers(emulator))
      expect(await call()).toMatchObject({ status: 503, text: 'Fault on demand: 503' });
    const [batch, snapshot] = emulator.runs();
    expect([batch?.of, snapshot?.of]).toEqual(['c_none', 'gd_many']);
    expect((await get(emulator, `/dca/dataset?id=${batch?.id}`)).status).toBe(200);
    expect((await get(emulator, `/datasets/snapshots/${snapshot?.id}/download`)).body).toHaveLength(3);
  });

  test('malformed JSON', async () => {
    const emulator = await startWith({ kind: 'malformed' });
    const received = await moveOne(emulator);
    expect(received).toMatchObject({ status: 200, body: undefined });
    expect(received.headers.get('content-type')).toMatch('application/json');
    expect(emulator.ips('parked')).toEqual(['192.0.2.20']);
  });
});

describe('faults of a migrate', () => {
  test('short-move moves only the first IPs and reports their number', async () => {
    const emulator = await startWith({ kind: 'short-move', moves: 2 });
    expect((await moveAll(emulator)).body).toMatchObject({ count: 2 });
    expect(emulator.ips('parked')).toEqual(['192.0.2.20', '192.0.2.21']);
  });

  test('short-report moves all IPs and reports fewer', async () => {
    const emulator = await startWith({ kind: 'short-report', count: 1 });
    expect((await moveAll(emulator)).body).toMatchObject({ count: 1 });
    expect(emulator.ips('parked')).toHaveLength(3);
  });

  test('lag hides only this move from listings', async () => {
    const emulator = await startWith({ kind: 'lag', lag: { listings: 1 } });
    await moveOne(emulator);
    expect(await listed(emulator, 'parked')).toEqual([]);
    expect(await listed(emulator, 'parked')).toEqual(['192.0.2.20']);
    await migrate(emulator, 'parked', 'pricing', ['192.0.2.20']);
    expect(await listed(emulator, 'parked')).toEqual([]);
  });
});

test('occurrences are counted per route from when the fault was added', async () => {
  const emulator = await start();
  const statuses = async (count: number) => {
    const seen = [];
    for (let call = 0; call < count; call++) seen.push((await get(emulator, '/zone/ips?zone=checkout')).status);
    return seen;
  };
  await statuses(2);
  emulator.addFault({ route: 'zone/ips', occurrence: 2, fault: { kind: 'status', status: 500 } });
  emulator.addFault({ route: 'zone/ips', occurrence: [3, 5], fault: { kind: 'status', status: 502 } });
  await get(emulator, '/zone/recent_ips?zones=*');
  expect(await statuses(6)).toEqual([200, 500, 502, 200, 502, 200]);
  emulator.addFault({ route: 'zone/ips', fault: { kind: 'status', status: 503 } });
  expect(await statuses(2)).toEqual([503, 503]);
  emulator.clearFaults();
  expect(await statuses(1)).toEqual([200]);
});

test('every route of both servers can fail', async () => {
  const emulator = await start(running);
  const { apiUrl, managerUrl, keys } = emulator;
  const runOf = (prefix: string) => emulator.runs().find(({ id }) => id.startsWith(prefix))?.id;
  const calls: Record<string, () => Promise<{ status: number }>> = {
    'zone/ips': () => get(emulator, '/zone/ips?zone=checkout'),
    'zone/recent_ips': () => get(emulator, '/zone/recent_ips?zones=*'),
    'zone/ips/migrate': () => moveOne(emulator),
    get_asn: () => send('GET', `${apiUrl}/api/checkout/get_asn`, { key: keys.user }),
    'settings/get': () => send('GET', `${managerUrl}/api/settings`),
    'settings/put': () => putSettings(emulator, {}),
    'proxies/delete': () => send('POST', `${managerUrl}/api/proxies/delete`, { json: { ports: [] } }),
    recent_stats: () => send('GET', `${managerUrl}/api/recent_stats`),
    'dca/trigger': () => trigger(emulator, 'collector=c_none'),
    'dca/dataset': async () => get(emulator, `/dca/dataset?id=${runOf('j_')}`),
    'datasets/trigger': async () => triggers(emulator)[1]?.() ?? { status: 0 },
    'datasets/download': async () => get(emulator, `/datasets/snapshots/${runOf('s_')}/download`),
  };
  for (const [route, call] of Object.entries(calls)) {
    emulator.addFault({ route, occurrence: 1, fault: { kind: 'status', status: 599 } });
    expect([route, (await call()).status, (await call()).status]).toEqual([route, 599, 200]);
  }
});

test('an impossible fault is refused with the allowed ones', async () => {
  const emulator = await start();
  const told = (fault: unknown): string => {
    try {
      emulator.addFault(fault as FaultInput);
    } catch (error) {
      if (error instanceof ProblemError) return formatProblems(error.problems);
    }
    return 'accepted';
  };
  expect(told({ route: 'zone/ip', fault: { kind: 'html' } })).toBe(
    'route: `route` is a string "zone/ip"\n  allowed: request, zone/ips, zone/recent_ips, zone/ips/migrate, get_asn, ' +
      'dca/trigger, dca/dataset, datasets/trigger, datasets/download, ' +
      'settings/get, settings/put, proxies/delete, recent_stats or any-call\n  fix: did you mean `zone/ips`?',
  );
  expect(told({ route: 'zone/ips', occurrence: 'once', fault: { kind: 'html' } })).toBe(
    'occurrence: `occurrence` is a string "once"\n  allowed: a number from 1, a list of them, or all',
  );
  expect(told({ route: 'zone/ips', fault: { kind: 'lag', lag: { ms: 5 } } })).toBe(
    'route: a lag of zone/ips\n  allowed: a lag of zone/ips/migrate\n' +
      '  fix: set `route` to zone/ips/migrate, or choose another kind of fault',
  );
});
