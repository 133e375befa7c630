/** Leases of runs that a server sends: when one ends, the run may have been sent. */
import type { Database } from '../store/database.ts';
import { ledgerNow } from './now.ts';
import { makeTransitions } from './transition.ts';

/** Longer than a secret command and a request may take. */
export const leaseMs = 60_000;

/**
 * Ends the leases of servers that died or cannot reach the ledger. Not those of runs that this server sends itself: after it was suspended, their
 * answers are still to be read.
 */
export function expireLeases(database: Database, own: ReadonlySet<string> = new Set()): Promise<number> {
  return database.transaction(async (queries) => {
    const at = await ledgerNow(queries);
    const expired = await queries.query<{ id: string }>(
      `SELECT id FROM runs WHERE state = 'triggering' AND lease_until < ?
       ORDER BY lease_until LIMIT 500 ${database.dialect.skipLocked}`,
      [at],
    );
    const ofOthers = expired.filter(({ id }) => !own.has(id));
    await makeTransitions(
      queries,
      ofOthers.map(({ id }) => ({ run: id, from: ['triggering'], to: 'unknown', text: serverStopped, at })),
    );
    return ofOthers.length;
  });
}

const serverStopped =
  'outcome unknown: it may have been accepted and billed. The server that sent it stopped before it recorded the answer';
