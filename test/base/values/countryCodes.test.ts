/** Country codes for what people write instead of them. */
import { describe, expect, it } from 'vitest';
import { countryCodeFor } from '../../../src/base/values/countryCodes.ts';

describe('the country code for', () => {
  it.each([
    ['usa', 'us'],
    ['DEU', 'de'],
    // These do not begin as the code of two letters does.
    ['aut', 'at'],
    ['irl', 'ie'],
    ['Germany', 'de'],
    ['united states', 'us'],
    ['United_Kingdom', 'gb'],
    ['UK', 'gb'],
    ['Côte d’Ivoire', 'ci'],
    ['Türkiye', 'tr'],
  ])('%s is %s', (written, code) => {
    expect(countryCodeFor(written)).toBe(code);
  });

  it.each(['', 'xyz', 'Europe', 'toString', '12'])('%j is unknown', (written) => {
    expect(countryCodeFor(written)).toBeUndefined();
  });
});
