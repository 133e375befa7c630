/** Reads a file that an option or an argument names. */
import { ProblemError } from '../../base/diagnostics/problem.ts';
import { systemReason } from '../../base/diagnostics/systemReason.ts';
import { readText } from '../../base/files/textFile.ts';
import type { Io } from '../output/io.ts';

/** Returns the text of the file, or of standard input for `-`. `option` is for messages. @throws ProblemError */
export async function readNamed(option: string, file: string, io: Io, fix = 'correct the name'): Promise<string> {
  try {
    return await readText(file, io);
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (syscall === undefined) throw error;
    const found = `${option} ${file} cannot be read: ${systemReason(code)}`;
    throw new ProblemError([{ code: 'unreadable-file', found, fix }]);
  }
}
