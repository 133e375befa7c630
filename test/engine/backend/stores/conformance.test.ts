/** The commands on every backend: the same runs, lock, baseline, history and undo, also from another machine. */
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { openStack } from '../../../../providers/core/stack.ts';
import { openFolderBackend } from '../../../../src/engine/backend/folder/folderBackend.ts';
import { openMemories } from '../../../../src/engine/backend/open.ts';
import { bareConfig } from '../../../../src/engine/declaration/config.ts';
import { serverOf } from '../../../../src/engine/identity/accountIdentity.ts';
import { zoneIpAllocation } from '../../../../src/kinds/zoneIpAllocation/kind.ts';
import { migrationsOf, openDeclared, writesOf } from '../../../cli/harness.ts';
import { stateFolderOf } from '../../../stateFolder.ts';
import { temporaryFolder } from '../../../temporary.ts';
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

describe('the folder', () => suite(async () => temporaryFolder(), {}));
describeStores('a shared backend', (server) => {
  suite(server.newAddress, server);
  sharedSuite(server.newAddress, server);
});

function runsIn(history: string): unknown[] {
  return (JSON.parse(history) as { runs: unknown[] }).runs;
}

async function openSetup(
  newAddress: Address,
  server: Partial<StoreServer>,
  options?: Parameters<typeof openDeclared>[2],
) {
  const [place, address] = [await openDeclared('plain', declaration, options), await newAddress()];
  const state = stateFolderOf(place.folder);
  const allEnv = { ...process.env, ...server.env?.() };
  const account = serverOf(bareConfig({ env: { WEBDATA_API_URL: place.emulator.apiUrl } }));
  const env = { WEBDATA_BACKEND: address, ...server.env?.() };
  // Another folder with the same declaration stands for another machine.
  const other = await openDeclared('plain', declaration, options);
  onTestFinished(() => other[Symbol.asyncDispose]());
  const urls = {
    WEBDATA_API_URL: place.emulator.apiUrl,
    WEBDATA_API_KEY: place.emulator.keys.ops,
    WEBDATA_MANAGER_URL: place.emulator.managerUrl,
    // A folder has the lock of its machine.
    ...(server.env === undefined && state),
  };
  return {
    place,
    address,
    env,
    /** Opens the backend on the machine of the account; the folder `machine` stands for another one. */
    backend: async (machine = state) => {
      const backend = (await openMemories(address, { folder: '.', env: { ...allEnv, ...machine } }))(account);
      return { backend, account, [Symbol.asyncDispose]: () => backend.close() };
    },
    run: (...args: string[]) => place.webdataWith({ env }, ...args),
    elsewhere: (...args: string[]) => other.webdataWith({ env: { ...env, ...urls } }, ...args),
  };
}

function suite(newAddress: Address, server: Partial<StoreServer>): void {
  const open = (options?: Parameters<typeof openDeclared>[2]) => openSetup(newAddress, server, options);

  it.each([
    -3_600, 3_600,
  ])('expects the move of a run whose clock differs by %d s, as long as listings may be older', async (seconds) => {
    const clock = () => new Date(performance.timeOrigin + performance.now());
    const { place, run, elsewhere } = await open({ settleSeconds: 30, clock });
    await using _ = place;
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + seconds * 1000 });
    expect(await run('apply', '--yes').finally(vi.useRealTimers)).toMatchObject({ code: 0, stderr: '' });
    const sent = migrationsOf(place.emulator.requests());
    const occurrence = Array.from({ length: 9 }, (_, index) => index + 1);
    place.emulator.addFault({ route: 'zone/ips', occurrence, fault: { kind: 'stale', ms: 60_000 } });
    const { stdout } = await elsewhere('apply', '--yes');
    expect(stdout).toContain('No changes.');
    expect(migrationsOf(place.emulator.requests())).toEqual(sent);
  });

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
  });

  it('has one lock for all machines, which names its holder and can be taken away', async () => {
    const { place, run, elsewhere, backend } = await open();
    await using _ = place;
    const holder = {
      timeoutMs: 0,
      command: 'webdata apply',
      folder: '/srv/infra',
      job: 'https://ci.example.com/jobs/7',
    };
    await using held = await backend(server.env && stateFolderOf('another machine'));
    await held.backend.withLock(holder, async () => {
      const refused = await run('apply', '--yes', '--lock-timeout', '0');
      expect(refused.code).toBe(1);
      expect(refused.stderr).toMatch(
        /`webdata apply` has held the lock of this account since 2\S+: process \d+ of user \S+ on \S+, in \/srv\/infra \(https:\/\/ci\.example\.com\/jobs\/7\)/,
      );
      expect(await elsewhere('plan')).toMatchObject({ code: 0 });
      expect((await elsewhere('unlock')).stderr).toMatch(/\/srv\/infra[\s\S]*pass --yes/);
      expect(await elsewhere('unlock', '--yes')).toMatchObject({ code: 0, stdout: 'The lock is free.\n' });
      expect(await elsewhere('unlock')).toMatchObject({ code: 0, stdout: 'The lock is free.\n', stderr: '' });
      expect(await run('apply', '--yes', '--lock-timeout', '0')).toMatchObject({ code: 0, stderr: '' });
    });
  });

  it('excludes commands on this machine that do not use the backend', async () => {
    const { place, run, backend } = await open();
    await using _ = place;
    await using held = await backend();
    await held.backend.withLock({ timeoutMs: 0, command: 'webdata undo', folder: '/srv/infra' }, async () => {
      const refused = await place.webdata('apply', '--yes', '--lock-timeout', '0');
      expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('`webdata undo` has held the lock') });
    });
    const alone = openFolderBackend({
      journal: join(place.folder, 'journal.jsonl'),
      account: held.account,
      env: stateFolderOf(place.folder),
    });
    await alone.withLock({ timeoutMs: 0, command: 'webdata destroy', folder: '/srv/infra' }, async () => {
      const refused = await run('apply', '--yes', '--lock-timeout', '0');
      expect(refused).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('`webdata destroy` has held the lock'),
      });
    });
    expect(await run('apply', '--yes', '--lock-timeout', '0')).toMatchObject({ code: 0 });
  });

  it('keeps the baseline for all machines', async () => {
    const { place, run, elsewhere } = await open();
    await using _ = place;
    expect((await run('drift')).stdout + (await run('drift')).stderr).toMatch(/baseline/);
    expect(await run('apply', '--yes')).toMatchObject({ code: 0, stderr: '' });
    expect(await elsewhere('drift')).toMatchObject({ code: 0, stderr: '' });
    await place.emulator.setSettings({ logs: 7 });
    const drift = JSON.parse((await elsewhere('drift', '--format', 'json')).stdout) as { baseline?: unknown };
    expect(JSON.stringify(drift)).toContain('"drift"');
  });

  it('forgets old runs, but none that undo or an open call needs', async () => {
    const { place, run, elsewhere, backend } = await open();
    await using _ = place;
    await using opened = await backend();
    const lines = [
      ...pastRun('aaaaaaaa-1', '2025-01-01', place.emulator.apiUrl, []),
      ...pastRun('bbbbbbbb-2', '2025-01-02', place.emulator.apiUrl, ['192.0.2.10']),
      ...pastRun('cccccccc-3', '2025-01-03', place.emulator.apiUrl, []),
    ];
    const lock = { timeoutMs: 0, command: 'webdata apply', folder: '/srv/infra' };
    await opened.backend.withLock(lock, async () => {
      const log = await opened.backend.appendToLog();
      await log.append(lines, 'now');
      await log.close();
    });
    expect(await run('apply', '--yes', '--select', 'ManagerSettings/local')).toMatchObject({ code: 0 });
    expect((await run('history', '--prune')).stderr).toContain('--older-than');
    const pruned = await elsewhere('history', '--prune', '--older-than', '90d', '--format', 'json');
    const dropped = ['aaaaaaaa-1', 'bbbbbbbb-2', 'cccccccc-3'];
    expect(JSON.parse(pruned.stdout)).toEqual({ removed: dropped, kept: [] });
    expect(runsIn((await run('history', '--format', 'json')).stdout)).toMatchObject([{ command: 'apply' }]);
    expect((await elsewhere('history', '--prune', '--older-than', '1d')).stdout).toMatch(/^Removed 0 runs/);
    expect(await run('undo', '--yes')).toMatchObject({ code: 0, stderr: '' });
    expect(await run('plan')).toMatchObject({ code: 0, stderr: '' });
  });
}

function sharedSuite(newAddress: Address, server: StoreServer): void {
  const open = () => openSetup(newAddress, server);

  it('receives the runs and the baseline of a folder, as often as it is told', async () => {
    const { place, run, elsewhere, address } = await open();
    await using _ = place;
    expect((await place.webdata('backend', 'push')).stderr).toContain('no shared backend is configured');
    expect(await place.webdata('apply', '--yes')).toMatchObject({ code: 0, stderr: '' });
    const { stdout: history } = await place.webdata('history', '--format', 'json');
    for (const expected of ['Copied 1 run to ', ' has all 1 run already']) {
      const pushed = await place.webdataWith({ env: server.env?.() ?? {} }, 'backend', 'push', '--backend', address);
      expect(pushed).toMatchObject({ code: 0, stderr: '' });
      expect(pushed.stdout).toContain(expected);
      expect((await elsewhere('history', '--format', 'json')).stdout).toBe(history);
    }
    expect(await elsewhere('drift')).toMatchObject({ code: 0, stderr: '' });
    expect(await elsewhere('undo', '--yes')).toMatchObject({ code: 0, stderr: '' });
    expect((await run('backend', 'push')).stdout).toContain('has all 1 run already; its own baseline was kept');
    expect(await place.webdata('apply', '--yes')).toMatchObject({ code: 0 });
    expect((await run('backend', 'push')).stdout).toContain('Copied 2 runs');
  });

  it('sends no call once the lock was taken away, and says so', async () => {
    const { place, run, elsewhere, env } = await open();
    await using _ = place;
    const confirm = async () => {
      expect(await elsewhere('unlock', '--yes')).toMatchObject({ code: 0 });
      return true;
    };
    const refused = await place.webdataWith({ env, confirm }, 'apply');
    expect(refused.code).toBe(1);
    expect(refused.stderr + refused.stdout).toContain('another run took the lock');
    expect(writesOf(place.emulator.requests())).toEqual([]);
    expect(await run('apply', '--yes')).toMatchObject({ code: 0, stderr: '' });
  });

  it('has the lock that updates of a Pulumi stack take', async () => {
    const { place, run, address } = await open();
    await using _ = place;
    for (const [name, value] of Object.entries(server.env?.() ?? {})) vi.stubEnv(name, value);
    onTestFinished(() => void vi.unstubAllEnvs());
    const settings = new Map([
      ['webdata:apiUrl', place.emulator.apiUrl],
      ['webdata:backend', address],
    ]);
    const stack = openStack((key) => settings.get(key), { print: async () => true });
    const written = await stack.run.write('account', {
      resource: { kind: zoneIpAllocation.name, collection: zoneIpAllocation.collection, name: 'static' },
      contextWith: (recorder) =>
        stack.run.live.contextFor({ definition: zoneIpAllocation, name: 'static' }, { recorder }),
      send: () => run('apply', '--yes', '--lock-timeout', '0'),
    });
    expect(written.state?.stderr).toContain('`pulumi` has held the lock');
    expect(await run('apply', '--yes', '--lock-timeout', '0')).toMatchObject({ code: 0, stderr: '' });
  });
}

function pastRun(run: string, day: string, origin: string, ips: readonly string[]): string[] {
  const at = `${day}T10:00:00.000Z`;
  const moves = ips.map((ip) => ({ ip, country: 'us', from: 'pricing', to: 'checkout', reason: 'declared' }));
  const resource = { kind: 'ZoneIpAllocation', collection: 'zoneIpAllocations', name: 'static' };
  const call = { type: 'migrate', from: 'pricing', to: 'checkout', moves };
  const seen = { moved: ips, notMoved: [], elsewhere: [], notVisible: [] };
  const lines = [
    { type: 'run', run, at, command: 'apply', origin: new URL(origin).origin, version: '0.1.0' },
    ...(ips.length === 0
      ? []
      : [
          { type: 'sending', run, seq: 0, at, resource, call },
          { type: 'answered', run, seq: 0, at, count: ips.length },
          { type: 'seen', run, seq: 0, at, ...seen },
        ]),
    { type: 'end', run, at, result: 'done' },
  ];
  return lines.map((line) => JSON.stringify(line));
}
