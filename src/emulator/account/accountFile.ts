/** Account files. */
import type { z } from 'zod';
import { ProblemError } from '../../base/diagnostics/problem.ts';
import { systemReason } from '../../base/diagnostics/systemReason.ts';
import { parse } from '../../base/diagnostics/zodProblems.ts';
import { readTextFile } from '../../base/files/textFile.ts';
import type { Account } from './account.ts';
import { parseAccount } from './parseAccount.ts';

/** Reads and checks an account file. A `ProblemError` gives file, line and column, the found value and the allowed ones. */
export async function readAccount(file: string): Promise<Account> {
  const text = await readTextFile(file).catch((error: NodeJS.ErrnoException) => {
    if (error instanceof ProblemError) throw error;
    const found =
      error.code === 'ENOENT'
        ? `account file ${file} does not exist`
        : `${file} cannot be read: ${systemReason(error.code)}`;
    const fix = 'check the name of the file';
    throw new ProblemError([{ code: 'unreadable-file', found, allowed: 'a YAML file with an account', fix }]);
  });
  return parseAccount(text, file);
}

/** Returns the parsed value. @throws ProblemError with every problem */
export function parseOrThrow<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = parse(schema, value);
  if (parsed.ok) return parsed.value;
  throw new ProblemError(parsed.problems);
}
