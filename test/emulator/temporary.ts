/** Files that are gone when the test ends. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'emulator-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

export const temporaryFile = async (name: string): Promise<string> => join(await temporaryFolder(), name);
