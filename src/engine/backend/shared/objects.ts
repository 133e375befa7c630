/** The objects of a shared backend: their keys, and their texts. The first line of each names its format. */
import { z } from 'zod';
import { type Problem, ProblemError } from '../../../base/diagnostics/problem.ts';
import { parsedJson } from '../../../base/values/plain.ts';
import { holderSchema } from '../holder.ts';

/** An entry of the log: lines that were written together, or the mark of a run that took the lock. */
export interface Entry {
  /** The position in the log, from 1. */
  at: number;
  lines: string[];
  isLock: boolean;
  /** True if the object was edited or cut off, or is lost. */
  isDamaged?: true;
}

export const lockKey = 'lock';
export const logPrefix = 'log/';
export const segmentPrefix = 'segments/';
const digits = 12;

function padded(position: number): string {
  return String(position).padStart(digits, '0');
}

export function entryKey(at: number): string {
  return `${logPrefix}${padded(at)}`;
}

/** Returns the position of an entry; undefined for an object that is not an entry. */
export function positionIn(key: string): number | undefined {
  const [, position] = /^log\/(\d{12,15})$/.exec(key) ?? [];
  return position === undefined ? undefined : Number(position);
}

/** The positions of the entries that a segment has. */
export interface Range {
  first: number;
  last: number;
}

export function segmentKey({ first, last }: Range): string {
  return `${segmentPrefix}${padded(first)}-${padded(last)}`;
}

export function rangeIn(key: string): Range | undefined {
  const [, first, last] = /^segments\/(\d{12,15})-(\d{12,15})$/.exec(key) ?? [];
  return first === undefined || last === undefined ? undefined : { first: Number(first), last: Number(last) };
}

export function documentKey(name: string): string {
  return `documents/${name}`;
}

const formats = {
  entry: 'webdata.log/1',
  segment: 'webdata.log-segment/1',
  lock: 'webdata.lock/1',
  document: 'webdata.document/1',
} as const;

const entryHeader = z.object({
  format: z.literal(formats.entry),
  /** Makes the text unique, so that a writer recognizes its own object. */
  nonce: z.string(),
  /** Set in the entry of a run that took the lock. */
  lock: holderSchema.optional(),
});
const segmentHeader = z.object({ format: z.literal(formats.segment) });
const documentHeader = z.object({
  format: z.literal(formats.document),
  nonce: z.string(),
  /** The fencing number of the run that wrote it. */
  fence: z.int(),
});
const lockSchema = z.object({
  format: z.literal(formats.lock),
  /** Unique for each run that takes the lock. */
  nonce: z.string(),
  /** Absent in a lock that is free. */
  holder: holderSchema.optional(),
  /** A lock that was not renewed for this long has expired. */
  leaseMs: z.int().positive(),
  /** The number of renewals. */
  renewals: z.int(),
  /** The fencing number: the position of the holder's entry in the log. */
  fence: z.int().optional(),
  /** A position that the log has reached. */
  head: z.int(),
});

export type LockState = Omit<z.output<typeof lockSchema>, 'format'>;

export function lockText(state: LockState): string {
  return `${JSON.stringify({ format: formats.lock, ...state })}\n`;
}

/** @throws ProblemError if the text is not a lock, or a newer version wrote it */
export function parseLock(text: string, where: string): LockState {
  const header = headerOf(text, 'lock', where);
  const { data } = lockSchema.safeParse(header);
  if (data === undefined) throw new ProblemError([damagedObject('lock', where)]);
  return data;
}

export function entryText(header: Omit<z.output<typeof entryHeader>, 'format'>, lines: readonly string[]): string {
  return joined({ format: formats.entry, ...header }, lines);
}

/** Parses an entry. The lines of a damaged one are returned as they are, so that the reader of the log reports them. */
export function parseEntry(at: number, text: string, where: string): Entry {
  const [, ...lines] = linesIn(text);
  const { data } = entryHeader.safeParse(headerOf(text, 'entry', where));
  return data === undefined ? damaged(at, text) : { at, lines, isLock: data.lock !== undefined };
}

function damaged(at: number, text: string): Entry {
  return { at, lines: [`entry ${at} of the log is damaged`, ...linesIn(text)], isLock: false, isDamaged: true };
}

export function segmentText(entries: readonly Entry[]): string {
  const lines = entries.flatMap(({ at, lines, isLock }) => [
    JSON.stringify({ entry: at, lines: lines.length, ...(isLock && { lock: true }) }),
    ...lines,
  ]);
  return joined({ format: formats.segment }, lines);
}

const entryMark = z.object({ entry: z.int(), lines: z.int().nonnegative(), lock: z.boolean().optional() });

/** Parses a segment. What cannot be parsed is returned as lines of its last entry. */
export function parseSegment({ first, last }: Range, text: string, where: string): Entry[] {
  const [, ...rest] = linesIn(text);
  if (!segmentHeader.safeParse(headerOf(text, 'segment', where)).success) return [damaged(last, text)];
  const entries: Entry[] = [];
  for (let index = 0; index < rest.length; ) {
    const { data: mark } = entryMark.safeParse(parsedJson(rest[index] ?? ''));
    const lines = mark && rest.slice(index + 1, index + 1 + mark.lines);
    const expected = entries.length === 0 ? first : (entries.at(-1)?.at ?? 0) + 1;
    if (mark?.entry !== expected || lines?.length !== mark.lines) {
      return [...entries, damaged(last, rest.slice(index).join('\n'))];
    }
    entries.push({ at: mark.entry, lines, isLock: mark.lock ?? false });
    index += 1 + mark.lines;
  }
  return entries.at(-1)?.at === last ? entries : [...entries, damaged(last, '')];
}

export function documentText(fence: number, nonce: string, text: string): string {
  return joined({ format: formats.document, nonce, fence }, [text]);
}

/** @throws ProblemError if the text is not a document, or a newer version wrote it */
export function parseDocument(text: string, where: string): { fence: number; text: string } {
  const { data } = documentHeader.safeParse(headerOf(text, 'document', where));
  if (data === undefined) throw new ProblemError([damagedObject('document', where)]);
  return { fence: data.fence, text: text.slice(text.indexOf('\n') + 1, -1) };
}

function joined(header: object, lines: readonly string[]): string {
  return `${[JSON.stringify(header), ...lines].join('\n')}\n`;
}

function linesIn(text: string): string[] {
  const lines = text.split('\n');
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

/** Returns the value of the first line. @throws ProblemError if a newer version wrote the object */
function headerOf(text: string, what: keyof typeof formats, where: string): unknown {
  const end = text.indexOf('\n');
  const value = parsedJson(end < 0 ? text : text.slice(0, end));
  const { data: { format } = { format: '' } } = z.object({ format: z.string() }).safeParse(value);
  const [name = ''] = formats[what].split('/');
  const version = format.startsWith(`${name}/`) ? Number(format.slice(name.length + 1)) : 0;
  if (version > 1) throw new ProblemError([newer(where, format)]);
  return value;
}

function newer(where: string, format: string): Problem {
  return {
    code: 'newer-backend',
    found: `${where} was written by a newer version of webdata: its format is ${format}`,
    allowed: Object.values(formats).join(', '),
    fix: 'use the version of webdata that wrote it, or a newer one',
  };
}

const repairs = {
  lock: 'check that the address is the right one; if it is, `webdata unlock` replaces the lock',
  document: 'restore it, or remove it',
};

function damagedObject(what: keyof typeof repairs, where: string): Problem {
  return {
    code: 'damaged-backend',
    found: `${where} is not a ${what} of webdata, or it is damaged`,
    allowed: 'an object that webdata wrote',
    fix: repairs[what],
  };
}
