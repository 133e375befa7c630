/** An account that gets a name later, on a shared backend: its runs and its baseline stay known. */
import { expect, it } from 'vitest';
import { migrationsOf, openDeclared } from '../../../cli/harness.ts';
import { describeStores } from '../servers.ts';

const declaration = `
zoneIpAllocations:
  static: { zones: { checkout: { ips: [192.0.2.10] } }, sources: [pricing] }
`;

describeStores('an account that is named after its first run', (server) => {
  it('knows its history and its baseline, and can undo the run', async () => {
    await using place = await openDeclared('plain', declaration);
    const address = await server.newAddress();
    const webdata = (...args: string[]) => place.webdataWith({ env: server.env() }, ...args, '--backend', address);
    expect(await webdata('apply', '--yes')).toMatchObject({ code: 0 });
    await place.write('webdata.yaml', `account: acme-eu\n${declaration}`);
    const { stdout } = await webdata('history', '--format', 'json');
    expect((JSON.parse(stdout) as { runs: unknown[] }).runs).toHaveLength(1);
    await place.write('webdata.yaml', 'account: acme-eu\n');
    expect(await webdata('drift')).toMatchObject({ code: 1, stdout: expect.stringContaining('ZoneIpAllocation') });
    await place.write('webdata.yaml', `account: acme-eu\n${declaration}`);
    expect(await webdata('undo', '--yes')).toMatchObject({ code: 0 });
    expect(migrationsOf(place.emulator.requests())).toEqual([
      'pricing -> checkout: 192.0.2.10',
      'checkout -> pricing: 192.0.2.10',
    ]);
  });
});
