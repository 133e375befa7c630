/** Several declarations of one account on a backend that a team shares. */

import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { inPlace, openAccounts } from '../../../cli/accounts/accounts.ts';
import { testTwoDeclarations, ways } from '../../../cli/baseline/twoDeclarations.ts';
import { describeStores } from '../servers.ts';

describeStores('two declarations in one backend', (server) => {
  describe.each(ways)('named by %s', (way) => {
    testTwoDeclarations(way, async () => ({ address: await server.newAddress(), env: server.env() }));
  });
});

describeStores('a file of --all that is gone', (server) => {
  it('is missed, although no other file names its account', async () => {
    await using its = await openAccounts({ eu: inPlace, us: inPlace, asia: inPlace });
    const [address, env] = [await server.newAddress(), server.env()];
    const webdata = (...args: string[]) =>
      its.webdataWith({ env }, ...args, '--all', 'accounts/*.yaml', '--backend', address);
    expect(await webdata('apply', '--yes')).toMatchObject({ code: 0 });
    await rm(join(its.harness.folder, 'accounts', 'us.yaml'));
    const { code, stdout } = await webdata('drift');
    expect({ code, stdout }).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/== acme-us ==.*accounts\/us\.yaml/),
    });
    expect(await webdata('apply', '--yes', '--allow-removed')).toMatchObject({ code: 0 });
    expect(await webdata('drift')).toMatchObject({ code: 0 });
  });
});
