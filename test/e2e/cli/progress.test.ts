/** What a person sees on a terminal while a command waits: a clock that runs. */
import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { migrationsOf, openDeclared } from '../../cli/harness.ts';
import { stateFolderOf } from '../../stateFolder.ts';
import { binary } from '../process.ts';
import { openTerminal } from './terminal.ts';

const declaration =
  'zoneIpAllocations: { static: { zones: { checkout: { ips: [192.0.2.10] } }, sources: [pricing] } }\n';
const hasTerminal = spawnSync('sh', ['-c', 'command -v script']).status === 0;

it.skipIf(!hasTerminal && process.env.CI === undefined)(
  'a wait for the lock has a clock, and ends with the other run',
  async () => {
    await using harness = await openDeclared('plain', declaration);
    const { emulator, folder } = harness;
    const env = {
      PATH: process.env.PATH,
      ...stateFolderOf(folder),
      WEBDATA_API_URL: emulator.apiUrl,
      WEBDATA_API_KEY: emulator.keys.ops,
      WEBDATA_MANAGER_URL: emulator.managerUrl,
    };
    const webdata = `"${process.execPath}" "${binary}"`;
    await using asking = openTerminal(`${webdata} apply`, folder, env);
    await asking.until(/\[y\/N\]/);
    await using waiting = openTerminal(`${webdata} apply --yes --lock-timeout 100`, folder, env);
    await waiting.until(/waiting for the lock, [2-9] s/);
    asking.type('n\n');
    expect(await waiting.until(/Apply: /)).toContain('Apply: 1 IP moved in 1 call.');
    expect(migrationsOf(emulator.requests())).toEqual(['pricing -> checkout: 192.0.2.10']);
  },
);
