/** The beginning of a body, read ahead to find out what kind of answer it is. */

interface PeekedBody {
  /** First bytes as text, trimmed and without a byte order mark. */
  text: string;
  /** True if `text` is the whole body. */
  isWhole: boolean;
  /** Error that broke off the body. */
  failure: unknown;
  /** The complete body, including the bytes already read; it ends or fails like the original. */
  body: AsyncIterable<Uint8Array>;
  /** Abandons the rest of a body that will not be read. */
  cancel(): Promise<void>;
}

/** Reads ahead until `bytes` bytes have arrived or `isEnough` accepts the text so far. */
export async function peekBody(
  pieces: AsyncIterable<Uint8Array>,
  bytes: number,
  isEnough: (text: string) => boolean,
): Promise<PeekedBody> {
  const iterator = pieces[Symbol.asyncIterator]();
  const read: Uint8Array[] = [];
  let size = 0;
  let text = '';
  let isWhole = false;
  let failure: unknown;
  while (!isWhole && failure === undefined && size < bytes && !isEnough(text)) {
    try {
      const next = await iterator.next();
      if (next.done) isWhole = true;
      else {
        read.push(next.value);
        size += next.value.length;
        text = Buffer.concat(read).subarray(0, bytes).toString().trim();
      }
    } catch (error) {
      failure = error;
    }
  }
  const cancel = async () => void (await iterator.return?.());
  return { text, isWhole, failure, body: replayed(read, failure, iterator), cancel };
}

async function* replayed(
  read: Uint8Array[],
  failure: unknown,
  iterator: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  try {
    yield* read;
    if (failure !== undefined) throw failure;
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value;
  } finally {
    await iterator.return?.();
  }
}
