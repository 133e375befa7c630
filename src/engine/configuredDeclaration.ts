/** The declaration and the journal that a command works with. */
import { join, resolve } from 'node:path';
import { ProblemError } from '../base/diagnostics/problem.ts';
import { parseAddress } from '../base/values/address.ts';
import { defaultFile, firstFile, isDeclarationThere, settingsFrom } from './configuredConnection.ts';
import { bareConfig, type Config } from './declaration/config.ts';
import { loadConfig } from './declaration/loadConfig.ts';
import { declarationFolder } from './declaration/sources.ts';
import type { AddressOptions, DeclarationOptions, ProcessEnvironment } from './options.ts';

/** Reads the declaration. @throws ProblemError with every problem of its files */
export function configFrom(options: DeclarationOptions, environment: ProcessEnvironment): Promise<Config> {
  const { file = [defaultFile] } = options;
  return loadConfig(file, settingsFrom(options, environment));
}

/** Reads the declaration from files that no option names, as if they were the default one. @throws ProblemError */
export function configFromFound(
  files: readonly string[],
  options: DeclarationOptions,
  environment: ProcessEnvironment,
): Promise<Config> {
  return loadConfig(files, settingsFrom({ ...options, file: undefined }, environment));
}

/** Reads the declaration if there is one. @throws ProblemError */
export async function configIfAny(options: DeclarationOptions, environment: ProcessEnvironment): Promise<Config> {
  return isDeclarationThere(options, environment)
    ? configFrom(options, environment)
    : bareConfigFrom(options, environment);
}

/** Returns the settings of options and environment, without a declaration. @throws ProblemError */
export function bareConfigFrom(options: DeclarationOptions, environment: ProcessEnvironment): Config {
  return bareConfig(settingsFrom(options, environment));
}

/** Returns the path of the journal if no other backend is configured. */
export function journalFile(
  { journal, file = [defaultFile] }: Pick<AddressOptions & DeclarationOptions, 'journal' | 'file'>,
  environment: ProcessEnvironment,
): string {
  if (journal === undefined) {
    return resolve(
      environment.cwd,
      join(declarationFolder(firstFile(file), environment.cwd), '.webdata', 'journal.jsonl'),
    );
  }
  const parsed = parseAddress(journal);
  if (parsed.kind === 'path') return resolve(environment.cwd, parsed.path);
  const isServer = parsed.kind === 'server';
  throw new ProblemError([
    {
      code: 'wrong-journal',
      found: `--journal ${isServer ? `is a ${parsed.scheme}:// URL` : parsed.why}`,
      allowed: 'the path of a file',
      fix: isServer ? 'pass --backend for a store that a team shares' : parsed.fix,
    },
  ]);
}
