/** examples/firewall, run in this process: its resources are made by their own providers, without the engine. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Output, runtime } from '@pulumi/pulumi';
import { expect, it, vi } from 'vitest';
import { type KnownSet, provider } from '../../examples/firewall/nftSet.ts';
import type { Properties } from '../../src/kinds/seam/kind.ts';
import { kindNamed, openTestStack, up } from './testStack.ts';

// The sources, in place of the built package.
vi.mock('pulumi-webdata/pulumi', () => import('../../providers/index.ts'));

it('an update that moves an IP changes the allow list of the firewall too', async () => {
  await using test = await openTestStack('examples/firewall/account.yaml');
  const folder = await mkdtemp(join(tmpdir(), 'webdata-firewall-'));
  const file = join(folder, 'crawlers.nft');
  let allocation: Properties | undefined;
  await runtime.setMocks({
    async newResource({ type, name, inputs: { __provider, ...inputs } }) {
      if (!type.endsWith('ZoneIpAllocation')) {
        return { id: name, state: (await provider.create({ ...(inputs as KnownSet), file })).outs };
      }
      allocation = await up(test, kindNamed('ZoneIpAllocation'), inputs, allocation);
      return { id: name, state: allocation };
    },
    call: () => ({}),
  });
  const update = async () => {
    vi.resetModules();
    const program = await import('../../examples/firewall/index.ts');
    const known = <T>(given: Output<T>) => new Promise<unknown>((resolve) => given.apply(resolve));
    expect(await known(program.countries)).toMatchObject({ crawlers: { '198.18.1.2': 'us', '198.18.2.101': 'de' } });
    return (await known(program.allowed)) as string[];
  };
  const shown = (networks: readonly string[]) => `elements = { ${networks.join(', ')} }`;
  try {
    const before = await update();
    expect(before).toEqual(
      ['198.18.1.1', '198.18.1.2', '198.18.1.101', '198.18.2.1', '198.18.2.2', '198.18.2.101', '198.18.2.102'].map(
        (ip) => `${ip}/32`,
      ),
    );
    await expect.poll(() => readFile(file, 'utf8').catch(() => '')).toContain(shown(before));
    test.emulator.removeIps(['198.18.1.1']);
    const after = await update();
    expect([before.filter((each) => !after.includes(each)), after.filter((each) => !before.includes(each))]).toEqual([
      ['198.18.1.1/32'],
      ['198.18.2.3/32'],
    ]);
    await expect.poll(() => readFile(file, 'utf8')).toContain(shown(after));
  } finally {
    await rm(folder, { recursive: true });
  }
}, 60_000);
