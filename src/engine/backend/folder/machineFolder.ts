/**
 * The folder that all processes of this user on this machine share: locks, and the log of paid calls. WEBDATA_STATE_FOLDER names another
 * one, such as a volume that containers share.
 */
import { isAbsolute } from 'node:path';
import { type Problem, ProblemError } from '../../../base/diagnostics/problem.ts';
import { meetingFolder } from '../../../base/files/ownFiles.ts';

export type MachineVariables = Readonly<Record<string, string | undefined>>;

/** @throws ProblemError if no folder is writable */
export function machineFolder({ WEBDATA_STATE_FOLDER: folder }: MachineVariables): string {
  if (!folder) return meetingFolder();
  // A relative folder would be another one for each current folder, and its locks would exclude no one.
  if (!isAbsolute(folder)) throw new ProblemError([notAbsolute]);
  return meetingFolder([folder]);
}

/** Returns false on a machine without a writable folder. @throws ProblemError if the folder that the environment names cannot be used */
export function hasMachineFolder(env: MachineVariables): boolean {
  try {
    return machineFolder(env) !== '';
  } catch (error) {
    if (env.WEBDATA_STATE_FOLDER) throw error;
    return false;
  }
}

const notAbsolute: Problem = {
  code: 'no-lock-folder',
  found: 'WEBDATA_STATE_FOLDER is not an absolute path',
  allowed: 'the absolute path of a folder of your own',
  fix: 'write the whole path, or unset it',
};
