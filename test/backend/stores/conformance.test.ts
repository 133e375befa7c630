/** The commands on every backend: the same runs, lock, baseline, history and undo, also from another machine. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Harness, migrationsOf, openDeclared } from '../../cli/harness.ts';
import { describeStores, type StoreServer } from '../servers.ts';

const declaration = `
zoneIpAllocations:
  static:
    zones: { checkout: { ips: [192.0.2.10, 192.0.2.11] } }
    sources: [pricing, parked]
managerSettings:
  local: { logs: 500 }
`;

type Address = () => Promise<string>;

describe('the folder', () => suite(() => newFolder(), {}));
describeStores('a shared backend', (server) => suite(server.newAddress, server));

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'webdata-backend-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

function runsIn(history: string): unknown[] {
  return (JSON.parse(history) as { runs: unknown[] }).runs;
}

function suite(newAddress: Address, server: Partial<StoreServer>): void {
  async function open(): Promise<{
    place: Harness;
    address: string;
    run: Harness['webdata'];
    elsewhere: Harness['webdata'];
  }> {
    const [place, address] = [await openDeclared('plain', declaration), await newAddress()];
    const env = { WEBDATA_BACKEND: address, ...server.env?.() };
    // Another folder with the same declaration stands for another machine.
    const other = await openDeclared('plain', declaration);
    onTestFinished(() => other[Symbol.asyncDispose]());
    const urls = { WEBDATA_API_URL: place.emulator.apiUrl, WEBDATA_API_KEY: place.emulator.keys.ops };
    return {
      place,
      address,
      run: (...args) => place.webdataWith({ env }, ...args),
      elsewhere: (...args) => other.webdataWith({ env: { ...env, ...urls } }, ...args),
    };
  }

  it('journals an apply, which history shows and undo undoes from another machine', async () => {
    const { place, run, elsewhere } = await open();
    await using _ = place;
    expect(await run('history')).toMatchObject({ code: 0, stdout: 'No runs.\n' });
    expect(await run('apply', '--yes')).toMatchObject({ code: 0, stderr: '' });
    const sent = migrationsOf(place.emulator.requests()).length;
    expect(sent).toBeGreaterThan(0);
    expect(runsIn((await elsewhere('history', '--format', 'json')).stdout)).toMatchObject([
      { command: 'apply', result: 'done' },
    ]);
    expect(await elsewhere('plan', '--detailed-exitcode')).toMatchObject({ code: 0 });
    expect(await elsewhere('undo', '--yes')).toMatchObject({ code: 0, stderr: '' });
    expect(migrationsOf(place.emulator.requests()).length).toBe(2 * sent);
    expect((await run('history')).stdout).toMatch(/undo .*\(undoes/);
    expect((await run('undo', '--yes')).stderr).toContain('nothing-to-undo');
  });
}
