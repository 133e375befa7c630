/**
 * The paid calls of everyone who works on this machine, beside its locks: other folders and fronts look there before they send a call. It is a
 * journal like any other, for all accounts.
 */
import { join } from 'node:path';
import type { Backend, Memories } from '../backend.ts';
import { openFolderBackend } from './folderBackend.ts';
import { hasMachineFolder, type MachineVariables, machineFolder } from './machineFolder.ts';

/** Returns the machine as a place for accounts. @throws ProblemError on a machine without a folder for locks */
export function machineMemories(env: MachineVariables): Memories {
  const journal = join(machineFolder(env), 'paid-calls.jsonl');
  return (account) => openFolderBackend({ journal, account, env });
}

/** Returns undefined on a machine without a folder for locks. */
export function openMachineLog(env: MachineVariables): Backend | undefined {
  return hasMachineFolder(env) ? machineMemories(env)('all accounts of this machine') : undefined;
}
