/**
 * The paid calls of everyone who works on this machine, beside its locks: other folders and fronts look there before they send a call. It is a
 * journal like any other, for all accounts, and forgets old runs.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Backend } from '../backend.ts';
import { openFolderBackend } from './folderBackend.ts';
import { hasMachineFolder, machineFolder } from './machineFolder.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** Reports whether a paid call was recorded on this machine. */
export function hasMachineLog(env: Env): boolean {
  return hasMachineFolder(env) && existsSync(machineJournal(env));
}

/** Returns undefined on a machine without a folder for locks. */
export function openMachineLog(env: Env): Backend | undefined {
  if (!hasMachineFolder(env)) return undefined;
  const journal = machineJournal(env);
  return openFolderBackend({ journal, lockKey: journal });
}

function machineJournal(env: Env): string {
  return join(machineFolder(env), 'paid-calls.jsonl');
}
