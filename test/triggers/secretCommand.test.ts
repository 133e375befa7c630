/** A secret command is a program of somebody else. */
import { expect, it } from 'vitest';
import { deliverySpec } from '../../src/triggers/declared/deliverySpec.ts';
import { withSecrets } from '../../src/triggers/worker/secretSources.ts';

it('is given its own environment, and none of the secrets of the trigger service', async () => {
  const env = {
    PATH: process.env.PATH,
    VAULT_ADDR: 'https://vault.example.com',
    WEBDATA_API_KEY: 'canary-key',
    WEBDATA_TRIGGERS_TOKEN: 'canary-token',
    WEBDATA_TRIGGERS_KEY: 'canary-encryption',
    WEBDATA_TRIGGERS_STORE: 'postgres://user:canary-password@db/webdata',
    HOOK_RESULTS: 'canary-hook',
    S3_SECRET: 'canary-s3',
  };
  const sources = {
    env,
    command: ['sh', '-c', 'env; echo "asked for $0"'],
    bindings: [
      { name: 'hooks/results', destination: 'https://hooks.example.com' },
      { name: 'HOOK_*', destination: 'https://hooks.example.com' },
      { name: 'S3_SECRET', destination: 's3://results' },
    ],
  };
  const endpoint = 'https://hooks.example.com/in';
  const delivery = deliverySpec().parse({ endpoint, authorization: { secret: 'hooks/results' } });
  const printed = String((await withSecrets(delivery, sources)).authorization);
  expect(printed).toContain('VAULT_ADDR=https://vault.example.com');
  expect(printed).toContain('asked for hooks/results');
  expect(printed).not.toContain('canary');
});

it.each(['true', 'echo', 'printf " \\n\\n"'])('may not print nothing, as `%s` does', async (script) => {
  const sources = {
    env: { PATH: process.env.PATH },
    command: ['sh', '-c', script],
    bindings: [{ name: 'hooks/results', destination: 'https://hooks.example.com' }],
  };
  const endpoint = 'https://hooks.example.com/in';
  const delivery = deliverySpec().parse({ endpoint, authorization: { secret: 'hooks/results' } });
  await expect(withSecrets(delivery, sources)).rejects.toMatchObject({
    problems: [{ code: 'secret-command-failed', found: expect.stringContaining('it printed nothing') }],
  });
});
