/**
 * Readers convert the JSON value of an answer. A reader of a required value throws a `ShapeFault` if it cannot; `optional` and `list`
 * keep such a value unchanged and list it as a misfit, so that a field which no command needs never stops one. Numbers and booleans that
 * arrive as text are converted.
 */
import { isMapValue } from '../../base/values/plain.ts';
import { Misfits, type Path, pathText, shown } from './misfits.ts';

/** Path of a value in its answer, and the collector of misfits. */
export interface ValuePlace {
  path: Path;
  misfits: Misfits;
}

/** Reads a value. @throws ShapeFault if the value cannot be read */
export type Reader<T> = (value: unknown, at: ValuePlace) => T;

/** A required value that cannot be read. */
export class ShapeFault extends Error {
  readonly path: Path;
  readonly found: unknown;
  readonly expected: string;
  /** Advice for this value instead of that of the call. */
  readonly fix: string | undefined;

  constructor(path: Path, expected: string, found: unknown, fix?: string) {
    super(`${pathText(path)}: expected ${expected}, received ${shown(found)}`);
    this.path = path;
    this.found = found;
    this.expected = expected;
    this.fix = fix;
  }
}

export function startOf(misfits = new Misfits()): ValuePlace {
  return { path: [], misfits };
}

export function below({ path, misfits }: ValuePlace, key: string | number): ValuePlace {
  return { path: [...path, key], misfits };
}

/** Reads a text. Numbers and booleans are converted. */
export const text: Reader<string> = (value, { path }) => {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return `${value}`;
  throw new ShapeFault(path, 'a text', value);
};

/** Reads a number, also as text. */
export const number: Reader<number> = (value, { path }) => {
  const read = asNumber(value);
  if (read === undefined) throw new ShapeFault(path, 'a number', value);
  return read;
};

/** Reads a whole number of at least 0, also as text. */
export const count: Reader<number> = (value, { path }) => {
  const read = asNumber(value);
  if (read === undefined || !Number.isSafeInteger(read) || read < 0) throw new ShapeFault(path, 'a count', value);
  return read;
};

export const flag: Reader<boolean> = (value, { path }) => {
  if (typeof value === 'boolean') return value;
  const word = typeof value === 'string' || typeof value === 'number' ? `${value}`.trim().toLowerCase() : '';
  if (/^(?:true|1|yes|on)$/.test(word)) return true;
  if (/^(?:false|0|no|off)$/.test(word)) return false;
  throw new ShapeFault(path, 'true or false', value);
};

/**
 * Reads a value that may be missing, null or of an unexpected form. The latter is kept unchanged, so that no part of a billed answer is
 * lost; its type then differs from the declared one.
 */
export function optional<T>(read: Reader<T>): Reader<T | null | undefined> {
  return (value, at) => (value === undefined || value === null ? value : tolerated(read, value, at));
}

/** Reads a list with entries of any form. Missing, null, `''` and `{}` are read as an empty list, and any other value as a list of one. */
export function list<T>(read: Reader<T>): Reader<T[]> {
  return (value, at) => {
    if (Array.isArray(value)) return value.map((item, index) => tolerated(read, item, below(at, index)));
    if (isEmptyValue(value)) return [];
    at.misfits.add(at.path, value, 'a list');
    return [tolerated(read, value, below(at, 0))];
  };
}

type Fields = Readonly<Record<string, Reader<unknown>>>;

/** An object with the fields that have readers, and all other fields unchanged. */
type Loose<F extends Fields> = { [Name in keyof F]?: ReturnType<F[Name]> } & { [unknown: string]: unknown };

/** Reads an object. A missing field stays missing unless its reader returns a default, as the reader of a list does. */
export function object<F extends Fields>(fields: F): Reader<Loose<F>> {
  const readers = Object.entries(fields);
  return (value, at) => {
    if (!isMapValue(value)) throw new ShapeFault(at.path, 'an object', value);
    const read: Record<string, unknown> = { ...value };
    for (const [name, reader] of readers) {
      const field = reader(Object.hasOwn(value, name) ? value[name] : undefined, below(at, name));
      if (field !== undefined) read[name] = field;
    }
    return read as Loose<F>;
  };
}

/** Returns the value as read, or unchanged if it cannot be read. */
function tolerated<T>(read: Reader<T>, value: unknown, at: ValuePlace): T {
  try {
    return read(value, at);
  } catch (error) {
    if (!(error instanceof ShapeFault)) throw error;
    at.misfits.add(error.path, error.found, error.expected);
    return value as T;
  }
}

export function isEmptyValue(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true;
  return isMapValue(value) && Object.keys(value).length === 0;
}

/** Returns the number that a value holds, also as text, or undefined. */
export function asNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (typeof value !== 'string' || !/^\s*[+-]?\d+(?:\.\d+)?\s*$/.test(value)) return undefined;
  return Number(value);
}

/** Returns the message of an object that reports an error instead of a result, or undefined if it reports none. */
export function reportedError(value: unknown): unknown {
  if (!isMapValue(value)) return undefined;
  for (const name of ['error', 'errors', 'error_message']) if (isSaid(value[name])) return value[name];
  const failed =
    value.success === false || value.ok === false || /^(?:error|fail(?:ed|ure)?)$/i.test(`${value.status}`);
  return failed ? (value.message ?? value.status ?? value) : undefined;
}

function isSaid(value: unknown): boolean {
  return typeof value === 'object' ? !isEmptyValue(value) && !isEmptyList(value) : Boolean(value);
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}
