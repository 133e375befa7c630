/** Each fault on each call of an apply, on both accounts: it ends as the table says, tells the truth, and a second run converges. */
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { faultCases } from '../../reliability/faults/steps/cases.ts';
import {
  checkMigrations,
  checkNothingAfterRefusal,
  checkPlaces,
  checkReport,
  journalOf,
  placesIn,
  stepsTaken,
} from '../../reliability/faults/steps/checks.ts';
import { checkConvergence, cleanApply, declared, inSequence, runCase } from '../../reliability/faults/steps/run.ts';
import type { LoggedRequest } from '../../src/emulator/index.ts';
import type { AccountName } from '../cli/harness.ts';

// More at a time would slow each other down until timeouts pass that are not faults.
vi.setConfig({ maxConcurrency: 12 });

describe.each<AccountName>(['plain', 'odd'])('on the %s account', (account) => {
  let clean: readonly LoggedRequest[];

  beforeAll(async () => {
    clean = await cleanApply(account);
  });

  describe.concurrent('ends as it should and converges in a second run', () => {
    it.each(faultCases(account).map((row) => [row.name, row] as const))('%s', (_name, row) => runCase(row, clean));
  });

  describe.concurrent('a key that may not do it', () => {
    it.each(keysOf(account))('$what: $says', async ({ what, says, fix }) => {
      await using harness = await declared(account, 1);
      const { emulator, webdataWith } = harness;
      const before = placesIn(harness);
      const keys = { ...emulator.keys, unknown: 'no-such-key', expired: emulator.keys.user };
      if (what === 'expired') emulator.expireKey('user');

      const env = { WEBDATA_API_KEY: keys[what] };
      const result = await webdataWith({ env }, 'apply', '--yes', ...inSequence);
      const requests = emulator.requests();
      const calls = (await journalOf(harness))[0]?.calls ?? [];
      expect({ code: result.code, took: stepsTaken(requests) }).toEqual({ code: 1, took: 'SP' });
      expect(result.stdout).toMatch(new RegExp(`was answered ${says}$`, 'm'));
      expect(result.stdout).toContain(`fix: ${fix}`);
      checkReport(result, calls, requests);
      checkPlaces(before, placesIn(harness), requests);
      checkMigrations(calls, requests, false);
      checkNothingAfterRefusal(requests);
      await checkConvergence(harness, true);
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
    expect(second.stdout).toContain('Apply failed: 1 of 1 call made; 1 setting changed; 1 problem, see above.');
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

const valid = 'Use a valid API key (WEBDATA_API_KEY); moving IPs requires one of an Admin or Ops user.';
const mayRead = 'Use the key of a user whose role may read zones; Admin and Ops may also change them.';
const mayMove = 'Use the key of a user with the Admin or Ops role.';

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
