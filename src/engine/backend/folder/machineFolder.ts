/** The folder that all processes of this user on this machine share: locks, and the log of paid calls. */
import { meetingFolder } from '../../../base/files/ownFiles.ts';

/** @throws ProblemError if no folder is writable */
export function machineFolder(): string {
  // Tests play several machines on one.
  const { WEBDATA_TEST_MACHINE: folder } = process.env;
  return meetingFolder(folder ? [folder] : undefined);
}

export function hasMachineFolder(): boolean {
  try {
    return machineFolder() !== '';
  } catch {
    return false;
  }
}
