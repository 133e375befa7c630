/** Runs one case: the apply ends as the table says, its report is right, and a second run converges. */
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

/** One call at a time, so that a case can say what its faults leave undone. The model test sends several at a time. */
export const inSequence = ['--parallelism', '1'] as const;

/** Returns the requests of an apply without faults. */
export async function cleanApply(account: AccountName): Promise<readonly LoggedRequest[]> {
  await using harness = await declared(account, 1);
  const { code } = await harness.webdata('apply', '--yes', ...inSequence);
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
  const patient = ['--retries', '1', '--timeout', isSlow(row) ? '2' : '20'];
  const result = await harness.webdata('apply', '--yes', ...inSequence, ...patient);
  await untilIdle(harness);
  const requests = harness.emulator.requests();
  const calls = (await journalOf(harness))[0]?.calls ?? [];
  checkReport(result, calls, requests);
  checkPlaces(before, placesIn(harness), requests);
  checkMigrations(calls, requests, row.isUncertain);
  checkManagerCalls(calls, requests, row.isUncertain);
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

/** Checks that a move that the service claims to have made is sent again only with `--resend`. */
async function checkNotResent({ webdata, emulator }: Harness): Promise<void> {
  const before = stepsTaken(emulator.requests());
  const { code, stdout } = await webdata('apply', '--yes');
  assert.equal(code, 1);
  assert.match(stdout, /the service accepted the call .* but no listing shows it/);
  assert.equal(stepsTaken(emulator.requests()), before);
}

/** Checks that the next run, without the fault, does the rest and knows what the first one did, and that nothing is left to do. */
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

/** Returns the time for which effects are not visible. */
function lagOf({ faults }: FaultCase): number {
  return Math.max(0, ...faults.map(({ fault }) => (fault.kind === 'lag' && 'ms' in fault.lag ? fault.lag.ms : 0)));
}

/** Returns the wait for late effects. */
function patience({ name }: FaultCase): number {
  return name.endsWith('beyond the timeout') ? 5 : 1;
}

function isSlow({ faults }: FaultCase): boolean {
  return faults.some(({ fault }) => fault.kind === 'delay');
}

/** Returns the positions of the selected requests in an apply without faults. */
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

/** The write after which a route is read back. */
const writeBefore: Record<string, string> = {
  'zone/ips': 'zone/ips/migrate',
  'settings/get': 'settings/put',
  'settings/put': 'settings/put',
  recent_stats: 'proxies/delete',
  ports: 'proxies/delete',
};
