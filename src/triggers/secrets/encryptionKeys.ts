/** Reads the keys that encrypt literal secrets. */
import { resolve } from 'node:path';
import { ProblemError } from '../../base/diagnostics/problem.ts';
import { systemReason } from '../../base/diagnostics/systemReason.ts';
import { readTextFile } from '../../base/files/textFile.ts';
import { withoutMark } from '../../base/values/utf8.ts';

export interface KeySource {
  keys?: string | undefined;
  keyFile?: string | undefined;
  /** The folder that the name of the file starts from. */
  folder: string;
}

/** Returns the keys of WEBDATA_TRIGGERS_KEY, or of the file of WEBDATA_TRIGGERS_KEY_FILE, separated by commas or lines. The first one encrypts. */
export async function encryptionKeys({ keys, keyFile, folder }: KeySource): Promise<string[]> {
  const text = keys ?? (keyFile === undefined ? '' : await keyFileText(keyFile, folder));
  return withoutMark(text)
    .split(/[\s,]+/)
    .filter((key) => key !== '');
}

async function keyFileText(file: string, folder: string): Promise<string> {
  try {
    return await readTextFile(resolve(folder, file), file);
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (syscall === undefined) throw error;
    const found = `WEBDATA_TRIGGERS_KEY_FILE ${file} cannot be read: ${systemReason(code)}`;
    throw new ProblemError([{ code: 'unreadable-file', found, fix: keyFix }]);
  }
}

const keyFix = 'name a file with the key, 32 bytes in base64, or put the key in WEBDATA_TRIGGERS_KEY';
