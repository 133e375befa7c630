/**
 * Streams the rows of an answer that may be larger than memory: a JSON array, one object per line (ndjson), or consecutive objects. It
 * works on bytes, because no byte of a longer UTF-8 character looks like JSON syntax.
 */
import { isMapValue } from '../../../../base/values/plain.ts';
import { type Fail, ServiceError } from '../../../errors.ts';

/**
 * A row of a result: the fields of its collector or dataset, and usually the `input` that it came from. A row that is not an object is
 * kept as the field `value`.
 */
export type Row = Record<string, unknown>;

/** Layout of rows: a JSON array, one per line, or objects separated by white space. */
export type RowLayout = 'array' | 'lines' | 'objects';

/** Parses a row; by default JSON.parse. A custom parser may keep digits that no float can hold. */
export type ParseRow = (text: string) => unknown;

/** Maximum length of a row. */
const maxRowBytes = 256 * 1024 * 1024;

/**
 * Yields the rows in the order of the answer. A body that breaks off or is not rows is an error that reports how many arrived.
 * @throws ServiceError by `fail`
 */
export async function* readRows(
  pieces: AsyncIterable<Uint8Array>,
  layout: RowLayout,
  fail: Fail,
  parse: ParseRow = JSON.parse,
): AsyncGenerator<Row, void, undefined> {
  const splitter = splitters[layout]();
  let count = 0;
  try {
    for await (const piece of pieces) {
      for (const text of splitter.push(piece)) {
        yield parseRow(text, parse);
        count += 1;
      }
    }
    for (const text of splitter.end()) {
      yield parseRow(text, parse);
      count += 1;
    }
  } catch (error) {
    throw brokenRows(error, count, fail);
  }
}

interface Splitter {
  /** Returns the complete values that end in this piece. @throws RowFault */
  push(piece: Uint8Array): Iterable<Uint8Array>;
  /** Returns the rest at the end of the body. @throws RowFault */
  end(): Iterable<Uint8Array>;
}

const splitters: Record<RowLayout, () => Splitter> = {
  array: arraySplitter,
  lines: lineSplitter,
  objects: objectSplitter,
};

/** Error in rows, worded as the end of "gave 3 rows and then …". */
class RowFault extends Error {}

const byte = { quote: 0x22, comma: 0x2c, open: 0x5b, backslash: 0x5c, close: 0x5d, openBrace: 0x7b, closeBrace: 0x7d };
const newline = 0x0a;
const byteOrderMark = [0xef, 0xbb, 0xbf];

function arraySplitter(): Splitter {
  const value = gathered();
  let place: 'before' | 'first' | 'inside' | 'after' = 'before';
  let depth = 0;
  let inString = false;
  let escaped = false;

  /** Ends a value at a comma or at the end of the array. Only an empty array may have nothing there. */
  function ended(isLast: boolean): Uint8Array[] {
    const text = value.take();
    const isEmptyArray = isLast && place === 'first' && isBlank(text);
    place = isLast ? 'after' : 'inside';
    return isEmptyArray ? [] : [text];
  }

  function* push(piece: Uint8Array): Generator<Uint8Array> {
    let start = 0;
    for (let index = 0; index < piece.length; index += 1) {
      const code = piece[index] ?? 0;
      if (inString) {
        if (escaped) escaped = false;
        else if (code === byte.backslash) escaped = true;
        else if (code === byte.quote) inString = false;
      } else if (place === 'before' || place === 'after') {
        start = index + 1;
        if (place === 'before' && code === byte.open) place = 'first';
        else if (!isSpace(code) && !byteOrderMark.includes(code))
          throw new RowFault(place === 'before' ? 'not a JSON array' : 'more after its end');
      } else if (code === byte.quote) inString = true;
      else if (code === byte.openBrace || code === byte.open) depth += 1;
      else if (depth > 0) depth -= code === byte.closeBrace || code === byte.close ? 1 : 0;
      else if (code === byte.comma || code === byte.close) {
        value.add(piece.subarray(start, index));
        start = index + 1;
        yield* ended(code === byte.close);
      }
    }
    if (place === 'first' || place === 'inside') value.add(piece.subarray(start));
  }

  return {
    push,
    end() {
      if (place !== 'after') throw new RowFault(place === 'before' ? 'not a JSON array' : 'broke off');
      return [];
    },
  };
}

function lineSplitter(): Splitter {
  const line = gathered();
  const whole = (): Uint8Array[] => [line.take()].filter((text) => !isBlank(text));
  return {
    *push(piece) {
      let start = 0;
      for (let index = piece.indexOf(newline); index >= 0; index = piece.indexOf(newline, start)) {
        line.add(piece.subarray(start, index));
        start = index + 1;
        yield* whole();
      }
      line.add(piece.subarray(start));
    },
    end: whole,
  };
}

function objectSplitter(): Splitter {
  const value = gathered();
  let depth = 0;
  let inString = false;
  let escaped = false;
  return {
    *push(piece) {
      let start = 0;
      for (let index = 0; index < piece.length; index += 1) {
        const code = piece[index] ?? 0;
        if (inString) {
          if (escaped) escaped = false;
          else if (code === byte.backslash) escaped = true;
          else if (code === byte.quote) inString = false;
        } else if (code === byte.quote) inString = true;
        else if (code === byte.openBrace) depth += 1;
        else if (code === byte.closeBrace) {
          depth -= 1;
          if (depth > 0) continue;
          value.add(piece.subarray(start, index + 1));
          start = index + 1;
          yield value.take();
        }
      }
      value.add(piece.subarray(start));
    },
    end() {
      if (!isBlank(value.take())) throw new RowFault('broke off');
      return [];
    },
  };
}

/** Collects the parts of one value until it is complete. */
function gathered() {
  let parts: Uint8Array[] = [];
  let size = 0;
  return {
    add(part: Uint8Array): void {
      size += part.length;
      if (size > maxRowBytes) throw new RowFault(`one of more than ${maxRowBytes} bytes`);
      if (part.length > 0) parts.push(part);
    },
    take(): Uint8Array {
      const [only] = parts;
      const text = parts.length === 1 && only !== undefined ? only : Buffer.concat(parts);
      parts = [];
      size = 0;
      return text;
    },
  };
}

const decoder = new TextDecoder('utf-8', { fatal: true });

function parseRow(text: Uint8Array, parse: ParseRow): Row {
  const value = parseJson(text, parse);
  return isMapValue(value) ? value : { value };
}

function parseJson(text: Uint8Array, parse: ParseRow): unknown {
  try {
    return parse(decoder.decode(text));
  } catch {
    throw new RowFault('one that is not JSON');
  }
}

function isBlank(text: Uint8Array): boolean {
  return text.every(isSpace);
}

function isSpace(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d);
}

function brokenRows(error: unknown, count: number, fail: Fail): unknown {
  const rows = `${count} ${count === 1 ? 'row' : 'rows'}`;
  if (error instanceof RowFault) return fail('unexpected-answer', `gave ${rows} and then ${error.message}`);
  if (!(error instanceof ServiceError)) return error;
  const { code, transient, status } = error;
  const what = code === 'aborted' ? `was aborted after ${rows}` : `broke off after ${rows}`;
  return fail(code, what, { transient, cause: error, ...(status === undefined ? {} : { status }) });
}
