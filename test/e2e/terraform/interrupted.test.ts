/** An apply of the real OpenTofu that ends in the middle: what was paid is known afterwards, and is not paid again. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { eventually } from '../../eventually.ts';
import { describeOnTofu, openProject, type Project, type Running } from './project.ts';

/** Three calls, one after the other: each takes IPs from another zone. */
const threeCalls = `resource "webdata_zone_ip_allocation" "static" {
  zones   = { checkout = { ips = ["192.0.2.77", "192.0.2.10", "198.51.100.20"] } }
  sources = ["pricing", "archive", "old-pricing"]
}
`;

const all = [
  'archive -> checkout: 192.0.2.77',
  'old-pricing -> checkout: 198.51.100.20',
  'pricing -> checkout: 192.0.2.10',
];

/** Starts an apply whose second call is still without an answer when this returns. */
async function inSecondCall(project: Project): Promise<Running> {
  await project.write(threeCalls);
  const route = 'zone/ips/migrate';
  project.emulator.addFault({ route, occurrence: 2, fault: { kind: 'delay', ms: 2_000 } });
  const running = project.start('apply', '-auto-approve', '-no-color');
  await eventually(() => expect(project.moves()).toHaveLength(2));
  return running;
}

/** The process of the provider, which is a child of OpenTofu. */
function providerOf({ process: { pid } }: Running): number {
  const children = readdirSync('/proc').filter(
    (name) => /^\d+$/.test(name) && statusOf(name).includes(`PPid:\t${pid}\n`),
  );
  const found = children.find((name) => readFileSync(`/proc/${name}/cmdline`, 'utf8').includes('provider.mjs'));
  return Number(found);
}

function statusOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    // It has ended.
    return '';
  }
}

async function expectEachMovedOnce(project: Project): Promise<void> {
  // The calls are sent side by side, in any order.
  const begun = project.moves().flatMap((move) => move.split(': ').slice(1));
  // While a call is under way, an apply may find the account other than its plan.
  await project.tofu('apply', '-auto-approve', '-no-color');
  await eventually(() => expect(project.emulator.ips('checkout')).toEqual(expect.arrayContaining(begun)));
  await project.apply();
  expect(project.moves().sort()).toEqual(all);
  expect(project.emulator.ips('checkout')).toEqual(
    expect.arrayContaining(['192.0.2.77', '192.0.2.10', '198.51.100.20']),
  );
  expect(await project.tofu('plan', '-detailed-exitcode')).toMatchObject({ code: 0 });
}

describeOnTofu('an apply', () => {
  it('that is cancelled ends after the call in progress, and the next one continues', async () => {
    await using project = await openProject();
    const running = await inSecondCall(project);
    running.process.kill('SIGINT');
    const { code, stdout, stderr } = await running.ended;
    expect({ code, stdout, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('cancelled before this call'),
    });
    expect(project.moves()).toHaveLength(2);
    await expectEachMovedOnce(project);
  });

  it('whose provider is killed is continued by the next one, which sends no call again', async () => {
    await using project = await openProject();
    const running = await inSecondCall(project);
    process.kill(providerOf(running), 'SIGKILL');
    expect(await running.ended).toMatchObject({ code: 1 });
    await expectEachMovedOnce(project);
  });

  it('that is killed with its provider is continued by the next one, which sends no call again', async () => {
    await using project = await openProject();
    const running = await inSecondCall(project);
    const provider = providerOf(running);
    running.process.kill('SIGKILL');
    process.kill(provider, 'SIGKILL');
    await running.ended;
    await expectEachMovedOnce(project);
  });
});
