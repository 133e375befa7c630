/** Leases of runs that a server sends: when one ends, the run may have been sent. */
import type { Database } from '../store/database.ts';
import { makeDue } from './transition.ts';

/** Longer than a secret command and a request may take. */
export const leaseMs = 60_000;

/**
 * Ends the leases of servers that died or cannot reach the ledger. Not those of runs that this server sends itself: after it was suspended, their
 * answers are still to be read.
 */
export async function expireLeases(database: Database, own: ReadonlySet<string> = new Set()): Promise<number> {
  const where = `state = 'triggering' AND lease_until < ?`;
  const change = { from: ['triggering'], to: 'unknown', text: serverStopped } as const;
  return (await makeDue(database, { where, order: 'lease_until', ...change }, own)).length;
}

const serverStopped =
  'outcome unknown: it may have been accepted and billed. The server that sent it stopped before it recorded the answer';
