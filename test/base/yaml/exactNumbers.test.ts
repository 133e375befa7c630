/** Which numbers keep their value, and JSON that keeps the digits of those that do not. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inexactInJson, keepsDigits, parseExact } from '../../../src/base/yaml/exactNumbers.ts';

describe('keepsDigits', () => {
  it('is true of every number as JavaScript writes it, also with zeros around it', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.nat(5), (value, zeros) => {
        const text = String(value);
        expect(keepsDigits(text)).toBe(true);
        const padded = /^-?\d+\.\d+$/.test(text) ? `${text}${'0'.repeat(zeros)}` : text;
        expect(keepsDigits(padded)).toBe(true);
      }),
    );
  });

  it('is true of a whole number exactly where it is the one that a BigInt is', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }), (value) => {
        const written = BigInt(Number(value).toLocaleString('fullwide', { useGrouping: false }));
        expect(keepsDigits(String(value))).toBe(written === value);
      }),
    );
  });

  it('is false of a number that is beyond every JavaScript number', () => {
    for (const text of ['1e999', `0x${'f'.repeat(300)}`]) expect(keepsDigits(text)).toBe(false);
  });
});

describe('parseExact', () => {
  it('writes JSON of any numbers back with their digits, and any other JSON as JSON.parse would', () => {
    fc.assert(
      fc.property(fc.json(), fc.bigInt(), (json, big) => {
        expect(JSON.stringify(parseExact(json))).toBe(JSON.stringify(JSON.parse(json)));
        const row = `{"id":${big},"text":"${big}, ${big}","inner":[${big},${json}]}`;
        const rest = JSON.stringify(parseExact(json));
        expect(JSON.stringify(parseExact(row))).toBe(`{"id":${big},"text":"${big}, ${big}","inner":[${big},${rest}]}`);
      }),
    );
  });

  it('takes one look at a long text of digits in strings', () => {
    const text = JSON.stringify({ a: '1, 12345678901234567890"\\'.repeat(200_000) });
    expect(inexactInJson(text)).toBeUndefined();
    expect(JSON.stringify(parseExact(text))).toBe(text);
  });
});
