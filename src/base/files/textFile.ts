/** The one reader of text: files, pipes and standard input. It refuses what is not UTF-8, and conflicts of a merge that are not resolved. */
import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { addAbortSignal, type Readable } from 'node:stream';
import { type Problem, ProblemError } from '../diagnostics/problem.ts';
import { decodeUtf8 } from '../values/utf8.ts';

export interface TextSource {
  /** The folder that relative names start from. */
  cwd: string;
  /** By default, the standard input of the process. */
  stdin?: Readable | undefined;
  signal?: AbortSignal | undefined;
}

/** Stands for standard input as a file that is read, and for standard output as a file that is written. */
export const standardStream = '-';

/** Returns the name of a file in messages. */
export function shownName(file: string): string {
  return file === standardStream ? 'stdin' : file;
}

/** Reads a file, or standard input for `-`. @throws ProblemError if it is not UTF-8, or the error of the file system */
export async function readText(file: string, { cwd, stdin, signal }: TextSource): Promise<string> {
  if (file === standardStream) return decodedText(await wholeStream(stdin ?? process.stdin, signal), shownName(file));
  return readTextFile(resolve(cwd, file), file);
}

/** Reads a file. `name` is for messages. @throws ProblemError if it is not UTF-8, or the error of the file system */
export async function readTextFile(path: string, name = path): Promise<string> {
  return decodedText(await bytesOf(path), name);
}

/** Decodes the bytes of a text that has a name. @throws ProblemError, also for both versions of a merge in one text */
export function decodedText(bytes: Uint8Array, name: string): string {
  const decoded = decodeUtf8(bytes);
  if ('wrongLine' in decoded) throw new ProblemError([notUtf8(decoded.wrongLine, name)]);
  const { text } = decoded;
  const conflict = text.search(conflictMarker);
  if (conflict >= 0) throw new ProblemError([unresolved(text.slice(0, conflict).split('\n').length, name)]);
  return text;
}

/** The lines that Git writes around two versions of a part. */
const conflictMarker = /^(?:<{7}|>{7}) /m;

function unresolved(line: number, file: string): Problem {
  return {
    code: 'conflict-marker',
    found: 'a conflict of a merge that is not resolved',
    allowed: 'one version of each line',
    fix: 'keep one of the two versions, and remove the lines that begin with <<<<<<<, ======= and >>>>>>>',
    place: { file, line, column: 1 },
  };
}

function notUtf8(line: number, file: string): Problem {
  return {
    code: 'not-utf-8',
    found: `line ${line} is not text in UTF-8`,
    allowed: 'text in UTF-8',
    fix: 'save it as UTF-8',
    place: { file, line, column: 1 },
  };
}

/** The contents of pipes. A pipe can be read once, and a command may need its declaration twice. */
const piped = new Map<string, Promise<Uint8Array>>();

async function bytesOf(path: string): Promise<Uint8Array> {
  const known = piped.get(path);
  if (known !== undefined) return known;
  const stats = await stat(path);
  if (stats.isFile() || stats.isDirectory()) return readFile(path);
  const reading = readFile(path);
  piped.set(path, reading);
  return reading;
}

const streams = new WeakMap<Readable, Promise<Uint8Array>>();

function wholeStream(stream: Readable, signal: AbortSignal | undefined): Promise<Uint8Array> {
  const reading = streams.get(stream) ?? collected(stream, signal);
  streams.set(stream, reading);
  return reading;
}

async function collected(stream: Readable, signal: AbortSignal | undefined): Promise<Uint8Array> {
  const pieces: Buffer[] = [];
  for await (const piece of signal === undefined ? stream : addAbortSignal(signal, stream))
    pieces.push(Buffer.from(piece));
  return Buffer.concat(pieces);
}
