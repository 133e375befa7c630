/** An account stays the same account, whatever the spelling of its URL, and with a name whatever its URL. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { withMachineLock } from '../../../src/engine/backend/folder/machineLock.ts';
import { stateFolderOf } from '../../stateFolder.ts';
import { type Harness, migrationsOf, openDeclared, serviceYaml } from '../harness.ts';

const allocation =
  'zoneIpAllocations: { static: { zones: { checkout: { ips: [192.0.2.10] } }, sources: [pricing] } }\n';
const journal = '.webdata/journal.jsonl';

/** Other spellings of the URL of an emulator. */
const spellings = (port: string): Record<string, string> => ({
  'the name of this machine': `http://localhost:${port}`,
  'upper case and a slash': `HTTP://LocalHost:${port}/`,
  'another form of the address': `http://127.1:${port}/`,
});

const names = Object.keys(spellings(''));

function otherSpelling({ emulator }: Harness, name: string): { env: Record<string, string | undefined> } {
  return { env: { WEBDATA_API_URL: spellings(new URL(emulator.apiUrl).port)[name] } };
}

/** An apply whose move the service accepted and no listing shows. */
async function openUnseen(declaration = allocation): Promise<Harness> {
  const harness = await openDeclared('plain', declaration);
  harness.emulator.addFault({ route: 'zone/ips', fault: { kind: 'stale', ms: 60_000 } });
  const applied = await harness.webdata('apply', '--yes');
  expect([applied.code, applied.stdout]).toEqual([1, expect.stringContaining('is not visible yet')]);
  expect(migrationsOf(harness.emulator.requests())).toHaveLength(1);
  return harness;
}

it('a move that another folder of the machine has seen, and taken back, may be made again', async () => {
  await using harness = await openUnseen();
  harness.emulator.clearFaults();
  const cwd = join(harness.folder, 'other');
  await mkdir(cwd);
  const back = 'zoneIpAllocations: { back: { zones: { pricing: { ips: [192.0.2.10] } }, sources: [checkout] } }\n';
  await harness.write('other/webdata.yaml', serviceYaml('plain') + back);
  expect(await harness.webdataWith({ cwd }, 'apply', '--yes')).toMatchObject({ code: 0 });
  expect(await harness.webdata('apply', '--yes')).toMatchObject({ code: 0 });
  expect(harness.emulator.ips('checkout')).toContain('192.0.2.10');
});

describe.each(names)('with %s in the URL', (name) => {
  it('a move that is not visible yet is not sent again', async () => {
    await using harness = await openUnseen();
    const again = await harness.webdataWith(otherSpelling(harness, name), 'apply', '--yes');
    expect([again.code, again.stdout]).toEqual([1, expect.stringContaining('but no listing shows it')]);
    expect(migrationsOf(harness.emulator.requests())).toHaveLength(1);
  });

  it('the baseline, undo and plan files know the runs', async () => {
    await using harness = await openDeclared('plain', allocation);
    const io = otherSpelling(harness, name);
    expect(await harness.webdata('plan', '--output', 'plan.json')).toMatchObject({ code: 0 });
    expect(await harness.webdataWith(io, 'apply', 'plan.json', '--yes')).toMatchObject({ code: 0 });
    harness.emulator.move(['192.0.2.10'], 'pricing');
    const drift = await harness.webdata('drift', '--format', 'json');
    expect([drift.code, JSON.parse(drift.stdout).baseline]).toEqual([2, true]);
    harness.emulator.move(['192.0.2.10'], 'checkout');
    expect(await harness.webdata('undo', '--yes')).toMatchObject({ code: 0 });
  });
});

it('a named account is the same at another URL', async () => {
  await using harness = await openUnseen(`account: acme\n${allocation}`);
  const proxied = { env: { WEBDATA_API_URL: harness.emulator.apiUrl.replace('127.0.0.1', '127.0.0.1.nip') } };
  const history = await harness.webdataWith(proxied, 'doctor', '--format', 'json');
  expect(history.stdout).not.toContain('no runs yet');
  // The run of a folder that named no account yet is known, too.
  await harness.write(journal, (await harness.read(journal)).replaceAll(',"account":"acme"', ''));
  const again = await harness.webdata('apply', '--yes');
  expect([again.code, again.stdout]).toEqual([1, expect.stringContaining('but no listing shows it')]);
  expect(migrationsOf(harness.emulator.requests())).toHaveLength(1);
});

it('has its lock in the folder that its own variables name, beside the log of paid calls', async () => {
  await using harness = await openDeclared('plain', allocation);
  const lock = { key: `loopback:${new URL(harness.emulator.apiUrl).port}`, env: stateFolderOf(harness.folder) };
  const apply = () => harness.webdata('apply', '--yes', '--lock-timeout', '0');
  const refused = await withMachineLock(lock, { timeoutMs: 0, command: 'webdata undo', folder: '/srv' }, apply);
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('`webdata undo` has held the lock') });
  expect(await apply()).toMatchObject({ code: 0 });
});
