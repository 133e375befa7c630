/** Errors whose cause is not in the declaration: each is said once, names what it affects, and blames no line of the file. */
import { describe, expect, it } from 'vitest';
import { type Harness, openDeclared } from '../harness.ts';

const declaration = `
zoneIpAllocations:
  one: { zones: { checkout: { ips: [192.0.2.10] } }, sources: [pricing] }
  two: { zones: { archive: { ips: [203.0.113.40] } }, sources: [parked] }
  three: { zones: { old-pricing: { ips: [203.0.113.50] } }, sources: [parked] }
`;
const affects = '  affects: zoneIpAllocations.one, zoneIpAllocations.two, zoneIpAllocations.three\n';

/** A port that was free a moment ago. */
const closed = 'http://127.0.0.1:9';

interface Cause {
  name: string;
  env(emulator: Harness['emulator']): Record<string, string | undefined>;
  says: string;
}

const causes: readonly Cause[] = [
  { name: 'a missing key', env: () => ({ WEBDATA_API_KEY: undefined }), says: 'the API key is missing\n' },
  { name: 'an empty key', env: () => ({ WEBDATA_API_KEY: '' }), says: 'the API key is empty\n' },
  { name: 'a wrong key', env: () => ({ WEBDATA_API_KEY: 'wrong-key-0123456789' }), says: ' was answered 401: ' },
  {
    name: 'a key that may not read',
    env: ({ keys }) => ({ WEBDATA_API_KEY: keys.finance }),
    says: ' was answered 403: ',
  },
  { name: 'a missing URL', env: () => ({ WEBDATA_API_URL: undefined }), says: 'the URL of the service is not known\n' },
  { name: 'an empty URL', env: () => ({ WEBDATA_API_URL: '' }), says: 'the URL of the service is not known\n' },
  { name: 'a refused connection', env: () => ({ WEBDATA_API_URL: closed }), says: 'ECONNREFUSED' },
  {
    name: 'a wrong path in the URL',
    env: ({ apiUrl }) => ({ WEBDATA_API_URL: `${apiUrl}/v2` }),
    says: 'no declared zone exists at http://127.0.0.1:',
  },
  {
    name: 'the URL of another server',
    env: ({ managerUrl }) => ({ WEBDATA_API_URL: managerUrl }),
    says: 'no declared zone exists at http://127.0.0.1:',
  },
];

describe.each([['plan'], ['drift'], ['apply', '--yes']])('webdata %s', (...command) => {
  it.each(causes)('says once that $name is the cause', async ({ env, says }) => {
    await using harness = await openDeclared('plain', declaration);
    const { webdataWith, emulator } = harness;
    const { code, stdout, stderr } = await webdataWith({ env: env(emulator) }, ...command, '--retries', '0');
    expect(code).toBe(1);
    expect(stderr).toBe('');
    expect(stdout.split(says)).toHaveLength(2);
    expect(stdout).toContain(affects);
    expect(stdout).toMatch(/: 1 problem (blocks this plan|prevents a full check)\.\n$/);
    expect(stdout).not.toMatch(/webdata\.yaml:\d/);
  });
});

it('annotations of GitHub point at no line for a cause outside the file, and are not repeated', async () => {
  await using harness = await openDeclared('plain', declaration);
  const { webdataWith } = harness;
  const { stderr } = await webdataWith(
    { env: { WEBDATA_API_KEY: 'wrong-key-0123456789', GITHUB_ACTIONS: 'true' } },
    'plan',
  );
  const errors = stderr.split('\n').filter((line) => line.startsWith('::error'));
  expect(errors).toHaveLength(1);
  expect(errors[0]).not.toContain('webdata.yaml');
});

it('a mistyped zone is still located', async () => {
  await using harness = await openDeclared('plain', declaration.replace('archive:', 'archve:'));
  const { stdout } = await harness.webdata('plan');
  expect(stdout).toMatch(/webdata\.yaml:\d+:\d+: zone `archve` does not exist/);
});
