/** Each fault on each call of an apply, on both accounts: it ends as the table says, tells the truth, and a second run converges. */
import { setTimeout } from 'node:timers/promises';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { LoggedRequest } from '../../src/emulator/index.ts';
import { type AccountName, type Harness, openHarness, serviceYaml } from '../cli/harness.ts';
import { declaration, type FaultCase, faultCases, type Which } from './faultCases.ts';
import {
  checkManagerCalls,
  checkMigrations,
  checkNoneMovedTwice,
  checkNothingAfterRefusal,
  checkPlaces,
  checkReport,
  journalOf,
  placesIn,
  stepsTaken,
  untilIdle,
} from './faultChecks.ts';

vi.setConfig({ maxConcurrency: 24, testTimeout: 60_000 });

const all = 'ABCSP';

describe.each<AccountName>(['plain', 'odd'])('on the %s account', (account) => {
  let clean: readonly LoggedRequest[];

  beforeAll(async () => {
    await using harness = await declared(account, 1);
    expect(await harness.webdata('apply', '--yes')).toMatchObject({ code: 0 });
    clean = harness.emulator.requests();
  });

  describe.concurrent('ends as it should and converges in a second run', () => {
    it.each(faultCases(account).map((row) => [row.name, row] as const))('%s', async (_name, row) => {
      await using harness = await declared(account, patience(row));
      const before = placesIn(harness);
      for (const { route, which, fault } of row.faults) {
        harness.emulator.addFault({ route, occurrence: occurrenceOf(route, which, clean), fault });
      }

      const result = await harness.webdata('apply', '--yes', '--retries', '1', '--timeout', isSlow(row) ? '2' : '20');
      await untilIdle(harness);
      const requests = harness.emulator.requests();
      const calls = (await journalOf(harness))[0]?.calls ?? [];
      checkReport(result, calls, requests);
      checkPlaces(before, placesIn(harness), requests);
      checkMigrations(calls, requests, row.untold);
      checkManagerCalls(calls, requests, row.untold);
      checkNothingAfterRefusal(requests);
      expect({ code: result.code, took: stepsTaken(requests) }).toEqual(
        row.end === 'absorbed' ? { code: 0, took: all } : { code: 1, took: row.end.took },
      );
      if (row.end !== 'absorbed') for (const words of row.says) expect(result.stdout + result.stderr).toMatch(words);

      await setTimeout(lagOf(row));
      await expectToConverge(harness, calls.length > 0);
    });
  });

  describe.concurrent('a key that may not do it', () => {
    it.each(keysOf(account))('$what: $says', async ({ what, says, fix }) => {
      await using harness = await declared(account, 1);
      const { emulator, webdataWith } = harness;
      const before = placesIn(harness);
      const keys = { ...emulator.keys, unknown: 'no-such-key', expired: emulator.keys.user };
      if (what === 'expired') emulator.expireKey('user');

      const result = await webdataWith({ env: { WEBDATA_API_KEY: keys[what] } }, 'apply', '--yes');
      const requests = emulator.requests();
      const calls = (await journalOf(harness))[0]?.calls ?? [];
      expect({ code: result.code, took: stepsTaken(requests) }).toEqual({ code: 1, took: 'SP' });
      expect(result.stdout).toMatch(new RegExp(`was answered ${says}$`, 'm'));
      expect(result.stdout).toContain(`fix: ${fix}`);
      checkReport(result, calls, requests);
      checkPlaces(before, placesIn(harness), requests);
      checkMigrations(calls, requests, false);
      checkNothingAfterRefusal(requests);
      await expectToConverge(harness, true);
    });
  });

  it('goes on with the manager where what became of an earlier call can not be found out', async () => {
    await using harness = await declared(account, 1);
    const { emulator, webdata } = harness;
    emulator.addFault({ route: 'zone/ips/migrate', fault: { kind: 'drop-before' } });
    expect(await webdata('apply', '--yes')).toMatchObject({ code: 1 });
    emulator.clearFaults();
    emulator.setSettings({ logs: 7 });
    emulator.addFault({ route: 'zone/ips', fault: { kind: 'status', status: 500 } });
    const second = await webdata('apply', '--yes', '--retries', '0');
    expect(second.code).toBe(1);
    expect(second.stdout).toContain('Apply failed: 1 of 1 call made; 1 setting changed; 2 problems, see above.');
    expect(emulator.settings().logs).toBe(500);
    emulator.clearFaults();
    expect(await webdata('apply', '--yes')).toMatchObject({ code: 0 });
    expect(await webdata('plan', '--detailed-exitcode')).toMatchObject({ code: 0 });
  });
});

interface Key {
  what: 'unknown' | 'expired' | 'finance' | 'limit' | 'user';
  says: string;
  fix: string;
}

const valid = 'Use a valid API key (WEBDATA_API_KEY); to move IPs, that of an Admin or Ops user.';
const mayRead = "The key's user needs a role that may read zones; Admin or Ops may also change them.";
const mayMove = "The key's user needs the Admin or Ops role.";

/** Who may read differs between the accounts; who may migrate does not (specification, D3). */
function keysOf(account: AccountName): Key[] {
  if (account === 'plain')
    return [
      { what: 'unknown', says: '401: Authentication failed: the API key is not valid', fix: valid },
      { what: 'expired', says: '401: Authentication failed: the API key has expired', fix: valid },
      { what: 'finance', says: '403: Permission denied: .*', fix: mayRead },
      { what: 'limit', says: '403: Permission denied: .*', fix: mayMove },
      { what: 'user', says: '403: Permission denied: .*', fix: mayMove },
    ];
  return [
    { what: 'unknown', says: '401: unknown credentials', fix: valid },
    { what: 'expired', says: '401: credentials are past their date', fix: valid },
    { what: 'finance', says: '403: .*', fix: mayRead },
    { what: 'limit', says: '403: .*', fix: mayRead },
    { what: 'user', says: '403: .*', fix: mayMove },
  ];
}

/** The fault is over: the next run does the rest, knows what the first one did, and then there is nothing to do. */
async function expectToConverge({ emulator, webdata, ...harness }: Harness, isSecond: boolean): Promise<void> {
  const first = emulator.requests();
  emulator.clearFaults();
  emulator.clearRequests();
  expect(await webdata('apply', '--yes')).toMatchObject({ code: 0, stderr: '' });
  const second = emulator.requests();
  expect(stepsTaken([...first, ...second])).toBe(all);
  checkNoneMovedTwice([...first, ...second]);
  const runs = await journalOf({ ...harness, emulator, webdata });
  const [before, after] = isSecond ? runs : [undefined, ...runs];
  checkMigrations(before?.calls ?? [], first, false);
  checkMigrations(after?.calls ?? [], second, false);
  checkManagerCalls(after?.calls ?? [], second, false);
  expect(await webdata('plan', '--detailed-exitcode')).toMatchObject({ code: 0 });
}

async function declared(account: AccountName, settleSeconds: number): Promise<Harness> {
  const harness = await openHarness(account);
  const service = serviceYaml(account).replace(/settleSeconds: \d+/, `settleSeconds: ${settleSeconds}`);
  await harness.write('webdata.yaml', service + declaration);
  return harness;
}

/** How long what is done can't be seen. */
function lagOf({ faults }: FaultCase): number {
  return Math.max(0, ...faults.map(({ fault }) => (fault.kind === 'lag' && 'ms' in fault.lag ? fault.lag.ms : 0)));
}

/** Long enough for what comes late, and else short. */
function patience({ name }: FaultCase): number {
  return name.endsWith('beyond the time-out') ? 5 : 1;
}

function isSlow({ faults }: FaultCase): boolean {
  return faults.some(({ fault }) => fault.kind === 'delay');
}

/** Where the requests in question stand among those of an apply in which nothing goes wrong. */
function occurrenceOf(route: string, which: Which, clean: readonly LoggedRequest[]): number | number[] | 'all' {
  if (which === 'first') return 1;
  if (which === 'all') return 'all';
  const its = clean.filter((request) => request.route === route);
  if (which !== 'read-back') {
    const writes = [...its.keys()].filter((index) => its[index]?.effect);
    return (writes[Number(which.slice('write '.length)) - 1] ?? Number.NaN) + 1;
  }
  const write = clean.find((request) => request.route === writeBefore[route] && request.effect !== null);
  const before = its.filter(({ sequence }) => sequence <= (write?.sequence ?? 0));
  return Array.from({ length: 100 }, (_, index) => before.length + 1 + index);
}

/** After which write a route is read back. */
const writeBefore: Record<string, string> = {
  'zone/ips': 'zone/ips/migrate',
  'settings/get': 'settings/put',
  'settings/put': 'settings/put',
  recent_stats: 'proxies/delete',
  ports: 'proxies/delete',
};
