/** Parses accounts without reading files. */
import { ProblemError } from '../../base/diagnostics/problem.ts';
import { parseWith } from '../../base/yaml/parseWith.ts';
import { readYaml } from '../../base/yaml/source.ts';
import { type Account, accountSchema } from './account.ts';

/** Parses the text of an account file. `fileName` is used for problems only. */
export function parseAccount(text: string, fileName: string): Account {
  const parsed = parseWith(accountSchema, readYaml(text, fileName));
  if (!parsed.ok) throw new ProblemError(parsed.problems);
  return parsed.value;
}
