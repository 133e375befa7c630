/** The one reader of text: files, pipes and standard input. Text that is not UTF-8 is refused, because a replaced letter could be sent. */
import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { addAbortSignal, type Readable } from 'node:stream';
import { type Problem, ProblemError } from '../diagnostics/problem.ts';
import { decodeUtf8, type EncodingFault } from '../values/utf8.ts';

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
export async function readText(file: string, { cwd, stdin = process.stdin, signal }: TextSource): Promise<string> {
  if (file === standardStream) return decodedText(await wholeStream(stdin, signal), shownName(file));
  return readTextFile(resolve(cwd, file), file);
}

/** Reads a file. `name` is for messages. @throws ProblemError if it is not UTF-8, or the error of the file system */
export async function readTextFile(path: string, name = path): Promise<string> {
  return decodedText(await bytesOf(path), name);
}

/** Decodes the bytes of a text that has a name. @throws ProblemError */
export function decodedText(bytes: Uint8Array, name: string): string {
  const decoded = decodeUtf8(bytes);
  if ('text' in decoded) return decoded.text;
  throw new ProblemError([notUtf8(decoded.fault, name)]);
}

function notUtf8({ found, encoding, line, column }: EncodingFault, file: string): Problem {
  const from = encoding === undefined ? '' : `, for example with \`iconv -f ${encoding} -t UTF-8\``;
  return {
    code: 'not-utf-8',
    found,
    allowed: 'text in UTF-8',
    fix: `save it as UTF-8${from}`,
    place: { file, line, column },
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
