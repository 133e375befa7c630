/** What is registered, compared with what is declared, and written as a declaration. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pulledSpec } from '../../../src/kinds/registered/exportLive.ts';
import { changesTo } from '../../../src/kinds/registered/registryRecord.ts';
import { deliverySpec } from '../../../src/triggers/declared/deliverySpec.ts';
import { scheduleSpec } from '../../../src/triggers/declared/scheduleSpec.ts';
import { specDigest } from '../../../src/triggers/declared/specDigest.ts';
import { sealedHash } from '../../../src/triggers/secrets/secrets.ts';

/** The same value, the entries of its maps the other way round, however deep. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).reverse();
  return Object.fromEntries(entries.map(([name, field]) => [name, reversed(field)]));
}

describe('inputs', () => {
  const mapOf = <Value>(value: fc.Arbitrary<Value>) =>
    fc.dictionary(fc.constantFrom('url', 'filter', 'from', 'to'), value, { maxKeys: 3 });
  const input = mapOf(fc.oneof(fc.nat(), mapOf(fc.array(mapOf(fc.nat()), { maxLength: 2 }))));

  it('are no change where only the order of their fields is another, however deep', () => {
    fc.assert(
      fc.property(fc.array(input, { maxLength: 12 }), (inputs) => {
        const [declared, registered] = [{ inputs }, { inputs: reversed(inputs) as object[] }];
        expect(specDigest(registered)).toBe(specDigest(declared));
        expect(changesTo(declared, registered)).toEqual([]);
      }),
    );
  });

  it('are a change where a value within them is another', () => {
    const [declared, registered] = [{ inputs: [{ price: { to: 9 } }] }, { inputs: [{ price: { to: 8 } }] }];
    expect(changesTo(declared, registered)).toMatchObject([{ path: ['inputs', 'row 1'], kind: 'change' }]);
  });

  it('are one short change where they are many, from which the two can be told apart', () => {
    const inputs = Array.from({ length: 11 }, (_, index) => ({ url: `https://shop.example.com/${index}` }));
    const [change, ...others] = changesTo({ inputs: [...inputs, { url: 'a' }] }, { inputs: [...inputs, { url: 'b' }] });
    expect(others).toEqual([]);
    expect(change).toMatchObject({ path: ['inputs'], kind: 'change' });
    const [from, to] = [change?.before, change?.after].map(String);
    for (const side of [from, to]) expect(side).toMatch(/^12 rows \([\da-f]{8}\)$/);
    expect(from).not.toBe(to);
  });
});

describe('a pulled spec', () => {
  it('has variables for secrets, and what looks like a secret in the inputs as it is', () => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: that is what it says
    const inputs = [{ url: '${x}', sealed: sealedHash('data'), more: { sealed: { hash: 'a', salt: 'b' } } }];
    const delivery = { endpoint: 'https://hooks.example.com/', authorization: sealedHash('canary') };
    expect(pulledSpec('nightly', { collector: 'c_prices', inputs, delivery }, scheduleSpec())).toEqual({
      collector: 'c_prices',
      inputs: [{ ...inputs[0], url: '$${x}' }],
      // biome-ignore lint/suspicious/noTemplateCurlyInString: that is what it says
      delivery: { endpoint: 'https://hooks.example.com/', authorization: '${NIGHTLY_DELIVERY_AUTHORIZATION}' },
    });
  });

  it('names a variable after where its secret stands', () => {
    const credentials = { accessKey: sealedHash('one'), secretKey: { env: 'KEY' } };
    const destination = { type: 's3', bucket: 'results', credentials, list: [sealedHash('two')] };
    expect(pulledSpec('2nd', { destination, compression: 'gzip' }, deliverySpec())).toEqual({
      destination: {
        ...destination,
        // biome-ignore-start lint/suspicious/noTemplateCurlyInString: that is what it says
        credentials: { accessKey: '${_2ND_DESTINATION_CREDENTIALS_ACCESS_KEY}', secretKey: { env: 'KEY' } },
        list: ['${_2ND_DESTINATION_LIST_0}'],
        // biome-ignore-end lint/suspicious/noTemplateCurlyInString: that is what it says
      },
    });
  });
});
