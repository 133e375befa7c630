/** Where secrets may be sent: only where the operator of the trigger service allows it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, type TestContext } from 'vitest';
import { type DeliverySpec, deliverySpec } from '../../src/triggers/declared/deliverySpec.ts';
import { parseSecretBinding } from '../../src/triggers/secrets/secretBinding.ts';
import { firingSetting, sent } from './firingSetting.ts';

const hooks = 'https://hooks.example.com';
const env = { HOOK_AUTHORIZATION: 'Bearer from-env', HOOK_S3: 'key' };
const command = ['sh', '-c', 'echo "Bearer $0"'];

const bindings = [
  { name: 'HOOK_AUTHORIZATION', destination: hooks },
  { name: 'teams/*', destination: hooks },
  { name: 'HOOK_S3', destination: 's3://results' },
];

function storeOf(): string {
  const folder = mkdtempSync(join(tmpdir(), 'wd-binding-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'store.db');
}

async function put(end: Pick<TestContext, 'onTestFinished'>, delivery: object) {
  const secrets = { env, command, bindings };
  const { triggers } = await firingSetting(storeOf(), end, { secrets });
  const raw = { compression: 'gzip', ...delivery };
  return triggers.putDelivery('acme', 'results', raw as DeliverySpec);
}

const s3 = (bucket: string) => ({
  destination: { type: 's3', bucket, credentials: { accessKey: { env: 'HOOK_S3' }, secretKey: { env: 'HOOK_S3' } } },
});

describe('a delivery that names a secret', () => {
  it.each([
    ['to the endpoint that it is bound to', { endpoint: `${hooks}/in`, authorization: { env: 'HOOK_AUTHORIZATION' } }],
    ['of a group of names', { endpoint: `${hooks}/in`, authorization: { secret: 'teams/prices' } }],
    ['for its bucket', s3('results')],
  ])('is registered: %s', async (_, delivery) => {
    await expect(put({ onTestFinished }, delivery)).resolves.toMatchObject({ name: 'results' });
  });

  it.each([
    [
      'to another host',
      { endpoint: 'https://evil.example/in', authorization: { env: 'HOOK_AUTHORIZATION' } },
      "secret HOOK_AUTHORIZATION must not be sent to https://evil.example; allowed: https://hooks.example.com; fix: to allow it, start the trigger service with --secret-for 'HOOK_AUTHORIZATION=https://evil.example'",
    ],
    [
      'to another port',
      { endpoint: 'https://hooks.example.com:8443/in', authorization: { env: 'HOOK_AUTHORIZATION' } },
      'must not be sent to https://hooks.example.com:8443',
    ],
    [
      'to a host that only begins like it',
      { endpoint: 'https://hooks.example.com.evil.example/in', authorization: { env: 'HOOK_AUTHORIZATION' } },
      'must not be sent to https://hooks.example.com.evil.example',
    ],
    [
      'to a host behind user information',
      { endpoint: 'https://hooks.example.com@evil.example/in', authorization: { env: 'HOOK_AUTHORIZATION' } },
      'must not be sent to https://evil.example',
    ],
    ['of another name', { endpoint: hooks, authorization: { env: 'HOOK_S3' } }, '--secret-for'],
    ['of another bucket', s3('evil'), "--secret-for 'HOOK_S3=s3://evil'"],
    [
      'to a place whose fields are not known',
      { destination: { type: 'sftp', host: 'evil.example', password: { env: 'HOOK_AUTHORIZATION' } } },
      "--secret-for 'HOOK_AUTHORIZATION=sftp:*'",
    ],
    [
      'that climbs out of its folder',
      { endpoint: hooks, authorization: { secret: '../../etc/passwd' } },
      'must be a name|not the name|allowed',
    ],
    [
      'that climbs out of a group',
      { endpoint: hooks, authorization: { secret: 'teams/../../etc/passwd' } },
      'must be a name|not the name|allowed',
    ],
    [
      'that is an option',
      { endpoint: hooks, authorization: { secret: '--help' } },
      'must be a name|not the name|allowed',
    ],
  ])('is refused: %s', async (_, delivery, says) => {
    const refused = put({ onTestFinished }, delivery).then(
      () => 'registered',
      (error: { problems?: { found: string; allowed?: string; fix?: string }[] }) =>
        (error.problems ?? [])
          .map(({ found, allowed, fix }) => `${found}; allowed: ${allowed}; fix: ${fix}`)
          .join('\n'),
    );
    expect(await refused).toMatch(says.includes('|') ? new RegExp(says) : says);
  });

  it('is no longer fired after its binding was removed', async (end) => {
    const store = storeOf();
    const secrets = { env, bindings };
    const before = await firingSetting(store, end, { secrets, limits: { account: 0 } });
    const delivery = deliverySpec().parse({ endpoint: `${hooks}/in`, authorization: { env: 'HOOK_AUTHORIZATION' } });
    await before.triggers.putDelivery('acme', 'results', delivery);
    const { id } = await before.fire({ delivery: 'results' });
    await before.another({ secrets: { env }, limits: {} });
    const { reason } = await before.until(id, 'failed');
    expect(reason).toMatch(/^nothing was sent: .*HOOK_AUTHORIZATION must not be sent to https:\/\/hooks\.example\.com/);
    expect(sent(before)).toBe(0);
  });

  it('may only name allowed hosts, for results, notifications and alerts', async (end) => {
    const { triggers, fire } = await firingSetting(storeOf(), end, { endpointHosts: ['hooks.example.com'] });
    const evil = 'https://evil.example/in';
    const parse = (delivery: object) => deliverySpec().parse(delivery);
    await triggers.putDelivery('acme', 'good', parse({ endpoint: `${hooks}/in` }));
    for (const delivery of [{ endpoint: evil }, { notify: { type: 'webhook', endpoint: evil } }])
      await expect(triggers.putDelivery('acme', 'bad', parse(delivery))).rejects.toThrow(
        'host evil.example is not allowed for endpoints',
      );
    await expect(fire({ alerts: { endpoint: evil } })).rejects.toThrow('evil.example is not allowed');
    await expect(fire({ delivery: { endpoint: evil } })).rejects.toThrow('evil.example is not allowed');
  });
});

describe('a binding', () => {
  it.each([
    ['HOOK=https://Hooks.Example.com', { name: 'HOOK', destination: hooks }],
    ['HOOK=https://hooks.example.com:443/', { name: 'HOOK', destination: hooks }],
    ['HOOK_*=http://127.0.0.1:22996', { name: 'HOOK_*', destination: 'http://127.0.0.1:22996' }],
    ['teams/a=s3://bucket', { name: 'teams/a', destination: 's3://bucket' }],
    ['HOOK=sftp:*', { name: 'HOOK', destination: 'sftp:*' }],
    ['HOOK', undefined],
    ['HOOK=', undefined],
    ['HOOK=hooks.example.com', undefined],
    ['HOOK=https://hooks.example.com/in', undefined],
    ['HOOK=https://user@hooks.example.com', undefined],
    ['../HOOK=https://hooks.example.com', undefined],
    ['*=https://hooks.example.com', undefined],
  ])('%s', (text, binding) => {
    expect(parseSecretBinding(text)).toEqual(binding);
  });
});
