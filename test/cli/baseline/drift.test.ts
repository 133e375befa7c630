/** Drift, pending changes and both, told apart by the baseline, as a user sees them. */
import { describe, expect, it } from 'vitest';
import { planSchema } from '../../../src/report/json/schema.ts';
import { type AccountName, type Harness, openDeclared, serviceYaml, writesOf } from '../harness.ts';

const names = ['plain', 'odd', 'stranger', 'open'] satisfies AccountName[];

const settings = (fields: string) => `
managerSettings:
  local: { ${fields} }
`;

async function openApplied(account: AccountName, declaration: string): Promise<Harness> {
  const harness = await openDeclared(account, declaration);
  expect(await harness.webdata('apply', '--yes')).toMatchObject({ code: 0 });
  return harness;
}

/** Declares something else, which nobody applies. */
async function declare(harness: Harness, account: AccountName, declaration: string): Promise<void> {
  await harness.write('webdata.yaml', serviceYaml(account) + declaration);
}

describe.each(names)('settings of the %s account', (account) => {
  it('are both where both have changed, and neither where they agree again', async () => {
    await using harness = await openApplied(account, settings('logs: 500'));
    harness.emulator.setSettings({ logs: 7 });
    await declare(harness, account, settings('logs: 600'));
    const { code, stdout } = await harness.webdata('drift');
    expect(stdout).toContain('  drift and pending: logs (applied: 500)\n');
    expect(stdout).toContain(' · 1 difference is both drift and pending.');
    expect(code).toBe(2);
    await declare(harness, account, settings('logs: 7'));
    expect(await harness.webdata('drift')).toMatchObject({ code: 0, stdout: expect.stringMatching(/No drift\.\n$/) });
  });

  it('are drift without a baseline, as before, with a line about it', async () => {
    await using harness = await openDeclared(account, settings('logs: 500'));
    const { code, stdout } = await harness.webdata('drift');
    expect(stdout).toContain('Without a baseline, every difference counts as drift');
    expect(stdout).toMatch(/\nDrift: 1 setting differs\.\n$/);
    expect(code).toBe(2);
  });

  it('of a resource that was never applied are none in a plan, and have that line although others have a baseline', async () => {
    await using harness = await openDeclared(
      account,
      'zoneIpAllocations: { static: { zones: { checkout: { ips: [192.0.2.10] } }, sources: [pricing] } }\nmanagerSettings: { local: { logs: 500 } }\n',
    );
    harness.emulator.addFault({ route: 'settings/put', occurrence: 1, fault: { kind: 'status', status: 422 } });
    expect(await harness.webdata('apply', '--yes')).toMatchObject({ code: 1 });
    expect((await harness.webdata('plan')).stdout).not.toContain('drift');
    const { code, stdout } = await harness.webdata('drift');
    expect(stdout).toContain('Without a baseline of managerSettings.local, every difference counts as drift');
    expect(code).toBe(2);
  });

  it('are told apart one by one', async () => {
    await using harness = await openApplied(account, settings('logs: 500, whitelistIps: [10.0.0.0/8]'));
    harness.emulator.setSettings({ logs: 7 });
    await declare(harness, account, settings('logs: 500, whitelistIps: [10.0.0.0/8, 192.168.0.0/16]'));
    const sent = writesOf(harness.emulator.requests());
    const { code, stdout } = await harness.webdata('drift', '--format', 'json');
    expect(writesOf(harness.emulator.requests())).toEqual(sent);
    expect(code).toBe(2);
    const { baseline, summary, resources } = planSchema().parse(JSON.parse(stdout));
    expect(baseline).toBe(true);
    expect(summary).toMatchObject({
      driftDifferences: 1,
      pendingDifferences: 1,
      bothDifferences: 0,
      mutedDifferences: 0,
    });
    expect(resources[0]?.differences).toHaveLength(2);
    expect(resources[0]?.differences).toEqual(
      expect.arrayContaining([
        { path: ['logs'], kind: 'change', before: 7, after: 500, cause: 'drift' },
        { path: ['whitelistIps', '192.168.0.0/16'], kind: 'add', after: true, cause: 'pending' },
      ]),
    );
  });
});

describe.each(names)('zones of the %s account', (account) => {
  const allocation = (zones: string) => `
zoneIpAllocations:
  static:
    zones: ${zones}
    sources: [pricing]
    spare: parked
`;

  it('compare declared IPs by address', async () => {
    await using harness = await openApplied(account, allocation('{ checkout: { ips: [192.0.2.10] } }'));
    await declare(harness, account, allocation('{ checkout: { ips: [192.0.2.10, 192.0.2.11] } }'));
    const isThere = harness.emulator.ips('checkout').includes('192.0.2.11');
    if (!isThere) {
      const pending = await harness.webdata('drift');
      expect(pending.stdout).toContain('  pending: 192.0.2.11 is in ');
      expect(pending.code).toBe(0);
    }
    harness.emulator.move(['192.0.2.10'], 'parked');
    const { code, stdout } = await harness.webdata('drift');
    expect(stdout).toContain('  drift: 192.0.2.10 is in ');
    expect(code).toBe(2);
  });

  it('compare counts by number, whichever IPs fill them', async () => {
    await using harness = await openApplied(account, allocation('{ checkout: { count: 3 } }'));
    await declare(harness, account, allocation('{ checkout: { count: 4 } }'));
    expect(await harness.webdata('drift')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('  pending: checkout has 3 IPs, 4 are declared\n'),
    });
    const [first = '', second = ''] = harness.emulator.ips('checkout');
    harness.emulator.move([first], 'parked');
    const both = await harness.webdata('drift');
    expect(both.stdout).toContain('  drift and pending: checkout has 2 IPs, 4 are declared (applied: 3)\n');
    expect(both.code).toBe(2);
    await declare(harness, account, allocation('{ checkout: { count: 2 } }'));
    expect(await harness.webdata('drift')).toMatchObject({ code: 0, stdout: expect.stringContaining('No drift.') });
    harness.emulator.move([second], 'parked');
    await declare(harness, account, allocation('{ checkout: { count: 3 } }'));
    expect(await harness.webdata('drift')).toMatchObject({
      code: 2,
      stdout: expect.stringContaining('  drift: checkout has 1 IP, 3 are declared\n'),
    });
  });
});

describe('a baseline', () => {
  it('tells a new resource from one that has drifted', async () => {
    await using harness = await openApplied('plain', settings('logs: 500'));
    const more = `${settings('logs: 500')}
zoneIpAllocations:
  static: { zones: { checkout: { ips: [192.0.2.10] } }, sources: [parked] }
`;
    harness.emulator.move(['192.0.2.10'], 'parked');
    await declare(harness, 'plain', more);
    expect(await harness.webdata('drift')).toMatchObject({ code: 0, stdout: expect.stringContaining('  pending: ') });
    await harness.webdata('apply', '--yes');
    harness.emulator.move(['192.0.2.10'], 'parked');
    expect(await harness.webdata('drift')).toMatchObject({ code: 2 });
  });

  it('does not make a resource pending that an incomplete apply left out', async () => {
    const all = `${settings('logs: 500')}
zoneIpAllocations:
  static: { zones: { checkout: { ips: [192.0.2.10] } }, sources: [parked] }
`;
    await using harness = await openDeclared('plain', all);
    await harness.webdata('apply', '--yes', '--select', 'ManagerSettings/local');
    harness.emulator.move(['192.0.2.10'], 'parked');
    expect(await harness.webdata('drift')).toMatchObject({ code: 2 });
  });

  it('makes what an undo took back pending, and not drift', async () => {
    await using harness = await openApplied('plain', settings('logs: 500'));
    await declare(harness, 'plain', settings('logs: 600'));
    await harness.webdata('apply', '--yes');
    await harness.webdata('undo', '--yes');
    expect(await harness.webdata('drift')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('1 difference is pending'),
    });
    harness.emulator.setSettings({ logs: 7 });
    expect(await harness.webdata('drift')).toMatchObject({
      code: 2,
      stdout: expect.stringContaining('1 difference is both drift and pending'),
    });
  });

  it.each([
    ['a change', settings('logs: 500'), settings('logs: 600')],
    ['the only apply', undefined, settings('logs: 600')],
  ])('is drift again once the undo of %s is undone', async (_, before, after) => {
    await using harness = await openDeclared('plain', before ?? after);
    if (before !== undefined) {
      await harness.webdata('apply', '--yes');
      await declare(harness, 'plain', after);
    }
    await harness.webdata('apply', '--yes');
    for (let count = 0; count < 2; count += 1)
      expect(await harness.webdata('undo', '--yes')).toMatchObject({ code: 0 });
    harness.emulator.setSettings({ logs: 7 });
    expect(await harness.webdata('drift')).toMatchObject({
      code: 2,
      stdout: expect.stringMatching(/ {2}drift: logs\n/),
    });
  });

  it.each([
    ['is no JSON', 'oops', 'damaged-baseline', 'is damaged: it is not JSON'],
    ['lacks fields', '{"format":"webdata.baseline/1"}', 'damaged-baseline', 'is damaged: at accounts'],
    ['is of a newer version', '{"format":"webdata.baseline/9"}', 'other-baseline-format', 'webdata.baseline/9'],
  ])('that %s stops every command before anything is sent', async (_, text, code, words) => {
    await using harness = await openApplied('plain', settings('logs: 500'));
    await declare(harness, 'plain', settings('logs: 600'));
    await harness.write('.webdata/baseline.json', text);
    const sent = writesOf(harness.emulator.requests());
    for (const command of [['plan'], ['drift'], ['apply', '--yes']]) {
      const result = await harness.webdata(...command, '--format', 'json');
      expect(result.code).toBe(1);
      expect(result.stdout).toContain(code);
      expect(result.stderr).toContain(words);
    }
    expect(writesOf(harness.emulator.requests())).toEqual(sent);
    expect(await harness.read('.webdata/baseline.json')).toBe(text);
  });
});

describe('a run that failed half-way', () => {
  const counted = (count: number) =>
    `zoneIpAllocations: { static: { zones: { checkout: { count: { us: ${count} } } }, sources: [pricing, parked] } }\n`;

  /** An apply of three more IPs, from two zones, whose second call is refused. */
  async function openHalfDone(): Promise<Harness> {
    const harness = await openApplied('plain', counted(11));
    harness.emulator.addFault({ route: 'zone/ips/migrate', occurrence: 2, fault: { kind: 'status', status: 422 } });
    await declare(harness, 'plain', counted(14));
    expect(await harness.webdata('apply', '--yes', '--parallelism', '1')).toMatchObject({ code: 1 });
    return harness;
  }

  it('leaves pending changes, which name it, and no drift', async () => {
    await using harness = await openHalfDone();
    const { code, stdout } = await harness.webdata('drift');
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('No drift.') });
    expect(stdout).toMatch(
      /pending: checkout has \d+ us IPs, \d+ are declared \(left\s+unfinished by run\s+[0-9a-f]{8}, by [^)]+\)/,
    );
  });

  it('hides no change of another user', async () => {
    await using harness = await openHalfDone();
    harness.emulator.move(['192.0.2.10', '192.0.2.11'], 'pricing');
    expect(await harness.webdata('drift')).toMatchObject({ code: 2 });
  });

  it('is half of an undo, too', async () => {
    await using harness = await openApplied('plain', counted(11));
    await declare(harness, 'plain', counted(14));
    expect(await harness.webdata('apply', '--yes')).toMatchObject({ code: 0 });
    harness.emulator.addFault({ route: 'zone/ips/migrate', occurrence: 2, fault: { kind: 'status', status: 422 } });
    expect(await harness.webdata('undo', '--yes')).toMatchObject({ code: 1 });
    const { code, stdout } = await harness.webdata('drift');
    expect({ code, stdout }).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('left unfinished by run'),
    });
  });

  it('leaves the settings that it has made pending, unless someone else has changed them', async () => {
    await using harness = await openApplied('plain', settings('logs: 500'));
    harness.emulator.addFault({ route: 'proxies/delete', fault: { kind: 'status', status: 422 } });
    await declare(harness, 'plain', settings('logs: 600, absentPorts: [24010]'));
    expect(await harness.webdata('apply', '--yes')).toMatchObject({ code: 1 });
    await declare(harness, 'plain', settings('logs: 700'));
    expect(await harness.webdata('drift')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('pending: logs (left unfinished by run'),
    });
    harness.emulator.setSettings({ logs: 650 });
    expect(await harness.webdata('drift')).toMatchObject({ code: 2 });
  });
});
