/** What a person declares: where results may go, inputs from files, and specs told from one another without their secrets. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { valueProblems } from '../../src/base/diagnostics/zodProblems.ts';
import type { ScheduledRun } from '../../src/triggers/api/runs.ts';
import { deliverySpec } from '../../src/triggers/declared/deliverySpec.ts';
import { endpointProblem, endpointProblems } from '../../src/triggers/declared/endpoint.ts';
import { parseInputFile } from '../../src/triggers/declared/inputFile.ts';
import { inputProblems } from '../../src/triggers/declared/inputSchema.ts';
import { comparableSpecs, holdsSealed, sealedSpec, specDigest } from '../../src/triggers/declared/specDigest.ts';
import { createSealer, hideSecrets } from '../../src/triggers/secrets/secrets.ts';
import { deliveryOfRun } from '../../src/triggers/worker/deliveryOfRun.ts';

describe('placeholders', () => {
  const problemOf = (spec: object) => valueProblems(deliverySpec(), spec)[0];
  const bucket = (fields: object) => ({
    destination: { type: 's3', bucket: 'b', credentials: { accessKey: 'a', secretKey: 's' }, ...fields },
  });

  it.each([
    [{ endpoint: 'https://hooks.example.com/{owner}/{schedule}/{tick}/{run}?run={run}' }],
    [{ notify: { type: 'webhook', endpoint: 'https://hooks.example.com/{run}' } }],
    [bucket({ directory: '{schedule}/{tick}', filename: { template: '{run}-{[datetime]}', extension: 'json' } })],
  ])('name what is known of a run: %j', (spec) => {
    expect(problemOf(spec)).toBeUndefined();
  });

  it.each([
    [{ endpoint: 'https://hooks.example.com/{Run}' }, '`{Run}` is not a placeholder', 'did you mean `{run}`?'],
    [
      { endpoint: 'https://hooks.example.com/?a={' },
      '`{` is not a placeholder',
      'write a brace that is meant as %7B or %7D',
    ],
    [bucket({ directory: '{date}' }), '`{date}` is not a placeholder', expect.any(String)],
  ])('are no others: %j', (spec, found, fix) => {
    const allowed = '{owner}, {schedule}, {tick}, {run}';
    expect(problemOf(spec)).toMatchObject({ code: 'unknown-placeholder', found, allowed, fix });
  });

  it('become the values of the run, encoded in URLs', () => {
    const run = { owner: 'a/b', schedule: 'n', id: 'r_1', tickAt: Date.UTC(2026, 2, 1, 2) } as ScheduledRun;
    const spec = deliverySpec().parse({
      endpoint: 'https://hooks.example.com/{owner}/{tick}.{run}',
      notify: { type: 'webhook', endpoint: 'https://hooks.example.com/?s={schedule}' },
    });
    expect(deliveryOfRun(spec, run)).toMatchObject({
      endpoint: 'https://hooks.example.com/a%2Fb/2026-03-01T02-00-00Z.r_1',
      notify: { endpoint: 'https://hooks.example.com/?s=n' },
    });
    const stored = deliverySpec().parse(bucket({ directory: '{owner}/{schedule}' }));
    expect(deliveryOfRun(stored, run)).toMatchObject({ destination: { directory: 'a/b/n' } });
  });
});

describe('an endpoint', () => {
  it.each([
    ['https://hooks.example.com/', undefined, undefined],
    ['https://8.8.8.8/', undefined, undefined],
    ['http://127.0.0.1:1/', undefined, 'private-endpoint'],
    ['http://localhost:1/', undefined, 'private-endpoint'],
    ['http://hooks.example.com/', 'endpoint-not-https', 'endpoint-not-https'],
    ['https://10.0.0.5/', undefined, 'private-endpoint'],
    ['https://[::10.0.0.1]/', undefined, 'private-endpoint'],
    ['https://[64:ff9b::10.0.0.1]/', undefined, 'private-endpoint'],
    ['https://[2002:a00:1::]/', undefined, 'private-endpoint'],
    ['https://0/', undefined, 'private-endpoint'],
    ['https://[::1]/', undefined, 'private-endpoint'],
    ['http://[::1]/', undefined, 'private-endpoint'],
    ['https://0x7f.1/', undefined, 'private-endpoint'],
    ['https://[fd00::1]/', undefined, 'private-endpoint'],
    ['https://[::ffff:10.0.0.1]/', undefined, 'private-endpoint'],
    ['https://intranet/', undefined, 'private-endpoint'],
    ['https://localhost./', undefined, 'private-endpoint'],
    ['https://nas.local./', undefined, 'private-endpoint'],
    ['https://nas.home.arpa/', undefined, 'private-endpoint'],
    ['https://hooks.example.com./', undefined, undefined],
  ])('%s is %s where private ones are allowed, else %s', (url, allowed, refused) => {
    expect(endpointProblem(url, { allowPrivate: true })?.code).toBe(allowed);
    expect(endpointProblem(url, { allowPrivate: false })?.code).toBe(refused);
  });

  it.each([
    '169.254.169.254',
    '2852039166',
    '0xa9.254.0251.254',
    '１６９.254.169.254',
    '[fd00:ec2::254]',
    '[fe80::1]',
    '[::ffff:169.254.169.254]',
    '[::169.254.169.254]',
    '[64:ff9b::a9fe:a9fe]',
    '[2002:a9fe:a9fe::1]',
    '100.100.100.200',
    '168.63.129.16',
    'metadata.google.internal',
    'metadata.goog',
    'instance-data',
  ])('is never %s, where machines are told about themselves', (host) => {
    for (const allowPrivate of [true, false])
      expect(endpointProblem(`https://${host}/latest`, { allowPrivate })?.code).toBe('link-local-endpoint');
  });

  it('is found anywhere in a spec, but not in the inputs', () => {
    const spec = {
      endpoint: 'https://10.0.0.1/',
      inputs: [{ endpoint: 'https://10.0.0.2/' }],
      delivery: { notify: { type: 'webhook', endpoint: 'https://10.0.0.3/?token=canary' } },
    };
    const problems = endpointProblems(spec, { allowPrivate: false });
    expect(problems.map(({ path }) => path)).toEqual([['endpoint'], ['delivery', 'notify', 'endpoint']]);
    expect(JSON.stringify(problems)).not.toContain('canary');
  });
});

describe('a file of inputs', () => {
  const cell = fc.stringMatching(/^[A-Za-z0-9 ,"'é\n-]{1,12}$/).filter((text) => text.trim() === text && text !== '');
  const rows = fc.array(fc.record({ url: cell, keyword: cell }, { requiredKeys: ['url'] }), {
    minLength: 1,
    maxLength: 9,
  });

  it('is the same as CSV, as JSON and as one object a line', () => {
    fc.assert(
      fc.property(rows, (inputs) => {
        const quoted = (text = '') => `"${text.replaceAll('"', '""')}"`;
        const csv = ['url,keyword', ...inputs.map(({ url, keyword }) => `${quoted(url)},${quoted(keyword)}`)].join(
          '\r\n',
        );
        const ndjson = inputs.map((input) => JSON.stringify(input)).join('\n');
        expect(parseInputFile(csv, 'a.csv', undefined).inputs).toEqual(inputs);
        expect(parseInputFile(JSON.stringify(inputs), 'a.json', undefined).inputs).toEqual(inputs);
        expect(parseInputFile(`${ndjson}\n`, 'a.ndjson', undefined).inputs).toEqual(inputs);
      }),
    );
  });

  it.each([
    ['a.csv', 'url,url\na,b\n', 'a.csv:1: two columns are named url'],
    ['a.csv', 'url,\na,b\n', 'a.csv:1: a column has no name'],
    ['a.csv', 'url\na,b\n', 'a.csv:2: '],
    ['a.csv', 'url\n', 'a.csv: it contains no inputs'],
    ['a.json', '{"url":"a"}', 'a.json: it is a map'],
    ['a.json', '[{"url":"a"},7]', 'a.json, row 2: it is a number 7'],
    ['a.json', '[{"url":', 'a.json: it is not JSON'],
    ['a.ndjson', '{"url":"a"}\n\n[]\n', 'a.ndjson:3: it is a list'],
  ])('%s with %j is refused: %s', (file, text, says) => {
    expect(() => parseInputFile(text, file, undefined)).toThrow(says);
  });

  it.each([
    ['a.csv', 'url\na\n'],
    ['a.json', '[{"url":"a"}]'],
    ['a.ndjson', '{"url":"a"}\n'],
  ])('%s is read past the mark that some editors write before the text', (file, text) => {
    expect(parseInputFile(`\uFEFF${text}`, file, undefined).inputs).toEqual([{ url: 'a' }]);
  });

  it('has numbers and booleans where the schema says so, and the first of many problems', () => {
    const schema = { n: 'number', b: { type: 'boolean', required: false } } as const;
    expect(parseInputFile('n,b\n12,TRUE\n1000,\n', 'a.csv', schema).inputs).toEqual([{ n: 12, b: true }, { n: 1000 }]);
    const bad = parseInputFile(`n\n${'x\n'.repeat(50)}`, 'a.csv', schema);
    const problems = inputProblems(schema, bad);
    expect(problems).toHaveLength(21);
    expect(problems[0]).toMatchObject({ code: 'wrong-input', found: 'a.csv:2: the column `n` is a string "x"' });
  });
});

describe('a spec without its secrets', () => {
  const sealer = createSealer([Buffer.alloc(32, 7).toString('base64')]);
  const registered = (spec: object): object => hideSecrets<object>(JSON.parse(JSON.stringify(sealer.seal(spec))));
  const secret = fc.string({ minLength: 1, maxLength: 30 });
  const spec = fc.record(
    {
      endpoint: fc.webUrl(),
      authorization: fc.oneof(secret, fc.record({ env: fc.constant('HOOK') })),
      compression: fc.constantFrom('gzip', 'none'),
      inputs: fc.array(fc.dictionary(fc.constantFrom('token', 'url', 'sealed'), fc.jsonValue()), { maxLength: 3 }),
    },
    { requiredKeys: ['endpoint'] },
  );

  it('is recognized as registered, with its fields in any order', () => {
    fc.assert(
      fc.property(spec, (declared) => {
        const reversed = Object.fromEntries(Object.entries(declared).reverse());
        expect(specDigest(reversed)).toBe(specDigest(declared));
        expect(specDigest(registered(declared))).toBe(specDigest(declared));
        const sides = comparableSpecs(declared, registered(declared));
        expect(sides.declared).toEqual(JSON.parse(JSON.stringify(sides.sealed)));
      }),
    );
  });

  it('distinguishes another secret, and shows neither', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.uuid(), { minLength: 2, maxLength: 2 }), ([one = '', other = '']) => {
        const [mine, theirs] = [{ authorization: one }, registered({ authorization: other })];
        const sides = comparableSpecs(mine, theirs);
        expect(sides).toEqual({
          declared: { authorization: '(another secret)' },
          sealed: { authorization: '(secret)' },
        });
        expect(specDigest(mine)).toBe(specDigest(theirs));
        expect(JSON.stringify(sealedSpec(mine))).not.toContain(one);
        expect([holdsSealed(sealedSpec(mine)), holdsSealed(mine)]).toEqual([true, false]);
      }),
    );
  });
});
