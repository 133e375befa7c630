/** Keeps deliveries in a folder: written under a temporary name on the same disk, synced, renamed, and the folders synced. */
import { access, constants, mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import pLimit from 'p-limit';
import { makeFolder } from '../base/files/folders.ts';
import { removeStale } from '../base/files/ownFiles.ts';
import type { DeliveryStore } from './destination.ts';
import { probePieces } from './probe.ts';
import { openRecord, recordName } from './record.ts';
import { orExisting, orNoFile, type Spooled, spool } from './spool.ts';

/** Creates the folder if it is missing, and removes what a crash left in it. */
export async function openFolder(folder: string): Promise<DeliveryStore> {
  // Names of deliveries are never hidden.
  const spoolFolder = join(folder, '.receiving');
  await makeFolder(spoolFolder);
  await removeStale(spoolFolder);
  await rm(join(folder, probeName), { force: true });
  const oneByOne = pLimit(1);
  const record = openRecord(join(folder, recordName));
  return {
    name: `folder ${folder}`,
    spoolFolder,
    // One at a time, so that of two identical deliveries exactly one is the first.
    keep: (spooled, name, about) =>
      oneByOne(async () => place(spooled, folder, name, await record.has(name.join('/'), about))),
    read: async (name) => (await open(join(folder, ...name)).catch(orNoFile))?.createReadStream(),
    record: record.add,
    async probe() {
      const { file } = await spool(probePieces(), spoolFolder);
      const renamed = join(folder, probeName);
      // The name that it has in the end is removed.
      await rename(file, renamed).finally(() => Promise.all([file, renamed].map((each) => rm(each, { force: true }))));
      // The record exists once there was a delivery.
      await access(join(folder, recordName), constants.W_OK).catch(orNoFile);
    },
    close: async () => undefined,
  };
}

/** Hidden, unlike every delivery. */
const probeName = '.probe';

async function place(
  spooled: Spooled,
  folder: string,
  name: readonly string[],
  isRecorded: boolean,
): Promise<{ again: boolean }> {
  const file = join(folder, ...name);
  // Not the folder itself, which may be gone for a remount.
  for (let depth = 1; depth < name.length; depth += 1)
    await mkdir(join(folder, ...name.slice(0, depth))).catch(orExisting);
  const size = (await stat(file).catch(orNoFile))?.size;
  const again = size === spooled.bytes || (isRecorded && size === undefined);
  await (again ? rm(spooled.file) : rename(spooled.file, file));
  // Also syncs files that already existed, because an earlier process may have ended between renaming and syncing.
  for (let depth = name.length - 1; depth >= 0; depth -= 1) await syncFolder(join(folder, ...name.slice(0, depth)));
  return { again };
}

/** Makes new names in a folder durable. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
