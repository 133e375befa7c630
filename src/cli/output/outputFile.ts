/** Files that commands write. They never replace a file that the user wrote, or one that the same command reads or writes. */
import { existsSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { type Problem, ProblemError } from '../../base/diagnostics/problem.ts';
import { assertWritable, descriptorAt, isReplaceable, writeOutputFile } from '../../base/files/outputFile.ts';
import { standardStream } from '../../base/files/textFile.ts';
import type { Pieces } from '../../base/files/wholeFile.ts';
import { declarationFiles } from '../../engine/doors/connection.ts';
import type { Io, Output } from './io.ts';

/** A file that an option or an argument names. */
export interface NamedFile {
  /** Its role: `--report json=plan.json`, `the declaration`. */
  what: string;
  file: string;
}

/** Reports whether an output is named `-`. */
export function isStdout(output: string | undefined): boolean {
  return output === standardStream;
}

/** Returns the absolute path of an output file, or `-`. @throws ProblemError if it is a file of the declaration */
export function outputPath(option: string, output: string, file: readonly string[] | undefined, io: Io): string {
  assertNotOverwritten([{ what: option, file: output }], declarations(file), io);
  return pathOf(output, io);
}

function pathOf(output: string, { cwd }: Pick<Io, 'cwd'>): string {
  return isStdout(output) ? output : resolve(cwd, output);
}

export function declarations(file: readonly string[] | undefined): NamedFile[] {
  return declarationFiles(file).map((each) => ({ what: 'the declaration', file: each }));
}

/**
 * Follows symbolic links. A device or a pipe may be named twice: nothing in it is lost. @throws ProblemError for an output that is one of
 * the kept files, or another output
 */
export function assertNotOverwritten(outputs: readonly NamedFile[], kept: readonly NamedFile[], io: Io): void {
  const known = new Map(kept.map(({ what, file }) => [realPath(resolve(io.cwd, file)), what]));
  for (const { what, file } of outputs) {
    if (isStdout(file)) continue;
    const path = realPath(resolve(io.cwd, file));
    if (!isReplacedFile(path)) continue;
    const taken = known.get(path);
    if (taken !== undefined) throw new ProblemError([overwritten(what, `is ${taken}`)]);
    known.set(path, `also the file of ${what}`);
  }
}

/** Returns the absolute path of a file to create. @throws ProblemError if it exists, unless `force` */
export async function newFilePath(option: string, output: string, force: boolean, io: Io): Promise<string> {
  const target = pathOf(output, io);
  if (!force && !isStdout(output) && existsSync(target) && (await isReplaceable(target)))
    throw new ProblemError([overwritten(option, 'exists already', 'name another file, or pass --force')]);
  return target;
}

/** Writes a file, or stdout for `-`. `what` names it in messages: its option, or its name. @throws ProblemError */
export async function writeOutput(what: string, file: string, content: Pieces, io: Io, mode?: number): Promise<void> {
  const stream = await streamAt(file, io);
  if (stream === undefined) return writeOutputFile(resolve(io.cwd, file), content, { what, mode });
  for await (const piece of typeof content === 'string' ? [content] : content) stream.write(piece);
}

/** Checks an output before it costs anything to make its content, and creates its folder. @throws ProblemError */
export async function assertOutputWritable(what: string, file: string, io: Io): Promise<void> {
  if (!isStdout(file)) await assertWritable(resolve(io.cwd, file), what);
}

/** Returns the stream of a file such as /dev/stdout, so that its text keeps its order with what the command prints. */
async function streamAt(file: string, { cwd, stdout, stderr, data = stdout }: Io): Promise<Output | undefined> {
  if (isStdout(file)) return data;
  const streams = [undefined, data, stderr];
  return streams[(await descriptorAt(resolve(cwd, file))) ?? 0];
}

/**
 * Returns the parts of the process for a command one of whose outputs is named `-`: that output has stdout to itself, and what is printed
 * besides goes to stderr. @throws ProblemError for two such outputs
 */
export function withStdoutFor(outputs: readonly (string | undefined)[], io: Io): Io {
  const count = outputs.filter(isStdout).length;
  if (count > 1) throw new ProblemError([mixedOutputs]);
  return count === 1 ? { ...io, data: io.stdout, stdout: io.stderr } : io;
}

const mixedOutputs: Problem = {
  code: 'file-exists',
  found: `two outputs are named ${standardStream}, and would be mixed on stdout`,
  fix: 'write one of them to a file',
};

function overwritten(option: string, why: string, fix = 'name another file'): Problem {
  return { code: 'file-exists', found: `${option}: the file ${why}, and would be overwritten`, fix };
}

/** Reports whether a file would be replaced when it is written. */
function isReplacedFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? true;
}

/** Resolves symbolic links; for a file that does not exist yet, those of its folder. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const folder = dirname(path);
    return folder === path ? path : join(realPath(folder), basename(path));
  }
}
