/** The connection that a command works with, for commands that use no resource of the declaration. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { mergeSources } from '../base/yaml/source.ts';
import { connectionIn, type LocatedConnection, type Settings } from './declaration/connection.ts';
import { declarationFolder, NamedFiles } from './declaration/sources.ts';
import type { DeclarationOptions, ProcessEnvironment } from './options.ts';

export const defaultFile = 'webdata.yaml';

/** Reads the connection of the declaration if there is one, whose resources may be wrong. @throws ProblemError */
export async function connectionIfAny(
  options: DeclarationOptions,
  environment: ProcessEnvironment,
): Promise<LocatedConnection> {
  const settings = settingsFrom(options, environment);
  const files = isDeclarationThere(options, environment) ? declarationFiles(options.file) : [];
  const { env, cwd, stdin } = environment;
  const { isDefaultFile } = settings;
  const named = new NamedFiles(files, { env, folder: cwd, stdin, isDefaultFile });
  const source = mergeSources((await named.readAll()).map((each) => each.source));
  const folder = resolve(cwd, declarationFolder(firstFile(files), cwd));
  return connectionIn(source, { ...settings, folder });
}

/**
 * Returns true if a file is named, or webdata.yaml exists. Also if only webdata.yml does: it is not read by default, and the error says how,
 * where a command without a declaration would seem to ignore it.
 */
export function isDeclarationThere(
  { file }: Pick<DeclarationOptions, 'file'>,
  { cwd }: Pick<ProcessEnvironment, 'cwd'>,
): boolean {
  return file !== undefined || [defaultFile, 'webdata.yml'].some((name) => existsSync(resolve(cwd, name)));
}

export function settingsFrom(
  { file, apiUrl, managerUrl, allowEnv = [] }: DeclarationOptions,
  { env, cwd, stdin }: ProcessEnvironment,
): Settings {
  const named = (env.WEBDATA_ALLOW_ENV ?? '').split(/[\s,]+/).filter((name) => name !== '');
  const allowed = [...allowEnv, ...named];
  const isDefaultFile = file === undefined;
  return { env, apiUrl, managerUrl, allowEnv: allowed, folder: cwd, isDefaultFile, stdin };
}

/** Returns the files of `-f`, or the default one. */
export function declarationFiles(file: readonly string[] = [defaultFile]): readonly string[] {
  return file;
}

/** Returns the file whose folder relative names of the declaration start from. */
export function firstFile([first = defaultFile]: readonly string[]): string {
  return first;
}
