/** The state folder of a machine that a folder of a test stands for: tests use the same ports for many accounts. */
import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export function stateFolderOf(folder: string): { WEBDATA_STATE_FOLDER: string } {
  const name = createHash('sha256').update(folder).digest('hex').slice(0, 16);
  return { WEBDATA_STATE_FOLDER: join(tmpdir(), `webdata-state-${name}`) };
}
