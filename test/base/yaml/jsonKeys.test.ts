/** Keys that JSON has twice in one object. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { repeatedKeyIn } from '../../../src/base/yaml/jsonKeys.ts';

it.each([
  ['{"url":"https://a","url":"https://b"}', 'url', 1],
  ['[{"a":1},\n{"b":[{"c":{}}],\n"b" : 2}]', 'b', 3],
  ['{"a":{"x":1,"y":{"z":1},"x":2}}', 'x', 1],
  ['{"url":1,"\\u0075rl":2}', 'url', 1],
  ['{"a\\\\":1,"b":"\\"","a\\\\":2}', 'a\\', 1],
  ['{"":1,"":2}', '', 1],
])('%s has a key twice', (json, key, line) => {
  expect(repeatedKeyIn(json)).toEqual({ key, line });
});

it.each([
  '{"a":{"a":{"a":["a","a"]}},"b":"a"}',
  '[{"a":1},{"a":1}]',
  '{"a":"{\\"b\\":1,\\"b\\":2}","b":"\\\\"}',
  '"a"',
])('%s has each key once', (json) => {
  expect(repeatedKeyIn(json)).toBeUndefined();
});

it('finds nothing in what JSON.stringify writes, and a key that is added once more', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 }), fc.nat(3), (value, indent) => {
      const json = JSON.stringify(value, null, indent);
      expect(repeatedKeyIn(json)).toBeUndefined();
      const [key = ''] = Object.keys(value);
      expect(repeatedKeyIn(`${json.slice(0, json.lastIndexOf('}'))},${JSON.stringify(key)}:1}`)?.key).toBe(key);
    }),
  );
});
