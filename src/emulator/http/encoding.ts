/** Content codings and byte order marks of answers. */
import { type Duplex, pipeline, Readable } from 'node:stream';
import { createBrotliCompress, createDeflate, createDeflateRaw, createGzip } from 'node:zlib';
import type { codings } from '../dialect/transport.ts';

type Coding = (typeof codings)[number];

const encoders: Record<Coding, () => Duplex> = {
  gzip: createGzip,
  br: createBrotliCompress,
  deflate: createDeflate,
  'raw-deflate': createDeflateRaw,
};

/** Returns the content in a coding, if the client accepts it, with the header that names the coding. */
export function encoded(
  content: Readable | string,
  coding: Coding | undefined,
  accepted = '',
): { body: Readable | string; headers: Record<string, string> } {
  const name = coding === 'raw-deflate' ? 'deflate' : coding;
  if (coding === undefined || name === undefined || !accepts(accepted, name)) return { body: content, headers: {} };
  const source = typeof content === 'string' ? Readable.from([Buffer.from(content)]) : content;
  // A client that disconnects ends both streams.
  return { body: pipeline(source, encoders[coding](), () => undefined), headers: { 'content-encoding': name } };
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
