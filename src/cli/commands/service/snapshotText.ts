/** Reads the content of a snapshot in pieces, for `webdata snapshot` and `webdata collect`. */

import type { NotReady, SnapshotFormat } from '../../../service/areas/jobs/datasets.ts';
import type { Client } from '../../../service/client.ts';
import { parseExact } from '../../../yaml/exactNumbers.ts';
import { type WaitFlags, withPolling } from '../../execution/waiting.ts';
import type { Io } from '../../output/io.ts';
import { rowsText } from '../../output/listOutput.ts';

export interface SnapshotWaiting extends WaitFlags {
  format: SnapshotFormat;
  /** Whether to wait for a snapshot that is not ready. */
  wait: boolean;
  triggeredAt?: Date | undefined;
}

/** Returns the pieces, or that the snapshot is not ready. CSV is as the service writes it, to the byte. @throws ServiceError */
export async function snapshotText(
  { datasets }: Client,
  id: string,
  { format, wait, triggeredAt, ...waiting }: SnapshotWaiting,
  io: Io,
): Promise<AsyncIterable<string | Uint8Array> | NotReady> {
  const read = <Format extends SnapshotFormat>(as: Format) =>
    wait
      ? withPolling(waiting, io, (options) =>
          datasets.wait(id, { format: as, triggeredAt, parseRow: parseExact, ...options }),
        )
      : datasets.download(id, { format: as, parseRow: parseExact });
  if (format === 'csv') {
    const answer = await read(format);
    return answer.state === 'not-ready' ? answer : answer.bytes;
  }
  const answer = await read(format);
  return answer.state === 'not-ready' ? answer : rowsText(answer.rows, format);
}
