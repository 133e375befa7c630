/** One PostgreSQL cluster for a whole test run: the first test file that needs it starts it, the end of the run stops it. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestProject } from 'vitest/node';
import { newPostgresFolder, postgresUrl, removePostgres, startPostgres } from './postgres.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    postgresFolder: string;
  }
}

/** Runs once, before all test files; vitest calls what it returns after them. */
export function setup(project: TestProject): () => Promise<void> {
  const folder = newPostgresFolder();
  project.provide('postgresFolder', folder);
  return () => removePostgres(folder);
}

/** Returns the address of the cluster in this folder once it accepts connections. Test files run in processes of their own. */
export async function sharedPostgres(folder: string): Promise<string> {
  const ready = join(folder, 'ready');
  if (isFirst(folder)) {
    // A test cluster need not survive a power cut.
    await startPostgres(
      folder,
      '-c fsync=off -c full_page_writes=off -c max_connections=400 -c deadlock_timeout=100ms',
    );
    writeFileSync(ready, '');
  }
  while (!existsSync(ready)) await sleep(50);
  return postgresUrl(folder);
}

function isFirst(folder: string): boolean {
  try {
    mkdirSync(join(folder, 'claimed'));
    return true;
  } catch {
    return false;
  }
}
