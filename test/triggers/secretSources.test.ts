/** Secrets that deliveries name: which are looked up, and why one is refused. */
import { describe, expect, it } from 'vitest';
import { ProblemError } from '../../src/base/diagnostics/problem.ts';
import { deliverySpec } from '../../src/triggers/declared/deliverySpec.ts';
import { scheduleSpec } from '../../src/triggers/declared/scheduleSpec.ts';
import {
  isTemporaryFailure,
  referenceProblems,
  type SecretSources,
  withSecrets,
} from '../../src/triggers/worker/secretSources.ts';

const endpoint = 'https://hooks.example.com/in';
const hooks = 'https://hooks.example.com';
const env = { PATH: process.env.PATH, HOOK_A: 'Bearer a', S3_KEY: 'key', EMPTY: '' };

const sources = (more: Partial<SecretSources> = {}): SecretSources => ({
  env,
  command: ['sh', '-c', 'echo "secret of $0"'],
  bindings: [
    { name: 'HOOK_*', destination: hooks },
    { name: 'EMPTY', destination: hooks },
    { name: 'hooks/results', destination: hooks },
    { name: 'S3_KEY', destination: 's3://results' },
  ],
  ...more,
});

const named = (authorization: object) => deliverySpec().parse({ endpoint, authorization });
const codesOf = (spec: Parameters<typeof referenceProblems>[0], more?: Partial<SecretSources>) =>
  referenceProblems(spec, sources(more)).map(({ code, path }) => [code, path]);

describe('a delivery', () => {
  it('gets its secrets in place of references, also inside of its destination', async () => {
    const credentials = { accessKey: { env: 'S3_KEY' }, secretKey: { env: 'S3_KEY' } };
    const destination = { type: 's3', bucket: 'results', credentials };
    expect(await withSecrets(deliverySpec().parse({ destination }), sources())).toMatchObject({
      destination: { type: 's3', bucket: 'results', credentials: { accessKey: 'key', secretKey: 'key' } },
    });
    expect(await withSecrets(named({ env: 'HOOK_A' }), sources())).toMatchObject({
      endpoint,
      authorization: 'Bearer a',
    });
  });

  it('gets the output of the command without its last line break', async () => {
    const print = async (script: string) =>
      (await withSecrets(named({ secret: 'hooks/results' }), sources({ command: ['sh', '-c', script] }))).authorization;
    expect(await print('echo "secret of $0"')).toBe('secret of hooks/results');
    expect(await print('printf "a\\r\\n"')).toBe('a');
    expect(await print('printf " a b\\n\\n"')).toBe(' a b\n');
    expect(await print('printf a')).toBe('a');
  });

  it('gets the value of a variable without its last line break', async () => {
    const read = async (value: string) =>
      (await withSecrets(named({ env: 'HOOK_A' }), sources({ env: { HOOK_A: value } }))).authorization;
    expect(await read('Bearer a\n')).toBe('Bearer a');
    await expect(read('\n')).rejects.toThrow('HOOK_A');
  });

  it('finds references in lists of its destination', () => {
    const destination = { type: 'sftp', keys: ['plain', { env: 'AWS_KEY' }] };
    expect(codesOf(deliverySpec().parse({ destination }))).toEqual([
      ['secret-not-bound', ['destination', 'keys', '1']],
    ]);
  });
});

describe('a reference is refused', () => {
  it.each([
    ['to a variable that is bound to no destination', { env: 'AWS_KEY' }, {}, 'secret-not-bound'],
    ['to a variable without bindings at all', { env: 'HOOK_A' }, { bindings: undefined }, 'secret-not-bound'],
    ['to a name without a secret command', { secret: 'hooks/results' }, { command: undefined }, 'no-secret-command'],
    ['to a name that is bound to no destination', { secret: 'other' }, {}, 'secret-not-bound'],
  ] as const)('%s', async (_, reference, more, code) => {
    const delivery = named(reference);
    const [problem] = referenceProblems(delivery, sources(more));
    expect(problem).toMatchObject({ code, path: ['authorization'] });
    await expect(withSecrets(delivery, sources(more))).rejects.toMatchObject({ problems: [{ code }] });
  });

  it('to a name that could be an option or a path, before the command runs', async () => {
    const delivery = { ...named({ secret: 'a' }), authorization: { secret: '--help' } };
    const expected = {
      code: 'wrong-secret-name',
      found: '"--help" is not a valid name of a secret',
      allowed: expect.stringContaining('parts of letters, digits'),
      fix: 'rename the secret',
    };
    expect(referenceProblems(delivery, sources())).toMatchObject([expected]);
    await expect(withSecrets(delivery, sources())).rejects.toMatchObject({ problems: [expected] });
  });

  it('to a variable that is not set, or empty, when it is looked up', async () => {
    for (const name of ['HOOK_NONE', 'EMPTY'])
      await expect(withSecrets(named({ env: name }), sources())).rejects.toMatchObject({
        problems: [{ code: 'secret-not-set', found: expect.stringContaining(`the variable ${name} is not set`) }],
      });
  });

  it('to a command that is empty', async () => {
    await expect(withSecrets(named({ secret: 'hooks/results' }), sources({ command: [] }))).rejects.toMatchObject({
      problems: [{ code: 'no-secret-command' }],
    });
  });
});

describe('a schedule', () => {
  const parse = (more: object) =>
    scheduleSpec().parse({ collector: 'c_prices', every: '1h', inputs: [{ url: 'https://a.example' }], ...more });

  it('is checked with its own delivery, and without a named one', () => {
    const delivery = { endpoint, authorization: { env: 'AWS_KEY' } };
    expect(codesOf(parse({ delivery }))).toEqual([['secret-not-bound', ['delivery', 'authorization']]]);
    expect(codesOf(parse({ delivery: 'results' }))).toEqual([]);
    expect(codesOf(parse({}))).toEqual([]);
    // Inputs are sent as they are: a reference in them is none.
    expect(codesOf(parse({ inputs: [{ env: 'AWS_KEY' }] }))).toEqual([]);
  });
});

describe('a failure is temporary', () => {
  const error = (...codes: string[]) => new ProblemError(codes.map((code) => ({ code, found: code })));

  it('only if it is a failure of the secret command alone', () => {
    expect(isTemporaryFailure(error('secret-command-failed'))).toBe(true);
    expect(isTemporaryFailure(error('secret-command-failed', 'secret-not-set'))).toBe(false);
    expect(isTemporaryFailure(error('secret-not-set'))).toBe(false);
    expect(isTemporaryFailure(new Error('secret-command-failed'))).toBe(false);
  });
});
