/** Runs one case of the steps of an apply: it ends as the table says, tells the truth, and a second run converges. */
import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import type { LoggedRequest } from '../../../src/emulator/index.ts';
import { type AccountName, type Harness, openHarness, serviceYaml } from '../../../test/cli/harness.ts';
import { declaration, type FaultCase, type Which } from './cases.ts';
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
} from './checks.ts';

const all = 'ABCSP';

/** The requests of an apply in which nothing goes wrong. */
export async function cleanApply(account: AccountName): Promise<readonly LoggedRequest[]> {
  await using harness = await declared(account, 1);
  const { code } = await harness.webdata('apply', '--yes');
  assert.equal(code, 0);
  return harness.emulator.requests();
}

/** @throws AssertionError */
export async function runCase(row: FaultCase, clean: readonly LoggedRequest[]): Promise<void> {
  await using harness = await declared(row.account, patience(row));
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
  assert.deepEqual(
    { code: result.code, took: stepsTaken(requests) },
    row.end === 'absorbed' ? { code: 0, took: all } : { code: 1, took: row.end.took },
  );
  if (row.end !== 'absorbed') for (const words of row.says) assert.match(result.stdout + result.stderr, words);
  await setTimeout(lagOf(row));
  if (row.unseen) await checkNotResent(harness);
  await checkConvergence(harness, calls.length > 0, row.unseen ? ['--resend'] : []);
}

/** A move that the service claims to have made is sent again only when a person says so. */
async function checkNotResent({ webdata, emulator }: Harness): Promise<void> {
  const before = stepsTaken(emulator.requests());
  const { code, stdout } = await webdata('apply', '--yes');
  assert.equal(code, 1);
  assert.match(stdout, /the service accepted the call .* but no listing shows it/);
  assert.equal(stepsTaken(emulator.requests()), before);
}

/** The fault is over: the next run does the rest, knows what the first one did, and then there is nothing to do. */
export async function checkConvergence(
  harness: Harness,
  isSecond: boolean,
  more: readonly string[] = [],
): Promise<void> {
  const { emulator, webdata } = harness;
  const first = emulator.requests();
  emulator.clearFaults();
  emulator.clearRequests();
  const { code, stderr } = await webdata('apply', '--yes', ...more);
  assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
  const second = emulator.requests();
  assert.equal(stepsTaken([...first, ...second]), all);
  checkNoneMovedTwice([...first, ...second]);
  const runs = await journalOf(harness);
  const [before, after] = isSecond ? runs : [undefined, ...runs];
  checkMigrations(before?.calls ?? [], first, false);
  checkMigrations(after?.calls ?? [], second, false);
  checkManagerCalls(after?.calls ?? [], second, false);
  assert.equal((await webdata('plan', '--detailed-exitcode')).code, 0);
}

export async function declared(account: AccountName, settleSeconds: number): Promise<Harness> {
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
