import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { runtime } from '@pulumi/pulumi';
import { describe, expect, it } from 'vitest';

/** As Node loads it from the built package: the test runner's own transformations must not show. */
const load = createRequire(`${resolve('dist')}/`);
const { providerOf } = load('./providers/provider.js') as typeof import('../../../providers/provider.ts');

/** What the SDK writes into the state. */
async function serialized(kind: string): Promise<string> {
  const provider = providerOf(kind);
  const { text } = await runtime.serializeFunction(() => provider, { allowSecrets: true });
  return text;
}

describe('the serialized provider', () => {
  it('is the same to the byte in every version: another text would be a difference of every resource', async () => {
    const text = await serialized('ZoneIpAllocation');
    expect(createHash('sha256').update(text).digest('hex')).toBe(
      '8ae071d312171c254c24cbeb9b3f9ed257efed4426d25682569b343b428edc96',
    );
  });

  it('holds the name of its kind, and nothing else of ours', async () => {
    const text = await serialized('ManagerSettings');
    expect(text).toBe((await serialized('ZoneIpAllocation')).replace('ZoneIpAllocation', 'ManagerSettings'));
    expect(text).toContain("('pulumi-webdata/pulumi/runtime')");
    expect(text.length).toBeLessThan(2_500);
  });
});
