/** Plans and drift as a person sees them: real processes on a real terminal, at three widths. */
import { describe, expect, it } from 'vitest';
import { type AccountName, accounts, openHarness, serviceYaml } from '../harness.ts';
import { declaration, hasTerminal, onTerminal } from '../onTerminal.ts';

const impossible = declaration.replace('us: 3, de: 4', 'us: 3, de: 90');

describe.skipIf(!hasTerminal)('on a terminal', { timeout: 60_000 }, () => {
  describe.each(Object.keys(accounts) as AccountName[])('on the %s account', (account) => {
    it.each([60, 80, 200])('a plan and its drift at %i columns', async (columns) => {
      await using harness = await openHarness(account);
      await harness.write('webdata.yaml', serviceYaml(account) + declaration);
      const texts = [await onTerminal(harness, columns, 'plan'), await onTerminal(harness, columns, 'drift')];
      await expect(texts.join('\n=====\n\n')).toMatchFileSnapshot(`golden/${account}-${columns}.txt`);
      for (const line of texts.join('\n').split('\n')) expect(line.length).toBeLessThanOrEqual(columns);
    });
  });

  describe.each(Object.keys(accounts) as AccountName[])('on the %s account', (account) => {
    it.each([60, 80, 200])('an audit at %i columns', async (columns) => {
      await using harness = await openHarness(account);
      const service = serviceYaml(account) || 'service:\n';
      const zones = '  zones: { checkout: { allowedCallers: [203.0.113.205, 203.0.113.96/29] } }\n';
      await harness.write('webdata.yaml', `${service}${zones}${declaration}`);
      const text = await onTerminal(harness, columns, 'audit');
      await expect(text).toMatchFileSnapshot(`golden/audit-${account}-${columns}.txt`);
      for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(columns);
    });
  });

  it('drift suggests to apply changes that are only pending, and not to accept them', async () => {
    await using harness = await openHarness('plain');
    const settings = (logs: number) => `${serviceYaml('plain')}managerSettings: { local: { logs: ${logs} } }\n`;
    await harness.write('webdata.yaml', settings(500));
    expect(await harness.webdata('apply', '--yes')).toMatchObject({ code: 0 });
    await harness.write('webdata.yaml', settings(600));
    for (const command of ['drift', 'drift --pending']) {
      const text = await onTerminal(harness, 80, command);
      expect(text).toContain('1 difference is pending.\n\nNext: webdata apply');
      expect(text).not.toContain('--accept');
    }
    harness.emulator.setSettings({ logs: 7 });
    expect(await onTerminal(harness, 80, 'drift')).toMatch(/\nNext: webdata apply\n {6}webdata drift --accept {2}#/);
  });

  it('a plan that fails leads with the failure', async () => {
    await using harness = await openHarness('plain');
    await harness.write('webdata.yaml', serviceYaml('plain') + impossible);
    const text = await onTerminal(harness, 80, 'plan');
    await expect(text).toMatchFileSnapshot('golden/plain-blocked.txt');
  });
});
