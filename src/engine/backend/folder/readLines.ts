/** Reads the lines of a file in chunks, from any position. */
import { isUtf8 } from 'node:buffer';
import type { FileHandle } from 'node:fs/promises';
import type { LineBatch, NumberedLine, Position } from '../backend.ts';

const chunkBytes = 1024 * 1024;
/** Far more than the largest call needs. Longer lines are cut here and count as damaged. */
const longestLine = 64 * 1024 * 1024;

/**
 * Yields the lines from `start` on. The last batch may hold a line without a line break, which its `end` does not count: another
 * process may still be writing it.
 */
export async function* readLines(handle: FileHandle, start: Position): AsyncGenerator<LineBatch> {
  const end = { ...start };
  let parts: Buffer[] = [];
  let partBytes = 0;
  const addPart = (part: Buffer) => {
    // The rest of a longer line is dropped: it would not fit into a string.
    if (partBytes < longestLine) parts.push(Buffer.from(part));
    partBytes += part.length;
  };
  const takeLine = (last: Buffer): NumberedLine => {
    addPart(last);
    const text = lineText(Buffer.concat(parts));
    parts = [];
    partBytes = 0;
    return [end.lines + 1, text];
  };
  for await (const { chunk, position } of chunksOf(handle, start.offset, Number.POSITIVE_INFINITY)) {
    const lines: NumberedLine[] = [];
    let from = 0;
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, from)) {
      lines.push(takeLine(chunk.subarray(from, at)));
      from = at + 1;
      end.lines += 1;
      end.offset = position + from;
    }
    addPart(chunk.subarray(from));
    yield { lines, end: { ...end } };
  }
  if (partBytes > 0) yield { lines: [takeLine(Buffer.alloc(0))], end: { ...end } };
}

/** Ends at the first byte that is not UTF-8, so that the line counts as damaged. */
function lineText(bytes: Buffer): string {
  const text = bytes.toString('utf8');
  return isUtf8(bytes) ? text : text.slice(0, text.indexOf('\uFFFD'));
}

/** Returns the start of the first line after an offset; the end of the file if there is none. */
export async function lineStartAfter(handle: FileHandle, offset: number): Promise<number> {
  for await (const { chunk, position } of chunksOf(handle, offset, Number.POSITIVE_INFINITY)) {
    const at = chunk.indexOf(10);
    if (at !== -1) return position + at + 1;
  }
  return (await handle.stat()).size;
}

/** Counts the line breaks between two offsets. */
export async function countLines(handle: FileHandle, from: number, to: number): Promise<number> {
  let lines = 0;
  for await (const { chunk } of chunksOf(handle, from, to)) {
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) lines += 1;
  }
  return lines;
}

/** Yields the bytes between two offsets. A chunk is overwritten by the next one. */
async function* chunksOf(handle: FileHandle, from: number, to: number) {
  const buffer = Buffer.allocUnsafe(chunkBytes);
  for (let position = from; position < to; ) {
    const { bytesRead } = await handle.read(buffer, 0, Math.min(chunkBytes, to - position), position);
    if (bytesRead === 0) return;
    yield { chunk: buffer.subarray(0, bytesRead), position };
    position += bytesRead;
  }
}
