/** `exceptions:` mute the alarm of drift until a date, and never the apply. */
import { describe, expect, it } from 'vitest';
import { planSchema } from '../../../src/report/json/schema.ts';
import { type AccountName, type Harness, openDeclared, serviceYaml } from '../harness.ts';

const declared = `
managerSettings:
  local: { logs: 500, whitelistIps: [10.0.0.0/8] }
`;

const exception = (target: string, until: string) => `
exceptions:
  - { ${target}, reason: raised for an incident, owner: team-network, until: ${until} }
`;

const future = '2999-12-31';

/** An account that was applied, and changed by somebody else. */
async function openDrifted(account: AccountName, exceptions: string): Promise<Harness> {
  const harness = await openDeclared(account, declared);
  expect(await harness.webdata('apply', '--yes')).toMatchObject({ code: 0 });
  harness.emulator.setSettings({ logs: 7 });
  await harness.write('webdata.yaml', serviceYaml(account) + declared + exceptions);
  return harness;
}

describe.each([
  'plain',
  'odd',
  'stranger',
  'open',
] satisfies AccountName[])('an exception, on the %s account', (account) => {
  it.each([
    ['the resource', 'path: managerSettings.local'],
    ['the field', 'path: managerSettings.local.logs'],
  ])('for %s mutes the alarm, shows the reason, and lets apply correct it', async (_, target) => {
    await using harness = await openDrifted(account, exception(target, future));
    const { code, stdout } = await harness.webdata('drift');
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
      `muted: logs (raised for an incident; team-network, until ${future})`,
    );
    expect(stdout).toMatch(/No drift\. 1 difference is muted\.\n$/);
    expect(code).toBe(0);
    expect(await harness.webdata('apply', '--yes')).toMatchObject({ code: 0 });
    expect(harness.emulator.settings()).toMatchObject({ logs: 500 });
  });

  it('does not mute other drift of the resource', async () => {
    await using harness = await openDrifted(account, exception('path: managerSettings.local.logs', future));
    harness.emulator.setSettings({ logs: 7, whitelist_ips: [] });
    const { code, stdout } = await harness.webdata('drift');
    expect(stdout).toContain('  drift: whitelistIps 10.0.0.0/8\n');
    expect(stdout).toContain(' · 1 difference is drift, 1 is muted.');
    expect(code).toBe(2);
  });

  it('that has expired mutes nothing, and is reported with its location', async () => {
    await using harness = await openDrifted(account, exception('path: managerSettings.local', '2020-01-31'));
    const { code, stdout } = await harness.webdata('drift');
    expect(stdout).toMatch(
      /webdata\.yaml:\d+:\d+: the exception for managerSettings\.local \(raised for an incident; team-network\) has expired/,
    );
    expect(stdout).toContain('Drift: 1 setting differs.');
    expect(code).toBe(2);
    expect(await harness.webdata('plan')).toMatchObject({ code: 0, stdout: expect.stringContaining('has expired') });
    expect(await harness.webdata('apply', '--yes')).toMatchObject({ code: 0 });
  });
});

describe('an exception', () => {
  it('works without a baseline', async () => {
    await using harness = await openDeclared('plain', declared + exception('path: managerSettings.local', future));
    expect(await harness.webdata('drift')).toMatchObject({ code: 0, stdout: expect.stringContaining('is muted') });
  });

  it('does not hide that a change is pending', async () => {
    await using harness = await openDrifted('plain', '');
    harness.emulator.setSettings({ logs: 500 });
    const other = declared.replace('500', '600') + exception('path: managerSettings.local', future);
    await harness.write('webdata.yaml', serviceYaml('plain') + other);
    const { code, stdout } = await harness.webdata('drift', '--pending');
    expect(stdout).toContain('  pending: logs\n');
    expect(code).toBe(2);
  });

  it('mutes unmanaged IPs of its zone with --strict', async () => {
    const allocation = `
zoneIpAllocations:
  static: { zones: { checkout: { ips: [192.0.2.10] }, pricing: { keepAtLeast: 1 } }, sources: [parked] }
`;
    await using harness = await openDeclared('plain', allocation);
    await harness.webdata('apply', '--yes');
    expect(await harness.webdata('drift', '--strict')).toMatchObject({ code: 2 });
    const targets = ['checkout', 'pricing'].map((zone) => `path: zoneIpAllocations.static.zones.${zone}`);
    const list = targets.map((target) => exception(target, future).replace('\nexceptions:\n', '')).join('');
    await harness.write('webdata.yaml', `${serviceYaml('plain')}${allocation}\nexceptions:\n${list}`);
    expect(await harness.webdata('drift', '--strict')).toMatchObject({ code: 0 });
  });

  it('may name an entry of a list that only the live state has', async () => {
    const target = `path: 'managerSettings.local.whitelistIps["192.168.0.0/16"]'`;
    await using harness = await openDrifted('plain', exception(target, future));
    harness.emulator.setSettings({ logs: 500, whitelist_ips: ['10.0.0.0/8', '192.168.0.0/16'] });
    expect(await harness.webdata('drift')).toMatchObject({ code: 0, stdout: expect.stringContaining('is muted') });
  });

  it('is in every report', async () => {
    const both = `${exception('path: managerSettings.local.logs', future)}  - { path: managerSettings.local, reason: old, owner: ops, until: 2020-01-31 }\n`;
    await using harness = await openDrifted('plain', both);
    harness.emulator.setSettings({ logs: 7, whitelist_ips: [] });
    const formats = ['text', 'json', 'markdown', 'html', 'junit', 'github'];
    const reports = formats.flatMap((format) => ['--report', `${format}=drift.${format}`]);
    expect(await harness.webdata('drift', ...reports)).toMatchObject({ code: 2 });
    for (const format of formats) {
      const text = await harness.read(`drift.${format}`);
      expect(text, format).toContain('has expired');
      expect(text, format).toContain('muted');
      if (format !== 'github') expect(text, format).toContain('raised for an incident');
    }
    const document = planSchema().parse(JSON.parse(await harness.read('drift.json')));
    expect(document.warnings).toMatchObject([{ code: 'expired-exception', place: { file: 'webdata.yaml' } }]);
    expect(document.summary).toMatchObject({ driftDifferences: 1, mutedDifferences: 1 });
  });
});
