import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { runtime } from '@pulumi/pulumi';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Handlers } from '../../../providers/runtime/handlers.ts';

/** As Node loads it from the built package: the test runner's own transformations must not show. */
const load = createRequire(`${resolve('dist')}/`);
const { providerOf } = load('./providers/provider.js') as typeof import('../../../providers/provider.ts');

/** What the SDK writes into the state. */
async function serialized(kind: string): Promise<string> {
  const provider = providerOf(kind);
  const { text } = await runtime.serializeFunction(() => provider, { allowSecrets: true });
  return text;
}

/** What the SDK makes of a text in the state. */
function deserialized(text: string): Handlers {
  const exports: { handler?: () => Handlers } = {};
  new Function('exports', 'require', text)(exports, load);
  return exports.handler?.() as Handlers;
}

describe('the serialized provider', () => {
  it('is the same to the byte in every version, so that no upgrade writes another text into each resource', async () => {
    const text = await serialized('ZoneIpAllocation');
    expect(createHash('sha256').update(text).digest('hex')).toBe(
      '6eefe60bf4476a7f8287a9f334e4e7ace16a5dee32f4de2e24dd18a651d6dba3',
    );
  });

  it('holds the name of its kind, and nothing else of ours', async () => {
    const text = await serialized('ManagerSettings');
    expect(text).toBe((await serialized('ZoneIpAllocation')).replace('ZoneIpAllocation', 'ManagerSettings'));
    expect(text).toContain("('pulumi-webdata/pulumi/runtime')");
    expect(text.length).toBeLessThan(1_100);
  });
});

describe('the provider that the SDK makes of it', () => {
  const config = { get: () => undefined, require: () => '' };
  const methods = ['check', 'diff', 'create', 'read', 'update', 'delete'] as const;
  afterEach(() => vi.restoreAllMocks());

  it('has every method once it is configured, without waiting', async () => {
    const provider = deserialized(await serialized('ZoneIpAllocation'));
    const configured = provider.configure({ config });
    expect(methods.filter((name) => provider[name] === undefined)).toEqual([]);
    await configured;
  });

  it('fails in every method where the package is not installed: the SDK would take a missing one as done', async () => {
    vi.spyOn(process, 'cwd').mockReturnValue('/');
    const provider = deserialized(await serialized('ZoneIpAllocation'));
    await provider.configure({ config });
    for (const name of methods) {
      expect(() => (provider[name] as () => unknown)(), name).toThrow(
        "Cannot find module 'pulumi-webdata/pulumi/runtime'",
      );
    }
  });
});
