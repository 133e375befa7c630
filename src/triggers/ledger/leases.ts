/** Leases of runs that a server prepares or sends: when one ends, another server decides what the run is. */
import { type Database, inParallel, type Queries } from '../store/database.ts';
import { ledgerNow } from './now.ts';
import { makeTransition, makeTransitions } from './transition.ts';

/** Longer than any request may take. */
export const leaseMs = 60_000;

/** Longer than a secret command may take. */
export const preparationLeaseMs = 20_000;

/** Ends the leases of servers that died or cannot reach the ledger: a run that may have been sent becomes unknown. */
export function expireLeases(database: Database): Promise<number> {
  return database.transaction(async (queries) => {
    const now = await ledgerNow(queries);
    const expired = await queries.query<{ id: string; preparing: number }>(
      `SELECT id, preparing FROM runs WHERE state = 'triggering' AND lease_until < ?
       ORDER BY lease_until LIMIT 500 ${database.dialect.skipLocked}`,
      [now],
    );
    const unsent = expired.filter(({ preparing }) => preparing === 1).map(({ id }) => id);
    await requeueUnprepared(queries, unsent, now);
    const sent = expired.filter(({ preparing }) => preparing !== 1);
    await makeTransitions(
      queries,
      sent.map(({ id }) => ({ run: id, from: ['triggering'], to: 'unknown', text: serverStopped, at: now })),
    );
    return expired.length;
  });
}

/** Returns runs to the queue: nothing was sent for them yet. */
async function requeueUnprepared(queries: Queries, ids: readonly string[], at: number): Promise<void> {
  const text = 'its server stopped while it prepared the request; nothing was sent';
  await inParallel(ids, async (run) => {
    const set = { preparing: 0, token: null, lease_until: null, not_before: at };
    const change = { run, from: ['triggering'], to: 'waiting', text, at, set } as const;
    if (await makeTransition(queries, change))
      await queries.query('UPDATE runs SET attempts = attempts - 1 WHERE id = ?', [run]);
  });
}

const serverStopped =
  'outcome unknown: it may have been accepted and billed. The server that sent it stopped before it recorded the answer';
