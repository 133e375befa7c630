/** The content of a snapshot, in pieces: what `webdata snapshot` and `webdata collect` share. */
import { parseExact } from '../input/exactNumbers.ts';
import type { Client } from '../service/client.ts';
import type { SnapshotFormat } from '../service/datasets.ts';
import type { Io } from './io.ts';
import { rowsText } from './listOutput.ts';
import { withPolling } from './waiting.ts';

export interface SnapshotWaiting {
  format: SnapshotFormat;
  /** Whether to wait for one that is not ready. */
  wait: boolean;
  /** Seconds between two looks. */
  poll: number;
}

/** Undefined where it is not ready. CSV is as the service writes it, to the byte. @throws ServiceError */
export async function snapshotText(
  { datasets }: Client,
  id: string,
  { format, wait, poll }: SnapshotWaiting,
  io: Io,
): Promise<AsyncIterable<string | Uint8Array> | undefined> {
  const read = <Format extends SnapshotFormat>(as: Format) =>
    wait
      ? withPolling(poll, io, (options) => datasets.wait(id, { format: as, parseRow: parseExact, ...options }))
      : datasets.download(id, { format: as, parseRow: parseExact });
  if (format === 'csv') {
    const answer = await read(format);
    return answer.state === 'not-ready' ? undefined : answer.bytes;
  }
  const answer = await read(format);
  return answer.state === 'not-ready' ? undefined : rowsText(answer.rows, format);
}
