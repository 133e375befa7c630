import { describe, expect, it } from 'vitest';
import { owner } from '../../triggers/serving.ts';
import { type Harness, migrationsOf, openDeclared, writesOf } from '../harness.ts';
import { openApplied as openRegistered } from '../registrations/registrations.ts';

const allocation =
  'zoneIpAllocations: { static: { zones: { checkout: { ips: [192.0.2.10, 192.0.2.11] } }, sources: [pricing] } }\n';
const settings = 'managerSettings: { local: { logs: 500, whitelistIps: [] } }\n';

async function openApplied(text: string): Promise<Harness> {
  const harness = await openDeclared('plain', text);
  expect(await harness.webdata('apply', '--yes')).toMatchObject({ code: 0, stderr: '' });
  harness.emulator.clearRequests();
  return harness;
}

/** Answers the question with yes, after something else has happened. */
const yesAfter = (meanwhile: () => unknown) => ({
  confirm: async () => {
    await meanwhile();
    return true;
  },
});

describe('what changes while an undo asks', () => {
  it.each<[string, string, (emulator: Harness['emulator']) => void, string]>([
    [
      'an IP that is moved on',
      allocation,
      ({ move }) => move(['192.0.2.11'], 'parked'),
      '192.0.2.11 is no longer in checkout',
    ],
    [
      'an IP that is moved back',
      allocation,
      ({ move }) => move(['192.0.2.11'], 'pricing'),
      'the live state has changed since it was shown',
    ],
    [
      'a setting that is set to another value',
      settings,
      ({ setSettings }) => setSettings({ logs: 7 }),
      'logs is 7 now, but the run left it at 500',
    ],
    [
      'an allow list that gets another entry',
      settings,
      ({ setSettings }) => setSettings({ whitelist_ips: ['198.51.100.0/24'] }),
      'whitelistIps is ["198.51.100.0/24"] now',
    ],
    [
      'one of two settings that is set back',
      settings,
      ({ setSettings }) => setSettings({ logs: 1000 }),
      'the live state has changed since it was shown',
    ],
  ])('stops it before the first call: %s', async (_, declaration, meanwhile, says) => {
    await using harness = await openApplied(declaration);
    const { webdata, webdataWith, emulator } = harness;
    const before = [emulator.ips('checkout'), emulator.settings()];
    const { code, stdout } = await webdataWith(
      yesAfter(() => {
        meanwhile(emulator);
        before.splice(0, 2, emulator.ips('checkout'), emulator.settings());
      }),
      'undo',
    );
    expect(stdout).toContain(says);
    expect(code).toBe(1);
    expect(writesOf(emulator.requests())).toEqual([]);
    expect([emulator.ips('checkout'), emulator.settings()]).toEqual(before);
    const [latest] = JSON.parse((await webdata('history', '--format', 'json')).stdout).runs;
    expect(latest).toMatchObject({ command: 'undo', result: 'failed', calls: [] });
  });

  it('leaves nothing to do where somebody else has taken everything back: that is no failure', async () => {
    await using harness = await openApplied(allocation + settings);
    const { webdataWith, emulator } = harness;
    const result = await webdataWith(
      yesAfter(() => {
        emulator.move(['192.0.2.10', '192.0.2.11'], 'pricing');
        emulator.setSettings({ logs: 1000, whitelist_ips: ['10.0.0.0/8'] });
      }),
      'undo',
    );
    expect(result).toMatchObject({ code: 0, stderr: '' });
    expect(result.stdout).toContain('Undo: nothing had to be done.');
    expect(writesOf(emulator.requests())).toEqual([]);
  });

  it('stops it where a call would now break a guard', async () => {
    const guarded = allocation.replace('192.0.2.11]', '192.0.2.11], keepAtLeast: 7');
    await using harness = await openApplied(guarded);
    const { webdataWith, emulator } = harness;
    const { code, stdout } = await webdataWith(
      yesAfter(() => emulator.move(['192.0.2.12', '192.0.2.13'], 'parked')),
      'undo',
    );
    expect(stdout).toContain('checkout would be left with 6 IPs');
    expect(code).toBe(1);
    expect(writesOf(emulator.requests())).toEqual([]);
  });

  it('stops it where a registration is another one by now', async () => {
    await using registering = await openRegistered();
    const { serving, webdataConfirming } = registering;
    const { code, stdout } = await webdataConfirming(() => serving.registry.setPaused(owner, 'nightly', true), 'undo');
    expect(stdout).toContain('the schedule nightly of acme has changed since the run registered it');
    expect(code).toBe(1);
    expect((await serving.registry.records(owner)).schedules.map(({ name }) => name)).toEqual(['nightly']);
  });
});

it('a setting that changes between two calls of an undo is not overwritten', async () => {
  await using harness = await openApplied(allocation + settings);
  const { webdata, emulator } = harness;
  emulator.addFault({ route: 'zone/ips/migrate', fault: { kind: 'delay', ms: 300 } });
  const undoing = webdata('undo', '--yes');
  await expect.poll(() => migrationsOf(emulator.requests()).length, { interval: 5 }).toBe(1);
  emulator.setSettings({ logs: 7 });
  const { code, stdout } = await undoing;
  expect(code).toBe(1);
  expect(stdout).toMatch(/logs is 7 now, but the run left it at 500/);
  expect(emulator.settings()).toMatchObject({ logs: 7 });
});
