import { describe, expect, it } from 'vitest';
import { type AccountName, openDeclared, openHarness, serviceYaml } from '../harness.ts';

const declaration = `
zoneIpAllocations:
  static:
    zones:
      checkout: { ips: [192.0.2.10, 192.0.2.11] }
      pricing: { count: { de: 5 } }
    sources: [old-pricing]
    spare: parked
managerSettings:
  local: { zone: checkout, logs: 500, whitelistIps: [10.0.0.0/8, 192.168.1.1/32], absentPorts: [24010] }
`;

describe.concurrent.each<AccountName>(['plain', 'odd', 'stranger', 'open'])('on the %s account', (account) => {
  it('plans, applies, finds no drift, heals what was changed behind its back, and undoes', async () => {
    await using harness = await openHarness(account);
    const { emulator, webdata, write } = harness;
    await write('webdata.yaml', serviceYaml(account) + declaration);
    expect(await webdata('validate')).toMatchObject({ code: 0 });

    const plan = await webdata('plan', '--detailed-exitcode');
    expect(plan.stdout).toContain(
      'Plan: 4 IPs move in 2 calls (may incur charges) · 3 settings change · 1 port is deleted',
    );
    expect(plan.code).toBe(2);
    expect(await webdata('apply', '--yes')).toMatchObject({ code: 0 });
    expect(emulator.ips('checkout')).toEqual(expect.arrayContaining(['192.0.2.10', '192.0.2.11']));
    expect(emulator.ports()).not.toContain(24010);
    expect(await webdata('drift')).toMatchObject({ code: 0 });

    emulator.move(['192.0.2.10'], 'parked');
    emulator.setSettings({ logs: 7 });
    const drift = await webdata('drift');
    expect(drift.code).toBe(2);
    expect(drift.stdout).toContain('192.0.2.10');
  });
});

it('selects by the name that reports write, too', async () => {
  await using harness = await openDeclared(
    'plain',
    'managerSettings: { local: { logs: 7 }, a.b: { url: "http://127.0.0.1:1" } }\n',
  );
  for (const name of ['ManagerSettings/local', 'managerSettings.local', 'managersettings/local']) {
    expect(await harness.webdata('plan', '--select', name)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('logs'),
    });
  }
  expect(await harness.webdata('plan', '--select', 'managerSettings.a.b')).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('127.0.0.1:1'),
  });
});
