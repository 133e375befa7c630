/** Finds out whether the store can be written: one that can only be read answers every question, and fires nothing. */
import { randomBytes } from 'node:crypto';
import type { Database } from '../store/database.ts';
import { ledgerNow } from './now.ts';
import { insertRuns } from './ticking.ts';

/** Larger than a free rest of a page, so that a full disk has no room for it. Random, because PostgreSQL compresses. */
const rowBytes = 5000;

/** Writes as a tick does, and leaves nothing behind. @throws StoreOutage */
export async function probeStore(database: Database): Promise<void> {
  const id = `probe_${randomBytes(10).toString('hex')}`;
  await database.transaction(async (queries) => {
    const at = await ledgerNow(queries);
    const schedule = { id, owner: '', name: '', target: '', late_after: 0, overlap: 'allow' } as const;
    const text = randomBytes(rowBytes).toString('base64');
    const [run = ''] = await insertRuns(queries, [
      { schedule, tickAt: at, origin: 'tick', state: 'skipped', text, at },
    ]);
    await queries.query('DELETE FROM events WHERE run_id = ?', [run]);
    await queries.query('DELETE FROM runs WHERE id = ?', [run]);
  });
}
