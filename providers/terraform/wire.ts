/** Values on the wire: MessagePack, with unknown values as an extension. */
import { decode, ExtensionCodec, encode } from '@msgpack/msgpack';

/** A value that is known only after the apply of another resource. */
export class Unknown {}

export const unknown = new Unknown();

/** An object on the wire: every attribute of its schema, in snake case; null for one that is not set. */
export type WireObject = Readonly<Record<string, unknown>>;

export interface DynamicValue {
  msgpack: Uint8Array;
  json: Uint8Array;
}

const extensions = new ExtensionCodec();
extensions.register({
  type: 0,
  encode: (value) => (value instanceof Unknown ? Uint8Array.of(0) : null),
  decode: () => unknown,
});
/** An unknown value of which something is known, such as that it is not null. */
const refinedUnknown = 12;
extensions.register({ type: refinedUnknown, encode: () => null, decode: () => unknown });

/** Returns null for an object that does not exist. */
export function fromDynamicValue(value: DynamicValue | null): WireObject | null {
  return decoded(value) as WireObject | null;
}

export function decoded(value: DynamicValue | null): unknown {
  if (value === null) return null;
  if (value.msgpack.length > 0) return decode(value.msgpack, { extensionCodec: extensions });
  return value.json.length > 0 ? JSON.parse(Buffer.from(value.json).toString()) : null;
}

export function toDynamicValue(value: unknown): Partial<DynamicValue> {
  return { msgpack: encode(value, { extensionCodec: extensions, ignoreUndefined: true }) };
}
