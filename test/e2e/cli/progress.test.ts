/** What a person sees on a terminal while a command waits: a clock that runs. */
import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { type Harness, migrationsOf, openHarness } from '../../cli/harness.ts';
import { stateFolderOf } from '../../stateFolder.ts';
import { binary } from '../process.ts';
import { openTerminal, type Terminal } from './terminal.ts';

const declaration = `service: { profile: { settleSeconds: 600 } }
zoneIpAllocations: { static: { zones: { checkout: { ips: [192.0.2.10] } }, sources: [pricing] } }
`;
const account = {
  id: 'hl_example',
  zones: { checkout: { ips: { us: ['192.0.2.20'] } }, pricing: { ips: { us: ['192.0.2.10'] } } },
  collectors: { c_slow: { seconds: 3600 } },
};
const hasTerminal = spawnSync('sh', ['-c', 'command -v script']).status === 0;

function onTerminal({ emulator, folder }: Harness, args: string): Terminal {
  const env = {
    PATH: process.env.PATH,
    NO_COLOR: '1',
    ...stateFolderOf(folder),
    WEBDATA_API_URL: emulator.apiUrl,
    WEBDATA_API_KEY: emulator.keys.ops,
    WEBDATA_MANAGER_URL: emulator.managerUrl,
  };
  return openTerminal(`"${process.execPath}" "${binary}" ${args}`, folder, env);
}

describe.skipIf(!hasTerminal && process.env.CI === undefined)('on a terminal', () => {
  it('a wait for the lock has a clock, and ends with the other run', async () => {
    await using harness = await openHarness(account);
    await harness.write('webdata.yaml', declaration);
    await using asking = onTerminal(harness, 'apply');
    await asking.until(/\[y\/N\]/);
    await using waiting = onTerminal(harness, 'apply --yes --lock-timeout 100');
    await waiting.until(/waiting for the lock, [2-9] s/);
    asking.type('n\n');
    expect(await waiting.until(/Apply: /)).toContain('Apply: 1 IP moved in 1 call.');
    expect(migrationsOf(harness.emulator.requests())).toEqual(['pricing -> checkout: 192.0.2.10']);
  });

  it('a wait for a listing has a clock, and what is left of it', async () => {
    await using harness = await openHarness({
      ...account,
      dialect: { listingLag: { ms: 3_600_000 }, migrateAnswer: 'empty-object' },
    });
    await harness.write('webdata.yaml', declaration);
    await using applying = onTerminal(harness, 'apply --yes');
    await applying.until(/waiting until the listing shows 192\.0\.2\.10, moved [2-9] s ago \(\d+ s left\)/);
    applying.type('\u0003');
    await applying.until(/Apply failed: /);
  });

  it('a wait that the service asks for says who asks, and what is left of it', async () => {
    await using harness = await openHarness(account);
    await harness.write('webdata.yaml', declaration);
    const limit = { kind: 'status', status: 429, retryAfter: 6 } as const;
    harness.emulator.addFault({ route: 'zone/ips/migrate', occurrence: 1, fault: limit });
    await using applying = onTerminal(harness, 'apply --yes');
    await applying.until(/127\.0\.0\.1:\d+ limits requests, waiting \(5 s left\) · call 1 of 1, \d s/);
    await applying.until(/127\.0\.0\.1:\d+ limits requests, waiting \([234] s left\)/);
    expect(await applying.until(/Apply: /)).toContain('Apply: 1 IP moved in 1 call.');
  });

  it('the first interrupt of a call that is in flight ends with a report', async () => {
    await using harness = await openHarness(account);
    await harness.write('webdata.yaml', declaration);
    harness.emulator.addFault({ route: 'zone/ips/migrate', occurrence: 1, fault: { kind: 'delay', ms: 3_600_000 } });
    await using applying = onTerminal(harness, 'apply --yes');
    await applying.until(/call 1 of 1, [2-9] s/);
    applying.type('\u0003');
    await applying.until(/Apply failed: /);
  });

  it('collect has a clock between two polls', async () => {
    await using harness = await openHarness(account);
    await using collecting = onTerminal(harness, 'collect c_slow --input url=https://a.example/ --poll 3600');
    await collecting.until(/j_\w+ is building, [2-9] s so far, next poll in 359\d s/);
    collecting.type('\u0003');
    await collecting.until(/interrupted; j_\w+/);
  });
});
