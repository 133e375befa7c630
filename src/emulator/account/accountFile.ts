/** Account files. */
import { dirname, resolve } from 'node:path';
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
  return withFilesBeside(dirname(file), parseAccount(text, file));
}

/** Resolves files and folders relative to the account file. */
function withFilesBeside(folder: string, account: Account): Account {
  const { deliverTo } = account;
  const beside = <Source extends { rows?: unknown }>(sources: Record<string, Source>): Record<string, Source> =>
    mapValues(sources, (source) =>
      typeof source.rows === 'string' ? { ...source, rows: resolve(folder, source.rows) } : source,
    );
  return {
    ...account,
    pages: mapValues(account.pages, (page) =>
      page.file === undefined ? page : { ...page, file: resolve(folder, page.file) },
    ),
    collectors: beside(account.collectors),
    datasets: beside(account.datasets),
    ...(deliverTo !== undefined && { deliverTo: resolve(folder, deliverTo) }),
  };
}

function mapValues<Value>(map: Record<string, Value>, change: (value: Value) => Value): Record<string, Value> {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, change(value)]));
}

/** Returns the parsed value. @throws ProblemError with every problem */
export function parseOrThrow<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = parse(schema, value);
  if (parsed.ok) return parsed.value;
  throw new ProblemError(parsed.problems);
}
