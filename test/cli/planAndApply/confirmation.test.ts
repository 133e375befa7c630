/** Only calls that were shown are made: what the account has become since then is shown first, and agreed to again. */
import { createHash } from 'node:crypto';
import { utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { machineFolder } from '../../../src/engine/backend/folder/machineFolder.ts';
import { withMachineLock } from '../../../src/engine/backend/folder/machineLock.ts';
import { bareConfig } from '../../../src/engine/declaration/config.ts';
import { serverOf } from '../../../src/engine/identity/accountIdentity.ts';
import { stateFolderOf } from '../../stateFolder.ts';
import { type Harness, migrationsOf, openDeclared, writesOf } from '../harness.ts';

const changed = 'the live state has changed since it was shown: other calls would be needed now, and none was made';

/** Two IPs come from parked; without those, old-pricing has others that would do. */
const filling =
  'zoneIpAllocations: { static: { zones: { checkout: { count: { us: 7 } } }, sources: [old-pricing], spare: parked } }';
const fromParked = ['198.51.100.30', '198.51.100.31'];

const releasing =
  'zoneIpAllocations: { static: { zones: { archive: { count: { us: 1 } } }, spare: parked, onDelete: release } }';

/** Answers the question with yes, after something else has happened. */
const yesAfter = (meanwhile: () => void) => ({
  confirm: async () => {
    meanwhile();
    return true;
  },
});

describe('what changes while the question is open', () => {
  it.each([
    ['an apply', filling, ['apply'], ({ move }: Harness['emulator']) => move(fromParked, 'archive')],
    [
      'a destroy',
      releasing,
      ['destroy', '--select', 'ZoneIpAllocation/static'],
      ({ move }: Harness['emulator']) => {
        move(['192.0.2.77'], 'pricing');
        move(['192.0.2.10'], 'archive');
      },
    ],
    [
      'an apply of settings',
      'managerSettings: { local: { logs: 500 } }',
      ['apply'],
      ({ setSettings }: Harness['emulator']) => setSettings({ logs: 7 }),
    ],
  ])('stops %s that would now make other calls, before the first', async (_, declaration, args, meanwhile) => {
    await using harness = await openDeclared('plain', declaration);
    const { webdataWith, emulator } = harness;
    const { code, stdout } = await webdataWith(
      yesAfter(() => meanwhile(emulator)),
      ...args,
    );
    expect(stdout).toContain(changed);
    expect(code).toBe(1);
    expect(writesOf(emulator.requests())).toEqual([]);
  });

  it('stops an apply of a plan file too, and the file can not be used again', async () => {
    await using harness = await openDeclared('plain', filling);
    const { webdata, webdataWith, emulator } = harness;
    await webdata('plan', '--output', 'plan.json');
    const { code, stdout } = await webdataWith(
      yesAfter(() => emulator.move(fromParked, 'archive')),
      'apply',
      'plan.json',
    );
    expect(stdout).toContain(changed);
    expect(code).toBe(1);
    expect(await webdata('apply', 'plan.json', '--yes')).toMatchObject({ code: 1 });
    expect(writesOf(emulator.requests())).toEqual([]);
  });

  it('does not stop an apply whose calls are still the same', async () => {
    await using harness = await openDeclared('plain', filling);
    const { webdataWith, emulator } = harness;
    const result = await webdataWith(
      yesAfter(() => emulator.move(['203.0.113.40'], 'old-pricing')),
      'apply',
    );
    expect(result).toMatchObject({ code: 0 });
    expect(migrationsOf(emulator.requests())).toEqual([`parked -> checkout: ${fromParked.join(' ')}`]);
  });

  it('leaves nothing to do where somebody else has done it: that is no failure', async () => {
    await using harness = await openDeclared('plain', filling);
    const { webdata, webdataWith, emulator } = harness;
    const result = await webdataWith(
      yesAfter(() => emulator.move(fromParked, 'checkout')),
      'apply',
    );
    expect(result).toMatchObject({ code: 0, stderr: '' });
    expect(writesOf(emulator.requests())).toEqual([]);
    expect(await webdata('plan', '--detailed-exitcode')).toMatchObject({ code: 0 });
  });
});

it('stops where nobody is asked as well: what changes between the plan and the first call', async () => {
  await using harness = await openDeclared('plain', filling);
  const { webdata, emulator } = harness;
  const zones = 3;
  const again = [zones + 1, zones + 2, zones + 3];
  emulator.addFault({ route: 'zone/ips', occurrence: again, fault: { kind: 'delay', ms: 200 } });
  const applying = webdata('apply', '--yes', '--format', 'json');
  while (emulator.requests().length < 2 * zones) await sleep(5);
  emulator.move(fromParked, 'archive');
  const { code, stdout } = await applying;
  expect(code).toBe(1);
  expect(JSON.parse(stdout).resources).toMatchObject([
    { outcome: 'failed', made: [], notMade: [{ from: 'parked' }], problems: [{ code: 'changed-since-plan' }] },
  ]);
  expect(writesOf(emulator.requests())).toEqual([]);
});

it('makes no other calls for a resource where the one that was to give to it has failed', async () => {
  await using harness = await openDeclared(
    'plain',
    `
zoneIpAllocations:
  giving: { zones: { checkout: { count: { us: 3 } } }, spare: parked }
  taking: { zones: { archive: { count: { us: 5 } } }, sources: [old-pricing], spare: parked }
`,
  );
  const { webdata, emulator } = harness;
  const before = emulator.ips('archive');
  emulator.addFault({ route: 'zone/ips/migrate', occurrence: 1, fault: { kind: 'status', status: 422 } });
  const { code, stdout } = await webdata('apply', '--yes');
  expect(code).toBe(1);
  expect(stdout).toMatch(/^zoneIpAllocations\.taking {2}failed$/m);
  expect(stdout).toContain(changed);
  expect(migrationsOf(emulator.requests())).toEqual(['checkout -> parked: 192.0.2.15 192.0.2.40']);
  expect(emulator.ips('archive')).toEqual(before);
});

it('applies at once where it would wait for another run forever', async () => {
  const declaration =
    'zoneIpAllocations: { static: { zones: { checkout: { ips: [192.0.2.10] } }, sources: [pricing] } }';
  await using harness = await openDeclared('plain', declaration);
  const { code } = await harness.webdata('apply', '--yes', '--lock-timeout', String(Number.MAX_SAFE_INTEGER));
  expect(code).toBe(0);
});

it('says whom it waits for', async () => {
  const declaration =
    'zoneIpAllocations: { static: { zones: { checkout: { ips: [192.0.2.10] } }, sources: [pricing] } }';
  await using harness = await openDeclared('plain', declaration);
  const confirm = async () => {
    const { code, stderr } = await harness.webdata('apply', '--yes', '--lock-timeout', '0.6');
    expect(code).toBe(1);
    const held = /^waiting up to 0\.6 s for another run to end: (.*)\n\1\n {2}allowed: one run at a time\n/;
    expect(stderr).toMatch(held);
    return true;
  };
  expect(await harness.webdataWith({ confirm }, 'apply')).toMatchObject({ code: 0 });
});

it('sends nothing after another run took the lock of a process that was stopped', async () => {
  const declaration =
    'zoneIpAllocations: { static: { zones: { checkout: { ips: [192.0.2.10] } }, sources: [pricing] } }';
  await using harness = await openDeclared('plain', declaration);
  const key = serverOf(bareConfig({ env: { WEBDATA_API_URL: harness.emulator.apiUrl } }));
  const env = stateFolderOf(harness.folder);
  const confirm = async () => {
    const file = createHash('sha256').update(key).digest('hex').slice(0, 32);
    await utimes(join(machineFolder(env), `${file}.lock`), 0, 0);
    await withMachineLock({ key, env }, { timeoutMs: 0, command: 'webdata apply', folder: '/srv' }, async () => {});
    return true;
  };
  const { code, stdout } = await harness.webdataWith({ confirm }, 'apply');
  expect([code, stdout]).toEqual([1, expect.stringContaining('another run took the lock')]);
  expect(migrationsOf(harness.emulator.requests())).toEqual([]);
});

it('keeps two writing commands on one account apart, and names the first', async () => {
  await using harness = await openDeclared(
    'plain',
    'zoneIpAllocations: { static: { zones: { checkout: { ips: [192.0.2.10] } }, sources: [pricing] } }',
  );
  const { webdata, webdataWith } = harness;
  const writers = [
    ['apply', '--yes', '--journal', 'another/journal.jsonl'],
    ['destroy', '--yes', '--select', 'ZoneIpAllocation/static'],
    ['undo', '--yes'],
    ['zones', 'migrate', '--yes', '--from', 'pricing', '--to', 'checkout', '192.0.2.10'],
  ];
  const during: Awaited<ReturnType<typeof webdata>>[] = [];
  const confirm = async () => {
    for (const writer of writers) during.push(await webdata(...writer, '--lock-timeout', '0'));
    return true;
  };
  expect(await webdataWith({ confirm }, 'apply')).toMatchObject({ code: 0 });
  expect(during).toHaveLength(writers.length);
  for (const { code, stdout, stderr } of during) {
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(
      /^`webdata apply` has held the lock of this account since \S+: process \d+ of user \S+ on \S+, in \S+\n {2}allowed: one run at a time\n {2}fix: wait for it to end, or pass --lock-timeout SECONDS to wait longer than 0 s\n$/,
    );
  }
});
