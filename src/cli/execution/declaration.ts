/** The declaration and the journal that a command works with. */
import { existsSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { bareConfig, type Config, loadConfig, type Settings } from '../../sync/config/config.ts';
import type { ConnectionFlags, ContextFlags } from '../options/options.ts';
import type { Io } from '../output/io.ts';

const defaultFile = 'webdata.yaml';

/** Reads the declaration. @throws ProblemError with every problem of its files */
export function configFrom({ file = [defaultFile], ...flags }: ConnectionFlags, io: Io): Promise<Config> {
  return loadConfig(file, settingsFrom(flags, io));
}

/** Reads the declaration if there is one. @throws ProblemError */
export async function configIfAny(flags: ConnectionFlags, io: Io): Promise<Config> {
  return isDeclarationThere(flags, io) ? configFrom(flags, io) : bareConfigFrom(flags, io);
}

/** Returns the settings of flags and environment, without a declaration. @throws ProblemError */
export function bareConfigFrom(flags: ConnectionFlags, io: Io): Config {
  return bareConfig(settingsFrom(flags, io));
}

/** Returns true if a file is named, or webdata.yaml exists. */
export function isDeclarationThere({ file }: Pick<ConnectionFlags, 'file'>, { cwd }: Pick<Io, 'cwd'>): boolean {
  return file !== undefined || existsSync(resolve(cwd, defaultFile));
}

export function settingsFrom({ apiUrl, managerUrl, allowEnv = [] }: ConnectionFlags, { env, cwd }: Io): Settings {
  const named = (env.WEBDATA_ALLOW_ENV ?? '').split(/[\s,]+/).filter((name) => name !== '');
  return { env, apiUrl, managerUrl, allowEnv: [...allowEnv, ...named], folder: cwd };
}

/** Returns the files of `-f`, or the default one. */
export function declarationFiles(file: readonly string[] = [defaultFile]): readonly string[] {
  return file;
}

/** Returns the folder that relative names of a declaration start from: that of its first file. */
export function declarationFolder([first = defaultFile]: readonly string[], { cwd }: Pick<Io, 'cwd'>): string {
  const isFolder = statSync(resolve(cwd, first), { throwIfNoEntry: false })?.isDirectory() ?? false;
  return isFolder ? first : dirname(first);
}

/** Returns the path of the journal if no other backend is configured. */
export function journalFile({ journal, file = [defaultFile] }: Pick<ContextFlags, 'journal' | 'file'>, io: Io): string {
  return resolve(io.cwd, journal ?? join(declarationFolder(file, io), '.webdata', 'journal.jsonl'));
}
