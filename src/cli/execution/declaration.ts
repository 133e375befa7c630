/** The files that flags name: the declaration, read with its settings, and the journal beside it. */
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { bareConfig, type Config, loadConfig, type Settings } from '../../sync/config/config.ts';
import type { ConnectionFlags, WorkbenchFlags } from '../options/options.ts';
import type { Io } from '../output/io.ts';

const defaultFile = 'webdata.yaml';

/** @throws ProblemError with all that is wrong with the files */
export function configFrom({ file = [defaultFile], ...flags }: ConnectionFlags, io: Io): Promise<Config> {
  return loadConfig(file, settingsFrom(flags, io));
}

/** For commands that can do without a declaration. @throws ProblemError */
export async function configIfAny(flags: ConnectionFlags, io: Io): Promise<Config> {
  return isDeclarationThere(flags, io) ? configFrom(flags, io) : bareConfigFrom(flags, io);
}

/** Flags and the environment, without a declaration. @throws ProblemError */
export function bareConfigFrom(flags: ConnectionFlags, io: Io): Config {
  return bareConfig(settingsFrom(flags, io));
}

/** Whether one is named, or stands where it is looked for. */
export function isDeclarationThere({ file }: Pick<ConnectionFlags, 'file'>, { cwd }: Pick<Io, 'cwd'>): boolean {
  return file !== undefined || existsSync(resolve(cwd, defaultFile));
}

function settingsFrom({ apiUrl, managerUrl, allowEnv = [] }: ConnectionFlags, { env, cwd }: Io): Settings {
  const named = (env.WEBDATA_ALLOW_ENV ?? '').split(/[\s,]+/).filter((name) => name !== '');
  return { env, apiUrl, managerUrl, allowEnv: [...allowEnv, ...named], folder: cwd };
}

/** The files that `-f` names. */
export function declarationFiles(file: readonly string[] = [defaultFile]): readonly string[] {
  return file;
}

export function journalFile(
  { journal, file = [defaultFile] }: Pick<WorkbenchFlags, 'journal' | 'file'>,
  io: Io,
): string {
  return resolve(io.cwd, journal ?? join(dirname(file[0] ?? defaultFile), '.webdata', 'journal.jsonl'));
}
