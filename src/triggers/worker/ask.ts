/** Asks what became of a run that the service accepted, and counts its rows as they come. */
import type { Client } from '../../service/client.ts';
import { ServiceError } from '../../service/errors.ts';
import type { Polled } from '../ledger/polling.ts';
import type { Run } from '../model.ts';

export async function ask(run: Run, client: Client, signal: AbortSignal): Promise<Polled> {
  const { collectionId, target } = run;
  if (collectionId === null) return { as: 'failed', text: 'it has no collection id' };
  try {
    return await (target.startsWith('gd_')
      ? askDataset(collectionId, client, signal)
      : askCollector(run, collectionId, client, signal));
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const isEnd = error.code === 'not-found' || error.code === 'job-failed';
    return { as: isEnd ? 'failed' : 'no-answer', text: error.message };
  }
}

async function askCollector(
  { triggeredAt }: Run,
  id: string,
  { collectors }: Client,
  signal: AbortSignal,
): Promise<Polled> {
  const result = await collectors.dataset(id, { signal, triggeredAt: new Date(triggeredAt ?? Date.now()) });
  if (result.state === 'building') return { as: 'building' };
  if (result.state === 'expired' || result.state === 'empty-or-expired') return { as: 'expired' };
  return { as: 'finished', rows: result.state === 'ready' ? await count(result.rows) : 0 };
}

/** Read as one object a line, whatever format was ordered: rows of that are the quickest to count. */
async function askDataset(id: string, { datasets }: Client, signal: AbortSignal): Promise<Polled> {
  const snapshot = await datasets.download(id, { format: 'ndjson', signal });
  return snapshot.state === 'ready' ? { as: 'finished', rows: await count(snapshot.rows) } : { as: 'building' };
}

async function count(rows: AsyncIterable<unknown>): Promise<number> {
  let total = 0;
  for await (const _ of rows) total += 1;
  return total;
}
