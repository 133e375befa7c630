/** Cancels the earlier jobs of a schedule of a dataset (`overlap: cancel`). The trigger of a collector does so by itself. */
import type { Client } from '../../client/client.ts';
import type { Claim } from '../ledger/claiming.ts';
import { earlierRuns, recordCancelled } from '../ledger/outcomes.ts';
import type { Database } from '../store/database.ts';

/** Returns the jobs that go on: the service has no route to cancel them, or refuses to. Their results are polled. */
export async function cancelEarlier(
  { run, spec }: Claim,
  { database, client }: { database: Database; client: Client },
): Promise<string[]> {
  if (spec.dataset === undefined || spec.overlap !== 'cancel') return [];
  const earlier = await earlierRuns(database, run.id);
  const isCancelled = await Promise.all(
    earlier.map(({ collection_id }) => client.datasets.cancel(collection_id).catch(() => false)),
  );
  const cancelled = earlier.filter((_, index) => isCancelled[index]);
  await database.transaction((queries) => recordCancelled(queries, cancelled, run.id));
  return earlier.filter((each) => !cancelled.includes(each)).map(({ collection_id }) => collection_id);
}
