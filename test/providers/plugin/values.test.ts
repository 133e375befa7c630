/** Property values on the wire, compared with the classes that are generated for the messages. */
import fc from 'fast-check';
import structs from 'google-protobuf/google/protobuf/struct_pb.js';
import { describe, expect, it } from 'vitest';
import { areEqual, decode, encode } from '../../../providers/plugin/values.ts';

const signature = '4dabf18193072939515e22adb298388d';
const secret = '1b47061264138c4ac30d75fd1eb44270';
const output = 'd0e6a833031e9bbcd3f4e8bde6ca49a4';

const decodeJson = (value: Record<string, unknown>) =>
  decode(Buffer.from(structs.Struct.fromJavaScript(value as never).serializeBinary()));

const leaf = fc.oneof(fc.string({ unit: 'binary' }), fc.double({ noNaN: true }), fc.integer(), fc.boolean());
/** The generated classes lose the key `__proto__`. */
const key = fc.string({ unit: 'binary' }).filter((name) => name !== '__proto__');
const { object } = fc.letrec<{ value: unknown; object: Record<string, unknown> }>((tie) => ({
  value: fc.oneof({ maxDepth: 4 }, leaf, fc.array(tie('value'), { maxLength: 5 }), tie('object')),
  object: fc.dictionary(key, tie('value'), { maxKeys: 5, noNullPrototype: true }),
}));

describe('values', () => {
  it('are the same for the generated classes', () => {
    fc.assert(
      fc.property(object, (values) => {
        expect(decodeJson(values)).toEqual({ values, secrets: [] });
        const generated = structs.Struct.deserializeBinary(encode({ values, secrets: [] }));
        expect(generated.toJavaScript()).toEqual(values);
      }),
    );
  });

  it('of any length survive', () => {
    const values = {
      long: 'ü'.repeat(100_000),
      many: Array.from({ length: 20_000 }, (_, index) => `${index}`),
      empty: '',
    };
    expect(decode(encode({ values, secrets: [] }))).toEqual({ values, secrets: [] });
  });

  it('that are cut off, or no message at all, are refused', () => {
    const bytes = encode({ values: { zones: { checkout: ['192.0.2.1', 2, true, {}] } }, secrets: [] });
    for (let length = 1; length < bytes.length; length++) {
      expect(() => decode(bytes.subarray(0, length)), `${length} bytes`).toThrow(RangeError);
    }
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 50 }), (random) => {
        try {
          decode(Buffer.from(random));
        } catch (error) {
          expect(error).toBeInstanceOf(Error);
        }
      }),
    );
  });
});

describe('secrets', () => {
  it('are those that the engine marks', () => {
    const wrapped = { [signature]: secret, value: 'x' };
    const outputs = { [signature]: output, value: 'y', secret: true };
    const { values, secrets } = decodeJson({ plain: 'x', wrapped, deep: { list: ['a', wrapped] }, outputs });
    expect(values).toEqual({ plain: 'x', wrapped: 'x', deep: { list: ['a', 'x'] }, outputs: 'y' });
    expect(secrets.map((path) => path.join('.')).sort()).toEqual(['deep.list', 'outputs', 'wrapped']);
    expect(areEqual(decode(encode({ values, secrets })), { values, secrets })).toBe(true);
  });

  it('are found within an output that is none', () => {
    const inner = { [signature]: secret, value: 'x' };
    const open = { [signature]: output, value: { inner, other: 1 } };
    expect(decodeJson({ open })).toEqual({ values: { open: { inner: 'x', other: 1 } }, secrets: [['open', 'inner']] });
  });

  it('are equal in any order, which is random for the maps of the engine', () => {
    const values = { one: 'x', other: 'y' };
    expect(areEqual({ values, secrets: [['one'], ['other']] }, { values, secrets: [['other'], ['one']] })).toBe(true);
    expect(areEqual({ values, secrets: [['one']] }, { values, secrets: [['other']] })).toBe(false);
    expect(areEqual({ values, secrets: [] }, { values: { ...values, one: 'z' }, secrets: [] })).toBe(false);
  });

  it('are not objects that have a field of that name', () => {
    const values = { input: { secret: true, value: 'x' } };
    expect(decodeJson(values)).toEqual({ values, secrets: [] });
    const open = { [signature]: output, value: 'y', secret: false };
    expect(decodeJson({ open })).toEqual({ values: { open: 'y' }, secrets: [] });
  });
});
