/** A feature with a capability of its own that two kinds provide, one of them outside of `src`. */
import { expect, it } from 'vitest';
import { stringify } from 'yaml';
import { commands } from '../../../src/cli/commands.ts';
import { addKind, kinds } from '../../../src/kinds/knownKinds.ts';
import { openHarness } from '../../cli/harness.ts';
import { banner } from '../sampleKind/kind.ts';
import { startBannerServer } from '../sampleKind/server.ts';
import { serving } from './capability.ts';

it('runs over the kinds that provide its capability, and leaves out the others', async () => {
  const removeKind = addKind(banner);
  await using banners = await startBannerServer();
  await using harness = await openHarness('plain');
  banners.banners.set('door', 'Closed on Sundays');
  const entry = {
    summary: 'Show the servers of resources',
    load: async () => (await import('./command.ts')).addServers,
  };
  Object.assign(commands, { servers: entry });
  try {
    await harness.write(
      'webdata.yaml',
      stringify({
        banners: { door: { server: banners.url, text: 'Open' } },
        managerSettings: { local: { logs: 500 } },
        zoneIpAllocations: { main: { zones: { checkout: { ips: ['192.0.2.10'] } }, sources: ['pricing'] } },
      }),
    );
    const { managerUrl } = harness.emulator;
    const live = harness.emulator.settings().logs;
    const { code, stdout, stderr } = await harness.webdata('servers');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout.split('\n').toSorted()).toEqual(
      [
        '',
        `Banner/door  ${banners.url}  Closed on Sundays`,
        `ManagerSettings/local  ${managerUrl}  ${live} logs`,
      ].toSorted(),
    );
    expect((await harness.webdata('servers', '--help')).stdout).toContain('Show the servers of resources');
  } finally {
    Reflect.deleteProperty(commands, 'servers');
    removeKind();
  }
  expect(kinds.filter((kind) => serving.of(kind)).map(({ name }) => name)).toEqual(['ManagerSettings']);
});
