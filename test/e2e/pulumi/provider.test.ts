import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { runtime } from '@pulumi/pulumi';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Handlers } from '../../../providers/runtime/handlers.ts';
import { accounts, migrationsOf } from '../../cli/harness.ts';
import { describeOnEngine, openProject } from './harness.ts';

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

describeOnEngine('a stack of version 0.1.0, whose state holds a longer text', () => {
  it('has no changes, goes on, and is taken down', async () => {
    await using project = await openProject(accounts.plain);
    const program = (ips: readonly string[]) =>
      project.program(
        `new ZoneIpAllocation('static', { zones: { checkout: { ips: ${JSON.stringify(ips)} } }, sources: ['pricing'] });`,
      );
    await program(['192.0.2.12']);
    expect(await project.pulumi('up', '--yes', '--skip-preview')).toMatchObject({ code: 0 });
    await replaceProvider(await readFile(join(import.meta.dirname, 'provider-0.1.0.txt'), 'utf8'));
    for (const command of [['preview'], ['preview', '--refresh'], ['refresh', '--yes']]) {
      const { code, output } = await project.pulumi(...command, '--expect-no-changes');
      expect(code, output).toBe(0);
    }

    await program(['192.0.2.12', '192.0.2.10']);
    expect(await project.pulumi('up', '--yes', '--skip-preview')).toMatchObject({ code: 0 });
    expect(migrationsOf(project.emulator.requests())).toEqual(['pricing -> checkout: 192.0.2.10']);
    const [allocation] = await project.state('ZoneIpAllocation');
    expect(allocation?.outputs.__provider).toBe(await serialized('ZoneIpAllocation'));
    await replaceProvider(await readFile(join(import.meta.dirname, 'provider-0.1.0.txt'), 'utf8'));
    expect(await project.pulumi('destroy', '--yes')).toMatchObject({ code: 0 });

    async function replaceProvider(text: string): Promise<void> {
      const { output } = await project.pulumi('stack', 'export', '--show-secrets');
      const exported = JSON.parse(output);
      for (const { inputs, outputs } of exported.deployment.resources) {
        for (const properties of [inputs, outputs]) if (properties?.__provider) properties.__provider = text;
      }
      const file = join(project.folder, 'state.json');
      await writeFile(file, JSON.stringify(exported));
      expect(await project.pulumi('stack', 'import', '--file', file)).toMatchObject({ code: 0 });
    }
  });
});
