/** `webdata manager`: settings and state without a secret, and ports that are deleted after asking. */
import { describe, expect, it } from 'vitest';
import { accountWith, openHarness } from '../harness.ts';

const deletesOf = (requests: readonly { route: string | null; body: unknown }[]) =>
  requests.filter(({ route }) => route === 'proxies/delete').map(({ body }) => body);

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

describe('webdata manager delete-ports', () => {
  it('deletes what is there, after asking', async () => {
    await using harness = await openHarness('plain');
    const args = ['manager', 'delete-ports', '--format', 'json', '--no-journal', '24000', '24001', '24005', '24000'];
    const { code, stdout, stderr } = await harness.webdataWith({ confirm: async () => true }, ...args);
    expect(code).toBe(0);
    expect(stderr).toBe(`Not found: 24005\n2 ports to delete at ${harness.emulator.managerUrl}: 24000, 24001\n`);
    expect(JSON.parse(stdout)).toEqual({ deleted: [24000, 24001], absentBefore: [24005], checked: true });
    expect(harness.emulator.ports()).toEqual([24010]);
  });

  it('deletes nothing after a no, without anybody to ask, or for what is no port', async () => {
    await using harness = await openHarness('plain');
    const args = ['manager', 'delete-ports', '24000'];
    expect(await harness.webdataWith({ confirm: async () => false }, ...args)).toMatchObject({ code: 1, stdout: '' });
    expect(await harness.webdata(...args)).toMatchObject({ code: 1, stderr: expect.stringContaining('--yes') });
    const wrong = await harness.webdata('manager', 'delete-ports', '70000', '--yes');
    expect(wrong).toMatchObject({ code: 1, stderr: expect.stringContaining('1 to 65535') });
    expect(deletesOf(harness.emulator.requests())).toEqual([]);
  });

  it('says that it could not check where the manager does not show its ports', async () => {
    await using harness = await openHarness(
      await accountWith('plain', ({ dialect }) => {
        dialect.recentStats = 'totals';
      }),
    );
    const { code, stdout } = await harness.webdata('manager', 'delete-ports', '24000', '--yes', '--format', 'json');
    expect([code, JSON.parse(stdout)]).toEqual([0, { deleted: [24000], absentBefore: null, checked: false }]);
    expect(harness.emulator.ports()).toEqual([24001, 24010]);
  });
});
