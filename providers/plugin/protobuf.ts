/** The wire format of protobuf messages, as far as values of resources need it. The generated classes take several times the time and memory. */

/** Encodings of fields; the numbers are those of the format. */
const wireTypes = { varint: 0, bits64: 1, bytes: 2, bits32: 5 } as const;

/** Reads the fields of a message between two positions of a buffer. */
export class FieldReader {
  readonly #bytes: Buffer;
  #position: number;
  readonly end: number;
  /** The number and the wire type of the field that `next` has found. */
  field = 0;
  wireType = 0;

  constructor(bytes: Buffer, start = 0, end = bytes.length) {
    this.#bytes = bytes;
    this.#position = start;
    this.end = end;
  }

  get position(): number {
    return this.#position;
  }

  /** Returns a reader of the same fields, from the current one on. */
  copy(): FieldReader {
    return new FieldReader(this.#bytes, this.#position, this.end);
  }

  /** Moves to the value of the next field. Returns false after the last one. The value must be read or skipped. */
  next(): boolean {
    if (this.#position >= this.end) return false;
    const tag = this.varint();
    this.field = tag >>> 3;
    this.wireType = tag & 7;
    return true;
  }

  /** @throws RangeError for a number of more than 32 bits: field tags and lengths are shorter */
  varint(): number {
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.#bytes[this.#position++] ?? truncated();
      value += (byte & 127) * 2 ** shift;
      if (byte < 128) return value;
    }
    throw new RangeError('invalid protobuf message: a number is too long');
  }

  double(): number {
    const start = this.#advance(8);
    return this.#bytes.readDoubleLE(start);
  }

  text(): string {
    const length = this.varint();
    const start = this.#advance(length);
    return this.#bytes.toString('utf8', start, start + length);
  }

  /** Returns a reader of the message that the current field contains. */
  message(): FieldReader {
    const length = this.varint();
    const start = this.#advance(length);
    return new FieldReader(this.#bytes, start, start + length);
  }

  /** Returns the bytes of the message or text that the current field contains. */
  contents(): Buffer {
    const { position, end } = this.message();
    return this.#bytes.subarray(position, end);
  }

  skip(): void {
    if (this.wireType === wireTypes.bytes) this.#advance(this.varint());
    else if (this.wireType === wireTypes.bits64) this.#advance(8);
    else if (this.wireType === wireTypes.bits32) this.#advance(4);
    else if (this.wireType === wireTypes.varint) while ((this.#bytes[this.#position++] ?? truncated()) > 127);
    else throw new RangeError(`invalid protobuf message: unknown wire type ${this.wireType}`);
  }

  /** Returns the position before the move. */
  #advance(length: number): number {
    const start = this.#position;
    if (start + length > this.end) truncated();
    this.#position += length;
    return start;
  }
}

function truncated(): never {
  throw new RangeError('invalid protobuf message: it ends within a field');
}

/**
 * Writes a message from its end to its start, so that the length of a part is known when it is written. Callers write the last field first.
 */
export class BackwardWriter {
  #bytes = Buffer.allocUnsafe(1 << 12);
  #start = this.#bytes.length;

  /** The message so far. */
  bytes(): Buffer {
    return this.#bytes.subarray(this.#start);
  }

  varintField(field: number, value: number): void {
    this.#varint(value);
    this.#tag(field, wireTypes.varint);
  }

  doubleField(field: number, value: number): void {
    this.#reserve(8);
    this.#bytes.writeDoubleLE(value, this.#start);
    this.#tag(field, wireTypes.bits64);
  }

  textField(field: number, text: string): void {
    const length = Buffer.byteLength(text);
    this.#reserve(length);
    this.#bytes.write(text, this.#start, length);
    this.#varint(length);
    this.#tag(field, wireTypes.bytes);
  }

  /** `writeMessage` writes the fields of the message that the field contains. */
  messageField(field: number, writeMessage: () => void): void {
    const end = this.#bytes.length - this.#start;
    writeMessage();
    this.#varint(this.#bytes.length - this.#start - end);
    this.#tag(field, wireTypes.bytes);
  }

  #tag(field: number, wireType: number): void {
    this.#varint((field << 3) | wireType);
  }

  #varint(value: number): void {
    let length = 1;
    for (let rest = value; rest > 127; rest = Math.floor(rest / 128)) length++;
    this.#reserve(length);
    let rest = value;
    for (let index = 1; index <= length; index++) {
      this.#bytes[this.#start + index - 1] = index === length ? rest : (rest % 128) | 128;
      rest = Math.floor(rest / 128);
    }
  }

  #reserve(length: number): void {
    if (length > this.#start) {
      const written = this.bytes();
      const larger = Buffer.allocUnsafe(2 * this.#bytes.length + length);
      written.copy(larger, larger.length - written.length);
      this.#start = larger.length - written.length;
      this.#bytes = larger;
    }
    this.#start -= length;
  }
}

/** Takes some fields out of a message. Returns their contents by number, and the message without them. */
export function splitMessage(
  bytes: Buffer,
  fields: ReadonlySet<number>,
): { rest: Buffer; taken: ReadonlyMap<number, Buffer> } {
  const reader = new FieldReader(bytes);
  const [rest, taken] = [[] as Buffer[], new Map<number, Buffer>()];
  for (let start = 0; reader.next(); start = reader.position) {
    if (reader.wireType === wireTypes.bytes && fields.has(reader.field)) {
      taken.set(reader.field, reader.contents());
    } else {
      reader.skip();
      rest.push(bytes.subarray(start, reader.position));
    }
  }
  return { rest: Buffer.concat(rest), taken };
}
