/** The rows that statements of the ledger read while thousands of runs change, which the statistics of PostgreSQL do not know of. */
import { expect, it } from 'vitest';
import { claimWaiting } from '../../../src/triggers/ledger/claiming.ts';
import { expireLeases } from '../../../src/triggers/ledger/leases.ts';
import { recordOutcomes } from '../../../src/triggers/ledger/outcomes.ts';
import { flagLate, pendingWork } from '../../../src/triggers/ledger/pending.ts';
import { claimPolls, recordPolls } from '../../../src/triggers/ledger/polling.ts';
import { tickDue } from '../../../src/triggers/ledger/ticking.ts';
import type { Database, Queries } from '../../../src/triggers/store/database.ts';
import { accepted, ledgerSetting } from '../../triggers/ledgerSetting.ts';
import { describeStores } from '../../triggers/stores.ts';

const many = 5000;

describeStores(
  'a ledger of many active runs',
  (newStore) => {
    it('is read by indexes only, a part at a time', async (end) => {
      const { put, database, registry } = await ledgerSetting(newStore, end);
      await put('often', { overlap: 'allow' });
      await database.query('ALTER TABLE runs SET (autovacuum_enabled = off)');
      await database.query('ALTER TABLE schedules SET (autovacuum_enabled = off)');
      await registry.runNow('acme', 'often');
      await database.query('ANALYZE');
      const read = (work: (within: Database) => Promise<unknown>) => rowsRead(database, work);
      // PostgreSQL keeps the plan of a statement that it has run six times, although the ledger grows.
      for (let times = 0; times < 7; times += 1) {
        await read(pendingWork);
        await registry.runNow('acme', 'often');
        const [claim] = await claimWaiting(database, 1, {});
        if (claim === undefined) throw new Error('no run waits');
        await recordOutcomes(database, [{ claim, outcome: accepted(`j_${times}`) }]);
      }
      await fill(database);

      expect(await read(tickDue)).toBeLessThan(1000);
      // It may read all waiting runs in search of a late one.
      expect(await read(pendingWork)).toBeLessThan(many + 20);
      const claims = await claimWaiting(database, 10, {});
      expect(claims).toHaveLength(10);
      expect(await read((within) => claimWaiting(within, 10, {}))).toBeLessThan(200);
      const outcomes = claims.map((claim) => ({ claim, outcome: accepted(`j_${claim.run.id}`) }));
      expect(await read((within) => recordOutcomes(within, outcomes))).toBeLessThan(100);
      const [polled] = await claimPolls(database, 8);
      if (polled === undefined) throw new Error('no run is polled');
      expect(await read((within) => claimPolls(within, 8))).toBeLessThan(100);
      expect(
        await read((within) => recordPolls(within, [{ run: polled, answer: { status: 'finished', rows: 1 } }])),
      ).toBeLessThan(20);
      expect(
        await read((within) => recordPolls(within, [{ run: polled, answer: { status: 'building' } }])),
      ).toBeLessThan(20);
      expect(await read(expireLeases)).toBeLessThan(20);
      expect(await read(flagLate)).toBeLessThan(many + 20);
    });
  },
  ['PostgreSQL'],
);

/** Returns the number of rows that the work, in one transaction, reads from the tables of the ledger. */
function rowsRead(database: Database, work: (within: Database) => Promise<unknown>): Promise<number> {
  return database.transaction(async (queries) => {
    // Includes earlier transactions of the connection.
    const before = await rowsReadSoFar(queries);
    await work({ ...database, ...queries, transaction: (inner) => inner(queries) });
    return (await rowsReadSoFar(queries)) - before;
  });
}

async function rowsReadSoFar(queries: Queries): Promise<number> {
  const [row] = await queries.query<{ read: number }>(
    `SELECT CAST(SUM(COALESCE(seq_tup_read, 0) + COALESCE(idx_tup_fetch, 0)) AS BIGINT) AS read
     FROM pg_stat_xact_user_tables WHERE relname IN ('runs', 'schedules')`,
  );
  return row?.read ?? 0;
}

/** Adds schedules that are due, each with a waiting and a running run. */
async function fill(database: Database): Promise<void> {
  const numbers = `generate_series(1, ${many}) AS number`;
  await database.query(
    `INSERT INTO schedules (id, owner, name, target, spec, brief, delivery, overlap, late_after, paused, changed_at, since_at, cursor_at, next_at)
     SELECT 'h' || number, owner, name || number, target, spec, brief, delivery, 'allow', late_after, 0, changed_at, since_at, cursor_at, cursor_at
     FROM schedules, ${numbers}`,
  );
  for (const [state, ago] of [
    ['waiting', 1],
    ['running', 2],
  ] as const) {
    await database.query(
      `INSERT INTO runs (id, schedule_id, owner, schedule, target, tick_at, origin, state, exclusive, attempts, not_before, poll_at, late_after, late)
       SELECT '${state}' || number, 'h' || number, owner, schedule || number, target, tick_at - ${ago}, 'tick', '${state}', 0, 0, not_before, not_before, late_after, 0
       FROM (SELECT * FROM runs WHERE origin = 'hand' LIMIT 1) AS one, ${numbers}`,
    );
  }
}
