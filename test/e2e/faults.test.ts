/** Each fault on each call of an apply, on both accounts: it ends as the table says, tells the truth, and a second run converges. */
import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { LoggedRequest } from '../../src/emulator/index.ts';
import { type AccountName, type Harness, openHarness, serviceYaml } from '../cli/harness.ts';
import { declaration, type FaultCase, faultCases, type Which } from './faultCases.ts';
import {
  checkJournal,
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
    it.each(faultCases(account))('$route, $which: $name', async (row) => {
      await using harness = await declared(account, patience(row));
      const before = placesIn(harness);
      const occurrence = occurrenceOf(row.route, row.which, clean);
      for (const fault of row.faults) harness.emulator.addFault({ route: row.route, occurrence, fault });

      const result = await harness.webdata('apply', '--yes', '--retries', '1', '--timeout', isSlow(row) ? '1' : '20');
      await untilIdle(harness);
      const requests = harness.emulator.requests();
      const [run] = await journalOf(harness);
      checkReport(result, run?.calls ?? [], requests);
      checkPlaces(before, placesIn(harness), requests);
      checkJournal(run?.calls ?? [], requests, row);
      checkNothingAfterRefusal(requests);
      expect({ code: result.code, took: stepsTaken(requests) }).toEqual(
        row.end === 'absorbed' ? { code: 0, took: all } : { code: 1, took: row.end.took },
      );
      if (row.end !== 'absorbed') for (const words of row.says) expect(result.stdout + result.stderr).toMatch(words);

      await converges(harness);
    });
  });
});

/** The fault is over: the next run does the rest, knows what the first one did, and then there is nothing to do. */
async function converges(harness: Harness): Promise<void> {
  const { emulator, webdata } = harness;
  emulator.clearFaults();
  const second = await webdata('apply', '--yes');
  expect(second).toMatchObject({ code: 0, stderr: '' });
  const requests = emulator.requests();
  expect(stepsTaken(requests)).toBe(all);
  checkNoneMovedTwice(requests);
  const runs = await journalOf(harness);
  const calls = runs.flatMap((run) => run.calls);
  checkJournal(calls, requests, { untold: false });
  expect(await webdata('plan', '--detailed-exitcode')).toMatchObject({ code: 0 });
}

async function declared(account: AccountName, settleSeconds: number): Promise<Harness> {
  const harness = await openHarness(account);
  const service = serviceYaml(account).replace(/settleSeconds: \d+/, `settleSeconds: ${settleSeconds}`);
  await harness.write('webdata.yaml', service + declaration);
  return harness;
}

/** Long enough for what comes late, and else short. */
function patience({ name }: FaultCase): number {
  return name === 'delay beyond the time-out' ? 4 : 1;
}

function isSlow({ name }: FaultCase): boolean {
  return name.startsWith('delay');
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
  const before = its.filter(({ sequence }) => sequence <= (clean.find(writeBefore[route] ?? isWrite)?.sequence ?? 0));
  return Array.from({ length: 100 }, (_, index) => before.length + 1 + index);
}

const isWrite = ({ effect }: LoggedRequest): boolean => effect !== null;

/** After which write a route is read back. */
const writeBefore: Record<string, (request: LoggedRequest) => boolean> = {
  'zone/ips': (request) => request.route === 'zone/ips/migrate',
  recent_stats: (request) => request.route === 'proxies/delete',
  ports: (request) => request.route === 'proxies/delete',
};
