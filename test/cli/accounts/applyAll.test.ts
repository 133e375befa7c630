/** `apply --all`: every account, and plan files in a folder. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { withMachineLock } from '../../../src/engine/backend/folder/machineLock.ts';
import { stateFolderOf } from '../../stateFolder.ts';
import { migrationsOf } from '../harness.ts';
import { type Accounts, declarationOf, inPlace, oneMove, openAccounts } from './accounts.ts';

const pattern = 'accounts/*.yaml';
const apply = ['apply', '--all', pattern];
const moved = ['pricing -> checkout: 192.0.2.10'];

const migrations = ({ emulators }: Accounts) =>
  Object.fromEntries(Object.entries(emulators).map(([name, emulator]) => [name, migrationsOf(emulator.requests())]));

describe('webdata apply --all', () => {
  it.each(['1', '4'])('shows every plan and applies it, %s at a time', async (parallel) => {
    await using its = await openAccounts({ a: oneMove, b: inPlace, c: oneMove });
    const { code, stdout } = await its.webdata(...apply, '--yes', '--parallel-accounts', parallel);
    expect(code).toBe(0);
    expect(migrations(its)).toEqual({ a: moved, b: [], c: moved });
    expect(stdout.match(/^(== .*|Plan: .*|Apply.*)$/gm)).toEqual([
      '== acme-a ==  accounts/a.yaml',
      expect.stringMatching(/^Plan: 1 IP moves/),
      'Apply: 1 IP moved in 1 call.',
      '== acme-b ==  accounts/b.yaml',
      '== acme-c ==  accounts/c.yaml',
      expect.stringMatching(/^Plan: 1 IP moves/),
      'Apply: 1 IP moved in 1 call.',
      'Apply of 3 accounts: done in 2, no changes in 1.',
    ]);
  });

  it('asks no question: without --yes, it says how to review the plans', async () => {
    await using its = await openAccounts({ a: oneMove });
    const confirm = async () => true;
    expect(await its.webdataWith({ confirm }, ...apply)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('fix: review `webdata plan --all PATTERN --output FOLDER`'),
    });
    expect(its.emulators.a?.requests()).toEqual([]);
  });

  it('applies the other accounts although one is blocked, one cannot be read and one fails half-way', async () => {
    const blocked = 'zoneIpAllocations: { static: { zones: { checkout: { ips: [192.0.2.250] } } } }\n';
    await using its = await openAccounts({ a: oneMove, b: blocked, c: oneMove, d: inPlace, e: oneMove });
    await its.write('accounts/d.yaml', 'nonsense\n');
    its.emulators.c?.addFault({ route: 'zone/ips/migrate', occurrence: 1, fault: { kind: 'status', status: 400 } });
    const { code, stdout } = await its.webdata(...apply, '--yes');
    expect(code).toBe(1);
    expect(migrations(its)).toMatchObject({ a: moved, b: [], d: [], e: moved });
    expect(stdout).toMatch(/^Apply of 5 accounts: done in 2, blocked in 2, failed in 1\./m);
  });

  it('is not blocked by a run on another account at the same host', async () => {
    await using its = await openAccounts({ eu: oneMove });
    const { apiUrl = '', keys } = its.emulators.eu ?? {};
    const us = declarationOf('us', { apiUrl }, inPlace).replace(/apiKey: .*/, `apiKey: ${keys?.admin}`);
    await its.write('accounts/us.yaml', us);
    const lock = { key: 'acme-us', env: stateFolderOf(its.harness.folder) };
    await withMachineLock(lock, { timeoutMs: 0, command: 'webdata apply', folder: '/srv' }, async () => {
      // One at a time, eu first: the first account that a machine hears of waits for the lock of its name, and the others for it.
      const oneByOne = ['--parallel-accounts', '1'];
      const { code, stdout } = await its.webdata(...apply, '--yes', '--lock-timeout', '0', ...oneByOne);
      expect(code).toBe(1);
      expect(stdout).toContain('Apply of 2 accounts: done in 1, blocked in 1.');
      expect(stdout).toContain('has held the lock of this account since');
    });
    expect(migrations(its)).toEqual({ eu: moved });
  });

  it('keeps the baseline of every account, although they share a folder', async () => {
    const names = Array.from({ length: 8 }, (_, index) => `a${index}`);
    await using its = await openAccounts(Object.fromEntries(names.map((name) => [name, oneMove])));
    expect(await its.webdata(...apply, '--yes', '--parallel-accounts', '8')).toMatchObject({ code: 0 });
    const { accounts } = JSON.parse(await its.read('accounts/.webdata/baseline.json'));
    expect(accounts.map(({ account }: { account: string }) => account).sort()).toEqual(
      names.map((name) => `acme-${name}`),
    );
  });
});

describe('a folder of plan files', () => {
  const plan = ['plan', '--all', pattern, '--output', 'plans'];

  it('has a plan for each account, and is applied as a whole', async () => {
    await using its = await openAccounts({ a: oneMove, b: inPlace });
    expect(await its.webdata(...plan)).toMatchObject({ code: 0 });
    expect(JSON.parse(await its.read('plans/acme-a.json'))).toMatchObject({ account: 'acme-a' });
    expect(await its.webdata(...apply, 'plans', '--yes')).toMatchObject({ code: 0 });
    expect(migrations(its)).toEqual({ a: moved, b: [] });
    const again = await its.webdata(...apply, 'plans', '--yes');
    expect(again).toMatchObject({ code: 1, stdout: expect.stringContaining('this plan was already applied') });
  });

  it('is applied without --select, which belongs to the plan', async () => {
    await using its = await openAccounts({ a: oneMove, b: inPlace });
    await its.webdata(...plan);
    expect(await its.webdata(...apply, 'plans', '--yes', '--select', 'ZoneIpAllocation/other')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('--select cannot change a plan that was made already'),
    });
    expect(Object.values(migrations(its)).flat()).toEqual([]);
  });

  it('has no plan of an account whose planning failed, not even an older one', async () => {
    await using its = await openAccounts({ a: oneMove, b: oneMove });
    await its.webdata(...plan);
    const good = await its.read('accounts/a.yaml');
    await its.write('accounts/a.yaml', good.replace(/apiKey: .*/, 'apiKey: wrong-key'));
    expect(await its.webdata(...plan)).toMatchObject({ code: 1 });
    await its.write('accounts/a.yaml', good);
    const { code, stdout } = await its.webdata(...apply, 'plans', '--yes');
    expect(code).toBe(1);
    expect(stdout).toContain('plans has no plan for the account acme-a');
    expect(migrations(its)).toEqual({ a: [], b: moved });
  });

  it('is applied as far as it is up to date', async () => {
    await using its = await openAccounts({ a: oneMove, b: oneMove });
    await its.webdata(...plan);
    its.emulators.a?.move(['192.0.2.10'], 'checkout');
    const { code, stdout } = await its.webdata(...apply, 'plans', '--yes');
    expect(code).toBe(1);
    expect(stdout).toContain('out of date');
    expect(migrations(its)).toEqual({ a: [], b: moved });
  });

  it('has nothing else: other plans are refused, other files are not overwritten', async () => {
    await using its = await openAccounts({ a: oneMove, b: oneMove });
    await its.webdata(...plan);
    await rm(join(its.harness.folder, 'accounts', 'b.yaml'));
    expect(await its.webdata(...apply, 'plans', '--yes')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('plans/acme-b.json is the plan of no account of --all'),
    });
    await its.write('plans/acme-a.json', '{}');
    expect(await its.webdata(...plan)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('plans/acme-a.json is not a plan file'),
    });
    expect(await its.webdata('plan', '--all', pattern, '--output', 'accounts/a.yaml')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('accounts/a.yaml is not a folder'),
    });
    expect(await its.webdata('apply', 'plans')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('plans is not a plan file: it is a folder'),
    });
    expect(Object.values(migrations(its)).flat()).toEqual([]);
  });
});
