/** Content codings and byte order marks of answers. */
import { pipeline, Readable } from 'node:stream';
import { createBrotliCompress, createDeflate, createGzip } from 'node:zlib';

const encoders = { gzip: createGzip, br: createBrotliCompress, deflate: createDeflate };

/** Returns the content in a coding, if the client accepts it, with the header that names the coding. */
export function encoded(
  content: Readable | string,
  coding: keyof typeof encoders | undefined,
  accepted = '',
): { body: Readable | string; headers: Record<string, string> } {
  if (coding === undefined || !accepts(accepted, coding)) return { body: content, headers: {} };
  const source = typeof content === 'string' ? Readable.from([Buffer.from(content)]) : content;
  // A client that disconnects ends both streams.
  return { body: pipeline(source, encoders[coding](), () => undefined), headers: { 'content-encoding': coding } };
}

const accepts = (accepted: string, coding: string): boolean =>
  accepted.split(',').some((item) => item.split(';')[0]?.trim().toLowerCase() === coding);

const mark = '\uFEFF';

export function withByteOrderMark<Content extends Readable | string>(content: Content): Content;
export function withByteOrderMark(content: Readable | string): Readable | string {
  if (typeof content === 'string') return content === '' ? content : mark + content;
  return Readable.from(
    (async function* marked() {
      yield mark;
      yield* content;
    })(),
  );
}
