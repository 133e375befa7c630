/** `webdata manager`: settings and state without a secret. */
import { describe, expect, it } from 'vitest';
import { openHarness } from '../harness.ts';

describe('webdata manager settings', () => {
  it('shows the settings and never the password', async () => {
    await using harness = await openHarness('plain');
    const password = 'manager-password';
    harness.emulator.setSettings({ password });
    const { code, stdout, stderr } = await harness.webdata('manager', 'settings', '--format', 'json');
    expect([code, stderr]).toEqual([0, '']);
    expect(JSON.parse(stdout)).toMatchObject({ zone: 'pricing', logs: 1000, whitelistIps: ['10.0.0.0/8'] });
    expect(stdout).not.toContain(password);
    const toFile = await harness.webdata('manager', 'settings', '--format', 'json', '--output', 'settings.json');
    expect(toFile).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(await harness.read('settings.json')).toBe(stdout);
  });
});

describe('webdata manager stats', () => {
  it('shows what the manager tells', async () => {
    await using harness = await openHarness('plain');
    const { code, stdout } = await harness.webdata('manager', 'stats', '--format', 'json');
    expect([code, stdout]).toEqual([0, expect.stringContaining('24010')]);
    expect(JSON.parse(stdout)).toEqual(expect.any(Object));
    expect(await harness.webdata('manager', 'stats', '--format', 'json', '--output', 'stats.json')).toMatchObject({
      code: 0,
      stdout: '',
    });
    expect(await harness.read('stats.json')).toBe(stdout);
  });
});
