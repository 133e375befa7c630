/** Reads the files of a declaration: files and folders that are named with `-f`, the files that they include, and lists of IPs. */
import { type Stats, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { isDeepStrictEqual } from 'node:util';
import { formatPath } from '../../base/diagnostics/path.ts';
import { assertNoProblems, type Location, type Problem, ProblemError } from '../../base/diagnostics/problem.ts';
import { systemReason } from '../../base/diagnostics/systemReason.ts';
import { describeValue } from '../../base/diagnostics/valueWords.ts';
import { isFolder } from '../../base/files/folders.ts';
import {
  allowedInPatterns,
  folderOfPattern,
  isPattern,
  matchingFiles,
  patternFault,
} from '../../base/files/matchingFiles.ts';
import { readText, readTextFile, shownName, standardStream } from '../../base/files/textFile.ts';
import { isMapValue } from '../../base/values/plain.ts';
import { withoutVariables } from '../../base/yaml/parseWith.ts';
import { mergeSources, readYaml, type YamlSource } from '../../base/yaml/source.ts';
import type { Environment } from '../../base/yaml/variables.ts';
import { assertInRepository, isVisibleIn } from './links.ts';
import { filePlace, type Place, pipePlace } from './places.ts';

interface SourceOptions {
  env: Environment;
  /** The folder that the names of `-f` start from. */
  folder: string;
  /** Read for `-f -`. */
  stdin?: Readable | undefined;
  /** True if no `-f` names the file, which is then the default one. */
  isDefaultFile?: boolean | undefined;
}

/** A file of a declaration. */
export interface DeclarationFile {
  /** The name of the file, for messages. */
  file: string;
  text: string;
  source: YamlSource;
}

/** The files that a declaration may name: those in the current folder and in the folders of the files of `-f`. */
export class NamedFiles {
  readonly #options: SourceOptions;
  readonly #folders: readonly string[];
  readonly #files: readonly string[];
  /** The paths of the files that were read: a file that two others include is merged once, where the first one includes it. */
  readonly #read = new Set<string>();

  constructor(files: readonly string[], options: SourceOptions) {
    this.#options = options;
    this.#files = files;
    this.#folders = declarationFolders(files, options.folder);
  }

  /** Reads all files of `-f`, in the order in which they are merged. @throws ProblemError */
  async readAll(): Promise<DeclarationFile[]> {
    const files: DeclarationFile[] = [];
    for (const file of this.#files) files.push(...(await this.#readNamed(file)));
    if (files.length > 1) assertMaps(files);
    return files;
  }

  /** Reads a file of `-f` or all files of a folder, each with those that it includes. */
  async #readNamed(name: string): Promise<DeclarationFile[]> {
    const { env, folder: cwd, stdin, isDefaultFile = false } = this.#options;
    const named = await filesNamed(name, cwd);
    if (named.length === 0) {
      throw refusedAt(undefined, {
        code: 'unreadable-file',
        found: `the folder ${name} has no declaration`,
        allowed: 'files that end with .yaml or .yml',
        fix: 'name another folder or a file with -f',
      });
    }
    const files: DeclarationFile[][] = [];
    for (const { file, isFound } of named) {
      const from = { cwd, env, stdin, isFound: isFound || isDefaultFile };
      files.push(await this.#withIncluded(file, await readDeclarationText(file, from)));
    }
    if (files.length > 1) assertDisjoint(files);
    return files.flat();
  }

  /** Reads a file that another one names, at this location. `name` is relative to the file that names it. @throws ProblemError */
  async read(name: string, place: Location): Promise<{ file: string; text: string }> {
    if (isAbsolute(name)) throw refusedAt(place, refusals.absolutePath(name));
    const file = join(dirname(place.file), name);
    await this.#assertAllowed(file, place);
    try {
      return { file, text: await readTextFile(resolve(this.#options.folder, file), file) };
    } catch (error) {
      if (error instanceof ProblemError) throw error;
      throw refusedAt(place, { ...unreadable(file, error), fix: 'correct the name of the file' });
    }
  }

  /** `place` names the file, if another one includes it. */
  async #withIncluded(file: string, text: string, place?: Location): Promise<DeclarationFile[]> {
    this.#read.add(resolve(this.#options.folder, file));
    if (this.#read.size > mostFiles) throw refusedAt(place, refusals.tooManyFiles());
    const name = place === undefined ? shownName(file) : file;
    const source = readYaml(text, name, { env: this.#options.env });
    const included: DeclarationFile[] = [];
    for (const { pattern, path, place: at } of includesOf(source)) {
      try {
        included.push(...(await this.#include(pattern, at)));
      } catch (error) {
        if (!(error instanceof ProblemError)) throw error;
        throw new ProblemError(error.problems.map((problem) => withoutVariables(problem, source, path)));
      }
    }
    return [...included, { file: name, text, source }];
  }

  async #include(pattern: string, place: Location): Promise<DeclarationFile[]> {
    if (isAbsolute(pattern)) throw refusedAt(place, refusals.absolutePath(pattern));
    const whole = join(dirname(place.file), pattern);
    const files = isPattern(pattern) ? await this.#matches(pattern, place) : [whole];
    const included: DeclarationFile[] = [];
    for (const file of files) {
      if (this.#read.has(resolve(this.#options.folder, file))) continue;
      const { text } = await this.read(relative(dirname(place.file), file), place);
      included.push(...(await this.#withIncluded(file, text, place)));
    }
    return included;
  }

  /** Checks the folder before the pattern is expanded. @throws ProblemError */
  async #matches(pattern: string, place: Location): Promise<string[]> {
    const { folder } = this.#options;
    const fault = patternFault(pattern);
    if (fault !== undefined) throw refusedAt(place, refusals.unusablePattern(pattern, fault));
    const whole = join(dirname(place.file), pattern);
    await this.#assertAllowed(folderOfPattern(whole), place);
    const files = await matchingFiles(whole, folder, mostFiles);
    if (files.length === 0) throw refusedAt(place, refusals.nothingIncluded(pattern));
    if (files.length > mostFiles) throw refusedAt(place, refusals.tooManyFiles());
    return files;
  }

  /**
   * A declaration may come from a pull request, and what it names may be shown in a message. Follows symbolic links.
   * @throws ProblemError
   */
  async #assertAllowed(file: string, place: Location): Promise<void> {
    const path = resolve(this.#options.folder, file);
    for (const folder of this.#folders) if (await isVisibleIn(path, folder)) return;
    throw refusedAt(place, refusals.notAllowed(file));
  }
}

/** Returns a file that is named, or the declarations of a folder in the order of their names. An empty name is no folder. */
export async function filesNamed(name: string, cwd: string): Promise<{ file: string; isFound: boolean }[]> {
  const isFile = name === '' || name === standardStream || !(await isFolder(resolve(cwd, name)));
  if (isFile) return [{ file: name, isFound: false }];
  const names = (await readdir(resolve(cwd, name))).filter((each) => /^[^.].*\.ya?ml$/.test(each)).sort();
  return names.map((each) => ({ file: join(name, each), isFound: true }));
}

/** Reads a file of `-f`, or one that is found in a folder or by default. @throws ProblemError */
export async function readDeclarationText(
  file: string,
  from: { cwd: string; env: Environment; stdin?: Readable | undefined; isFound: boolean },
): Promise<string> {
  try {
    if (file !== standardStream) await assertInRepository(file, from);
    return await readText(file, from);
  } catch (error) {
    if (error instanceof ProblemError) throw error;
    throw new ProblemError([unreadable(shownName(file) || '""', error)]);
  }
}

/** Returns the folder that relative names of a declaration start from. Those of a pipe start from the current folder. */
export function declarationFolder(file: string, cwd: string): string {
  if (file !== standardStream && statsOf(file, cwd)?.isDirectory()) return file;
  return isPiped(file, cwd) ? '.' : dirname(file);
}

/** Returns the folders whose files a declaration may name: the current one, and those of the files of `-f`. */
export function declarationFolders(files: readonly string[], cwd: string): string[] {
  return [resolve(cwd), ...files.map((file) => resolve(cwd, declarationFolder(file, cwd)))];
}

/** Returns the places of the files of `-f`. `name` is that of the declaration. */
export function declarationPlaces(files: readonly string[], cwd: string, name: string | undefined): Place[] {
  return files.map((file) => (isPiped(file, cwd) ? pipePlace(name) : filePlace(resolve(cwd, file))));
}

/** Reports whether a declaration is read from standard input, a pipe or a device, and so has no folder of its own. */
export function isPiped(file: string, cwd: string): boolean {
  if (file === standardStream) return true;
  const stats = statsOf(file, cwd);
  return stats !== undefined && !stats.isFile() && !stats.isDirectory();
}

/** Returns undefined for a path that cannot be read: reading the file reports the cause. */
function statsOf(file: string, cwd: string): Stats | undefined {
  try {
    return statSync(resolve(cwd, file));
  } catch {
    return undefined;
  }
}

/** A pattern of a pull request may match the files of a whole machine. */
const mostFiles = 1_000;

/** Returns the patterns under `include`. Other values are left to the schema. */
function includesOf(source: YamlSource): { pattern: string; path: PropertyKey[]; place: Location }[] {
  const { include } = isMapValue(source.value) ? source.value : {};
  const patterns = Array.isArray(include) ? include : [include];
  return patterns.flatMap((pattern, index) => {
    const path = Array.isArray(include) ? ['include', index] : ['include'];
    return typeof pattern === 'string' ? [{ pattern, path, place: source.locationOf(path) }] : [];
  });
}

/** Only maps can be merged. @throws ProblemError */
function assertMaps(files: readonly DeclarationFile[]): void {
  const others = files.filter(({ source }) => !isMapValue(source.value));
  assertNoProblems(
    others.map(({ source }) => ({
      code: 'wrong-type',
      found: `the value is ${describeValue(source.value, source.written([]))}`,
      allowed: 'a map, as in each file of a declaration',
      fix: 'write `name: value` lines, or take the file out of the declaration',
      place: source.locationOf([]),
    })),
  );
}

/** The files of a folder have no order that a reader sees, so each value may be in one of them only. @throws ProblemError */
function assertDisjoint(files: readonly DeclarationFile[][]): void {
  assertMaps(files.flat());
  const sources = files.map((withIncluded) => mergeSources(withIncluded.map(({ source }) => source)));
  sources.reduce((merged, source) => {
    assertNoProblems(pathsInBoth(merged.value, source.value).map((path) => declaredTwice(path, merged, source)));
    return mergeSources([merged, source]);
  });
}

/** Returns the paths of different values in both. Each file has its own `include`. */
function pathsInBoth(one: unknown, other: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (!isMapValue(one) || !isMapValue(other)) return isDeepStrictEqual(one, other) ? [] : [path];
  const shared = Object.keys(other).filter((key) => Object.hasOwn(one, key) && (path.length > 0 || key !== 'include'));
  return shared.flatMap((key) => pathsInBoth(one[key], other[key], [...path, key]));
}

function declaredTwice(path: readonly string[], one: YamlSource, other: YamlSource): Problem {
  return {
    code: 'declared-twice',
    path: [...path],
    place: other.locationOf(path, 'key'),
    found: `${formatPath(path)} is set in two files of the folder`,
    allowed: 'each value in one file: the files of a folder have no order',
    fix: 'remove one of them; for overlays, name the files one by one with -f',
    also: [{ path: [...path], at: 'key', place: one.locationOf(path, 'key'), what: 'is the other one' }],
  };
}

function unreadable(file: string, error: unknown): Problem {
  const { code } = error as NodeJS.ErrnoException;
  return {
    code: 'unreadable-file',
    found: `${file} can't be read: ${code === 'ENOENT' ? 'the file does not exist' : systemReason(code)}`,
    fix: 'name the file with -f FILE, go to the folder that holds webdata.yaml, or make one with `webdata init`',
  };
}

/** Problems of names under `include` and in lists, and of patterns; the caller adds the location. */
const refusals = {
  nothingIncluded: (pattern: string) => ({
    code: 'unreadable-file',
    found: `${pattern} matches no file`,
    allowed: 'a pattern that starts from the folder of this file',
    fix: 'correct the pattern',
  }),
  unusablePattern: (pattern: string, fault: string) => ({
    code: 'unusable-pattern',
    found: `the pattern ${pattern} ${fault}`,
    allowed: allowedInPatterns,
    fix: 'list several patterns: `include: [a.yaml, "b/*.yaml"]`',
  }),
  tooManyFiles: () => ({
    code: 'too-many-files',
    found: `the declaration has more than ${mostFiles.toLocaleString('en')} files`,
    fix: 'narrow the pattern under `include`',
  }),
  absolutePath: (file: string) => ({
    code: 'file-not-allowed',
    found: `${file} is an absolute path`,
    allowed: 'a path that starts from the folder of this file',
    fix: 'write the path without the folder of this file',
  }),
  notAllowed: (file: string) => ({
    code: 'file-not-allowed',
    found: `${file} is outside of the current folder and of the folder of the declaration, or is hidden`,
    allowed: 'files within these folders whose path has no name that begins with a dot',
    fix: 'move the file, or run the command in a folder above it',
  }),
};

function refusedAt(place: Location | undefined, problem: Problem): ProblemError {
  return new ProblemError([{ ...problem, ...(place && { place }) }]);
}
