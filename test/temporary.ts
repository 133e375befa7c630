/** Folders and files that are gone when the test ends. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'webdata-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Returns the path of a file that does not exist yet. */
export function temporaryFile(name: string): string {
  return join(temporaryFolder(), name);
}
