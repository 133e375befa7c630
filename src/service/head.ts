/** The beginning of an answer, read ahead to see what kind of answer it is. */

export interface Head {
  /** The first bytes as text, without white space around them. */
  text: string;
  /** Whether that is all of it. */
  whole: boolean;
  /** The answer from its first byte. */
  body: AsyncIterable<Uint8Array>;
  /** Gives up the rest, where nobody will read the body. */
  cancel(): Promise<void>;
}

/** Reads until there are `bytes` of it, and no further where `isEnough` says so of the text so far. */
export async function headOf(
  pieces: AsyncIterable<Uint8Array>,
  bytes: number,
  isEnough: (text: string) => boolean,
): Promise<Head> {
  const iterator = pieces[Symbol.asyncIterator]();
  const read: Uint8Array[] = [];
  let text = '';
  let whole = false;
  while (!whole && Buffer.concat(read).length < bytes && !isEnough(text)) {
    const next = await iterator.next();
    if (next.done) whole = true;
    else read.push(next.value);
    text = Buffer.concat(read).toString().trim();
  }
  const cancel = async () => void (await iterator.return?.());
  return { text, whole, body: replayed(read, iterator), cancel };
}

async function* replayed(read: Uint8Array[], iterator: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* read;
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value;
  } finally {
    await iterator.return?.();
  }
}
