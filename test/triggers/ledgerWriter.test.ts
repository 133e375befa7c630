/** Outcomes of billed triggers survive a store that is away: they are written together, again and again, until that is given up. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { recordOutcomes } from '../../src/triggers/ledger/outcomes.ts';
import type { Database } from '../../src/triggers/store/database.ts';
import { createLedgerWriter } from '../../src/triggers/worker/ledgerWriter.ts';
import { eventually } from '../eventually.ts';
import { accepted, type LedgerSetting, ledgerSetting } from './ledgerSetting.ts';

async function claimedOnes(count: number) {
  const folder = mkdtempSync(join(tmpdir(), 'wd-writer-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const setting = await ledgerSetting(async () => join(folder, 'store.db'), { onTestFinished });
  for (let index = 0; index < count; index += 1) {
    await setting.put(`s${index}`, { every: '1d' });
    await setting.registry.runNow('acme', `s${index}`);
  }
  return { ...setting, claims: await setting.claim() };
}

/** A store that fails as told, and counts its transactions. */
function failing({ database }: LedgerSetting, fails: { transactions?: number; queries?: boolean }) {
  const count = { transactions: 0 };
  const failingDatabase: Database = {
    ...database,
    query: (...query) => (fails.queries ? Promise.reject(new Error('the store is away')) : database.query(...query)),
    transaction(work) {
      count.transactions += 1;
      return count.transactions <= (fails.transactions ?? 0)
        ? Promise.reject(new Error('the store is away'))
        : database.transaction(work);
    },
  };
  return { database: failingDatabase, count };
}

function writerOn(
  database: Database,
  {
    expected = () => Number.POSITIVE_INFINITY,
    onFailure = () => undefined,
    givingUp = new AbortController().signal,
  }: Partial<Circumstances> = {},
) {
  return createLedgerWriter({ database, record: recordOutcomes, expected, onFailure, givingUp });
}

interface Circumstances {
  expected(): number;
  onFailure(error: unknown): void;
  givingUp: AbortSignal;
}

it('writes outcomes of the same moment in one commit', async () => {
  const setting = await claimedOnes(3);
  const { database, count } = failing(setting, {});
  const writer = writerOn(database);
  const states = await Promise.all(
    setting.claims.map((claim, index) =>
      writer.write({ claim, outcome: index === 1 ? { status: 'refused', text: 'no' } : accepted(`j_${index}`) }),
    ),
  );
  expect(states).toEqual(['running', 'failed', 'running']);
  expect(count.transactions).toBe(1);
});

it('waits for half of the outcomes that are expected, but not long', async () => {
  const setting = await claimedOnes(7);
  const { database, count } = failing(setting, {});
  const writer = writerOn(database, { expected: () => 6 });
  const write = (some: typeof setting.claims) =>
    Promise.all(some.map((claim) => writer.write({ claim, outcome: accepted(`j_${claim.run.id}`) })));
  await write(setting.claims.slice(0, 3));
  expect(count.transactions).toBe(1);
  const first = write(setting.claims.slice(3, 4));
  await Promise.all([first, write(setting.claims.slice(4, 6))]);
  expect(count.transactions).toBe(2);
  expect(await write(setting.claims.slice(6))).toEqual(['running']);
  expect(count.transactions).toBe(3);
});

it('writes an outcome that comes later, after all others are written', async () => {
  const setting = await claimedOnes(2);
  const { database, count } = failing(setting, {});
  const writer = writerOn(database);
  for (const claim of setting.claims)
    expect(await writer.write({ claim, outcome: accepted(`j_${claim.run.id}`) })).toBe('running');
  expect(count.transactions).toBe(2);
});

it('tries again each second while the store is away, all outcomes at once, and reports each failure', async () => {
  const setting = await claimedOnes(2);
  const { database, count } = failing(setting, { transactions: 2, queries: true });
  const failures: unknown[] = [];
  const writer = writerOn(database, { onFailure: (error) => void failures.push(error) });
  const began = performance.now();
  const written = setting.claims.map((claim) => writer.write({ claim, outcome: accepted(`j_${claim.run.id}`) }));
  expect(await Promise.all(written)).toEqual(['running', 'running']);
  expect(performance.now() - began).toBeGreaterThan(1900);
  expect({ count: count.transactions, failures: failures.map(String) }).toEqual({
    count: 3,
    failures: ['Error: the store is away', 'Error: the store is away'],
  });
});

it('writes each outcome alone if the store answers, but refuses them together', async () => {
  const setting = await claimedOnes(2);
  const { database, count } = failing(setting, { transactions: 1 });
  const writer = writerOn(database);
  const written = setting.claims.map((claim) => writer.write({ claim, outcome: accepted(`j_${claim.run.id}`) }));
  expect(await Promise.all(written)).toEqual(['running', 'running']);
  expect(count.transactions).toBe(3);
});

it('gives up without delay when told to, and can be used again', async () => {
  const setting = await claimedOnes(2);
  const givingUp = new AbortController();
  const { database } = failing(setting, { transactions: 1, queries: true });
  const failed = vi.fn();
  const writer = writerOn(database, { onFailure: failed, givingUp: givingUp.signal });
  const [first, second] = setting.claims;
  if (first === undefined || second === undefined) throw new Error('nothing waits');
  const written = writer.write({ claim: first, outcome: accepted('j_1') });
  await eventually(() => expect(failed).toHaveBeenCalledTimes(1));
  await new Promise((done) => setTimeout(done, 20));
  givingUp.abort();
  // The last attempt succeeds: the store is back.
  expect(await written).toBe('running');
  expect(await writer.write({ claim: second, outcome: accepted('j_2') })).toBe('running');
});

it('returns no state for an outcome that was never written', async () => {
  const setting = await claimedOnes(1);
  const { database, count } = failing(setting, { transactions: 100, queries: true });
  const writer = writerOn(database, { givingUp: AbortSignal.abort() });
  const [claim] = setting.claims;
  if (claim === undefined) throw new Error('nothing waits');
  expect(await writer.write({ claim, outcome: accepted('j_1') })).toBeUndefined();
  expect(count.transactions).toBe(1);
});
