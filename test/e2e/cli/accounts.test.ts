/** Many accounts in processes of their own: a review with plan files, and two processes at once, of which one is killed. */
import { expect, it, vi } from 'vitest';
import { type Accounts, inPlace, oneMove, openAccounts } from '../../cli/accounts/accounts.ts';
import { migrationsOf } from '../../cli/harness.ts';
import { type Running, start } from '../process.ts';

const all = ['--all', 'accounts/*.yaml'];

function running({ harness, keys }: Accounts, ...args: string[]): Running {
  return start([...all, ...args], { cwd: harness.folder, env: keys });
}

const migrations = ({ emulators }: Accounts) =>
  Object.fromEntries(Object.entries(emulators).map(([name, emulator]) => [name, migrationsOf(emulator.requests())]));

const moved = ['pricing -> checkout: 192.0.2.10'];

it('plans, applies the reviewed plans and checks for drift', async () => {
  await using its = await openAccounts({ asia: oneMove, eu: oneMove, us: inPlace });
  const run = (...args: string[]) => running(its, ...args).finished;
  expect(await run('validate')).toMatchObject({ code: 0, stderr: '' });
  const planned = await run('plan', '--output', 'plans', '--report', 'markdown=plan.md');
  expect(planned).toMatchObject({ code: 0, stdout: expect.stringMatching(/changes in 2, no changes in 1\.\n$/) });
  expect(await its.read('plan.md')).toMatch(/^### webdata plan of 3 accounts: /);
  expect(await run('drift')).toMatchObject({ code: 2 });
  const asked = await run('apply', 'plans');
  expect(asked).toMatchObject({ code: 1, stderr: expect.stringContaining('apply --all asks no question') });
  expect(await run('apply', 'plans', '--yes')).toMatchObject({ code: 0 });
  expect(migrations(its)).toEqual({ asia: moved, eu: moved, us: [] });
  expect(await run('drift')).toMatchObject({ code: 0, stdout: expect.stringMatching(/no drift in 3\.\n$/) });
});

it('sends no call twice when two processes apply at once, and when one was killed', async () => {
  await using its = await openAccounts({ asia: oneMove, eu: oneMove, us: oneMove });
  its.emulators.eu?.addFault({ route: 'zone/ips/migrate', occurrence: 1, fault: { kind: 'delay', ms: 3000 } });
  const killed = running(its, 'apply', '--yes');
  const hasBegun = () => migrations(its).eu?.length === 1 && migrations(its).us?.length === 1;
  await vi.waitUntil(hasBegun, 30_000);
  killed.child.kill('SIGKILL');
  await killed.finished;
  const both = [
    running(its, 'apply', '--yes', '--lock-timeout', '60'),
    running(its, 'apply', '--yes', '--lock-timeout', '60'),
  ];
  for (const { finished } of both) expect(await finished).toMatchObject({ code: 0 });
  expect(migrations(its)).toEqual({ asia: moved, eu: moved, us: moved });
  expect(await running(its, 'drift').finished).toMatchObject({ code: 0 });
});
