import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parsePropertyPath, propertyPath } from '../../providers/pulumi/propertyPath.ts';

it('quotes what the engine would misread', () => {
  expect(propertyPath(['zones', 'checkout', 'ips', 0])).toBe('zones.checkout.ips[0]');
  expect(propertyPath(['zones', 'a.b', 'say "x"'])).toBe('zones["a.b"]["say \\"x\\""]');
  expect(propertyPath([])).toBe('');
});

it('keeps a backslash as it is: the engine knows no escape for it', () => {
  expect(propertyPath(['zones', 'a\\b', 'ips', 0])).toBe('zones["a\\b"].ips[0]');
});

it('writes a key without quotes that the engine would misread in quotes', () => {
  expect(propertyPath(['zones', 'a\\', 'ips', 0])).toBe('zones.a\\.ips[0]');
  expect(propertyPath(['zones', 'a\\"b'])).toBe('zones.a\\"b');
});

it('ends before a key that cannot be written', () => {
  expect(propertyPath(['zones', 'a.b\\', 'ips'])).toBe('zones');
  expect(propertyPath(['zones', 'a[\\"b'])).toBe('zones');
});

it('is read by the engine as the same path, or as the start of it', () => {
  const key = fc.oneof(
    fc.string({ minLength: 1 }),
    fc.constantFrom('a\\b', '"', '\\', '\\"', 'a.b', 'a.b\\', '[0]'),
    fc.nat(9),
  );
  fc.assert(
    fc.property(fc.array(key), (path) => {
      const read = parsePropertyPath(propertyPath(path)) ?? [];
      expect(read).toEqual(path.slice(0, read.length));
    }),
  );
});
