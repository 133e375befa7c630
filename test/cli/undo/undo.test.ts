/** `history` and `undo`: what was done can be read, and taken back unless somebody has changed it since. */

import { utimes } from 'node:fs/promises';
import { hostname, userInfo } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { movedClock } from '../../emulator/runs.ts';
import { stateFolderOf } from '../../stateFolder.ts';
import {
  type AccountName,
  type Harness,
  migrationsOf,
  openDeclared,
  openHarness,
  serviceYaml,
  writesOf,
} from '../harness.ts';

const declaration = `
zoneIpAllocations:
  static: { zones: { checkout: { ips: [192.0.2.10], count: { us: 6 } } }, sources: [pricing] }
managerSettings:
  local: { logs: 500, whitelistIps: [], absentPorts: [24010] }
`;

async function openApplied(account: AccountName): Promise<Harness> {
  const harness = await openDeclared(account, declaration);
  expect(await harness.webdata('apply', '--yes')).toMatchObject({ code: 0, stderr: '' });
  harness.emulator.clearRequests();
  return harness;
}

/** The eight characters by which runs are named, the newest run first. */
async function runIds({ webdata }: Harness): Promise<string[]> {
  const { stdout } = await webdata('history', '--format', 'json');
  return JSON.parse(stdout).runs.map(({ id }: { id: string }) => id.slice(0, 8));
}

describe.concurrent.each<AccountName>(['plain', 'odd', 'stranger', 'open'])('on the %s account', (account) => {
  it('takes back IPs and settings, says what it can not bring back, and can be undone itself', async () => {
    await using harness = await openApplied(account);
    const { webdata, emulator } = harness;
    const undo = await webdata('undo', '--yes');
    expect(undo).toMatchObject({ code: 0, stderr: '' });
    expect(undo.stdout).toContain('note: deleted ports cannot be restored: 24010');
    expect(undo.stdout).toContain('Undo: 1 IP moves back in 1 call (may incur charges) · 2 settings change back.');
    expect(migrationsOf(emulator.requests())).toEqual(['checkout -> pricing: 192.0.2.10']);
    expect(emulator.settings()).toMatchObject({ logs: 1000, whitelist_ips: ['10.0.0.0/8'] });

    expect(await webdata('undo', '--yes')).toMatchObject({ code: 0 });
    expect(emulator.ips('checkout')).toContain('192.0.2.10');
    expect(emulator.settings()).toMatchObject({ logs: 500, whitelist_ips: [] });
    expect(await webdata('plan', '--detailed-exitcode')).toMatchObject({ code: 0 });
  });

  it('is refused where something was changed since, naming it, and nothing is called', async () => {
    await using harness = await openApplied(account);
    const { webdata, emulator, write } = harness;
    await write('webdata.yaml', serviceYaml(account, 0.1) + declaration);
    emulator.move(['192.0.2.10'], 'parked');
    emulator.setSettings({ logs: 7 });
    const { code, stdout } = await webdata('undo', '--yes');
    expect(code).toBe(1);
    expect(stdout).toContain(
      '192.0.2.10 is no longer in checkout: moved since by something else or by a later run\n  allowed: undoing changes that are still as the run left them\n',
    );
    expect(stdout).toContain('logs is 7 now, but the run left it at 500');
    expect(writesOf(emulator.requests())).toEqual([]);
    expect(await runIds(harness)).toHaveLength(1);
  });
});

it('of an old run waits for no listing that may lag', async () => {
  await using harness = await openApplied('plain');
  const { webdata, emulator, folder, write } = harness;
  const { WEBDATA_STATE_FOLDER: machine } = stateFolderOf(folder);
  for (const log of [join(folder, '.webdata/journal.jsonl'), join(machine, 'paid-calls.jsonl')])
    await utimes(log, 0, 0);
  await write('webdata.yaml', serviceYaml('plain', 60) + declaration);
  emulator.move(['192.0.2.10'], 'pricing');
  emulator.clearRequests();
  expect(await webdata('undo', '--yes')).toMatchObject({ code: 0 });
  const listings = emulator.requests().filter(({ path }) => path === '/zone/ips');
  expect(listings.map(({ query }) => query.zone).toSorted()).toEqual(['checkout', 'pricing']);
});

it('undoes the run that is named, and each run once', async () => {
  await using harness = await openApplied('plain');
  const { webdata, emulator, write } = harness;
  await write('webdata.yaml', declaration.replace('logs: 500', 'logs: 500, zone: checkout'));
  expect(await webdata('apply', '--yes')).toMatchObject({ code: 0 });
  const [, first = ''] = await runIds(harness);
  expect(await webdata('undo', first, '--yes')).toMatchObject({ code: 0 });
  expect(emulator.settings()).toMatchObject({ logs: 1000, zone: 'checkout' });
  const { code, stderr } = await webdata('undo', first, '--yes');
  expect(code).toBe(1);
  expect(stderr).toMatch(new RegExp(`^run ${first} has already been undone, by run [0-9a-f]{8}\n`));
});

it('passes over a run that only deleted ports, and one that changed nothing', async () => {
  await using harness = await openDeclared('plain', 'managerSettings: { local: { logs: 500 } }\n');
  const { webdata, emulator, read, write } = harness;
  expect(await webdata('apply', '--yes')).toMatchObject({ code: 0 });
  await write('webdata.yaml', (await read('webdata.yaml')).replace('logs: 500', 'logs: 500, absentPorts: [24010]'));
  expect(await webdata('apply', '--yes')).toMatchObject({ code: 0 });
  await write('webdata.yaml', (await read('webdata.yaml')).replace('logs: 500', 'logs: 600'));
  emulator.addFault({ route: 'settings/put', occurrence: 1, fault: { kind: 'status', status: 403 } });
  expect(await webdata('apply', '--yes')).toMatchObject({ code: 1 });
  expect(await webdata('undo', '--yes')).toMatchObject({ code: 0, stderr: '' });
  expect(emulator.settings()).toMatchObject({ logs: 1000 });
});

it('is tried again after it failed without an effect, on the same run', async () => {
  await using harness = await openApplied('plain');
  const { webdata, emulator, write } = harness;
  await write('webdata.yaml', declaration.replace('[192.0.2.10], count: { us: 6 }', '[192.0.2.10, 192.0.2.11]'));
  expect(await webdata('apply', '--yes')).toMatchObject({ code: 0 });
  emulator.addFault({ route: 'zone/ips/migrate', fault: { kind: 'status', status: 403 } });
  expect(await webdata('undo', '--yes')).toMatchObject({ code: 1 });
  emulator.clearFaults();
  emulator.clearRequests();
  expect(await webdata('undo', '--yes')).toMatchObject({ code: 0 });
  expect(migrationsOf(emulator.requests())).toEqual(['checkout -> pricing: 192.0.2.11']);
});

it('sends nothing more once the key was refused', async () => {
  await using harness = await openDeclared(
    'plain',
    `
zoneIpAllocations:
  one: { zones: { checkout: { ips: [192.0.2.10] } }, sources: [pricing] }
  other: { zones: { archive: { ips: [192.0.2.11] } }, sources: [pricing] }
`,
  );
  const { webdata, webdataWith, emulator } = harness;
  await webdata('apply', '--yes');
  emulator.clearRequests();
  const { code, stdout } = await webdataWith({ env: { WEBDATA_API_KEY: emulator.keys.user } }, 'undo', '--yes');
  expect(code).toBe(1);
  expect(stdout).toContain('skipped: an earlier call failed');
  expect(migrationsOf(emulator.requests())).toHaveLength(1);
});

it('sends nothing for what is back already', async () => {
  await using harness = await openApplied('plain');
  const { webdata, emulator } = harness;
  emulator.setSettings({ logs: 1000, whitelist_ips: ['10.0.0.0/8'] });
  expect(await webdata('undo', '--yes')).toMatchObject({ code: 0 });
  expect(writesOf(emulator.requests()).map(({ route }) => route)).toEqual(['zone/ips/migrate']);
});

it('moves nothing if the service cannot be read, undoes the rest, and can be tried again', async () => {
  await using harness = await openApplied('plain');
  const { webdata, emulator } = harness;
  emulator.addFault({ route: 'zone/ips', fault: { kind: 'status', status: 400 } });
  const { code, stdout, stderr } = await webdata('undo', '--yes');
  expect(stdout + stderr).toContain('was answered 400');
  expect(code).toBe(1);
  expect(migrationsOf(emulator.requests())).toEqual([]);
  expect(emulator.settings()).toMatchObject({ logs: 1000 });
  emulator.clearFaults();
  expect(await webdata('undo', '--yes')).toMatchObject({ code: 0 });
  expect(emulator.ips('pricing')).toContain('192.0.2.10');
});

it('refuses a run of a kind that another version knows', async () => {
  await using harness = await openApplied('plain');
  const { webdata, emulator, read, write } = harness;
  const journal = await read('.webdata/journal.jsonl');
  await write('.webdata/journal.jsonl', journal.replaceAll('"managerSettings"', '"dnsRecords"'));
  const { code, stdout, stderr } = await webdata('undo', '--yes');
  expect(stdout + stderr).toContain(
    'the run changed `dnsRecords`, a kind of resource that this version does not know\n  fix: undo it with the version that made the run\n',
  );
  expect(code).toBe(1);
  expect(writesOf(emulator.requests())).toEqual([]);
});

it('undoes nothing that was done to another service', async () => {
  await using harness = await openApplied('plain');
  await using other = await openHarness('plain');
  other.emulator.move(['192.0.2.10'], 'checkout');
  const { code, stderr } = await harness.webdata('undo', '--yes', '--api-url', other.emulator.apiUrl);
  expect(code).toBe(1);
  expect(stderr).toBe(
    'no run in the journal made a change that can be undone\n  allowed: a run that made changes and was not undone yet\n  fix: `webdata history` lists the runs\n',
  );
  expect(writesOf(other.emulator.requests())).toEqual([]);
});

it('undoes what an earlier apply saw too late', async () => {
  const { clock, pass } = movedClock();
  await using harness = await openDeclared(
    'plain',
    'zoneIpAllocations: { static: { zones: { checkout: { ips: [192.0.2.10] } }, sources: [pricing] } }',
    { clock },
  );
  const { webdata, emulator } = harness;
  emulator.addFault({ route: 'zone/ips/migrate', occurrence: 1, fault: { kind: 'lag', lag: { ms: 60_000 } } });
  expect(await webdata('apply', '--yes')).toMatchObject({ code: 1 });
  pass(60);
  expect(await webdata('undo', '--yes')).toMatchObject({ code: 0 });
  expect(emulator.ips('pricing')).toContain('192.0.2.10');
});

it('tells the history of all runs, the newest first, with what became of their calls', async () => {
  await using harness = await openDeclared('plain', 'managerSettings: { local: { logs: 500, absentPorts: [24010] } }');
  const { webdata, emulator, read } = harness;
  await webdata('apply', '--yes');
  emulator.addFault({ route: 'settings/put', fault: { kind: 'status', status: 403, body: 'not you' } });
  await webdata('undo', '--yes');
  const [second, first] = await runIds(harness);
  const { code, stdout } = await webdata('history');
  expect(code).toBe(0);
  expect(
    stdout
      .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, 'WHEN')
      .replaceAll(`${userInfo().username}@${hostname()}`, 'ME')
      .replaceAll(/\s+/g, ' ')
      .trim(),
  ).toBe(
    [
      `${second} WHEN undo failed ${emulator.apiUrl} (undoes ${first}) ME`,
      `managerSettings.local ${emulator.managerUrl}`,
      `settings refused (PUT ${emulator.managerUrl}/api/settings was answered 403: not you), nothing changed logs 500 → 1000`,
      `${first} WHEN apply done ${emulator.apiUrl} ME`,
      `managerSettings.local ${emulator.managerUrl}`,
      'settings done logs 1000 → 500',
      'ports done 24010',
    ].join(' '),
  );
  for (const secret of Object.values(emulator.keys)) expect(await read('.webdata/journal.jsonl')).not.toContain(secret);
});

it('brings an IP back that it moved twice, and can be undone itself', async () => {
  await using harness = await openHarness('plain');
  const { webdata, emulator, write, read } = harness;
  const static_ = (zones: string, source: string) =>
    `service: { profile: { settleSeconds: 1 } }\nzoneIpAllocations: { static: { zones: ${zones}, sources: [${source}] } }\n`;
  await write('webdata.yaml', static_('{ checkout: { ips: [192.0.2.10] } }', 'pricing'));
  await webdata('apply', '--yes');
  await write('webdata.yaml', static_('{ archive: { ips: [192.0.2.10] } }', 'checkout'));
  await webdata('apply', '--yes');
  await write('.webdata/journal.jsonl', asOneRun(await read('.webdata/journal.jsonl')));
  await write('webdata.yaml', 'service: { profile: { settleSeconds: 1 } }\n');

  expect(await webdata('undo', '--yes')).toMatchObject({ code: 0 });
  expect(emulator.ips('pricing')).toContain('192.0.2.10');
  expect(await webdata('undo', '--yes')).toMatchObject({ code: 0 });
  expect(emulator.ips('archive')).toContain('192.0.2.10');
});

/** The calls of two runs as those of the first. */
function asOneRun(journal: string): string {
  const entries = journal
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const [{ run }] = entries;
  const kept = entries.filter((entry) => (entry.run === run ? entry.type !== 'end' : entry.type !== 'run'));
  return kept
    .map((entry) => ({ ...entry, run, ...(entry.run !== run && 'seq' in entry && { seq: entry.seq + 100 }) }))
    .map((entry) => `${JSON.stringify(entry)}\n`)
    .join('');
}
