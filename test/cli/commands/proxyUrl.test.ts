/** `webdata proxy-url`: the URL on stdout, a warning on stderr, the password from the environment only. */
import { describe, expect, it } from 'vitest';
import { openHarness } from '../harness.ts';

const env = { WEBDATA_ZONE_PASSWORD: 'p@ss:word/1' };
const basic = ['proxy-url', 'checkout', '--account', 'hl_example', '--host', 'proxy.example.com'];

describe('webdata proxy-url', () => {
  it('writes the URL, percent-encoded, and says that it is a secret', async () => {
    await using harness = await openHarness('plain');
    expect(await harness.webdataWith({ env }, ...basic)).toEqual({
      code: 0,
      stdout: 'http://svc-customer-hl_example-zone-checkout:p%40ss%3Aword%2F1@proxy.example.com:44445\n',
      stderr: 'This URL contains the password of the zone: keep it out of logs and shared files.\n',
    });
    expect(harness.emulator.requests()).toEqual([]);
  });

  it('takes the port from its option and the prefix from the file', async () => {
    await using harness = await openHarness('plain');
    await harness.write('webdata.yaml', 'service: { profile: { proxyUserPrefix: odd } }\n');
    const { stdout } = await harness.webdataWith({ env }, ...basic, '--port', '24445');
    expect(stdout).toMatch(/^http:\/\/odd-customer-hl_example-zone-checkout:.*:24445\n$/);
  });

  it('asks for the password in the environment', async () => {
    await using harness = await openHarness('plain');
    const { code, stdout, stderr } = await harness.webdata(...basic);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain('WEBDATA_ZONE_PASSWORD is not set');
  });

  it.each([
    [['--account', 'example'], 'the account ID of the control panel, like hl_1a2b3c4d'],
    [['--host', 'http://proxy.example.com'], 'a name or an address like proxy.example.com'],
    [['--port', '99999'], 'an integer from 1 to 65535'],
  ])('refuses %j without showing the password', async (more, found) => {
    await using harness = await openHarness('plain');
    const { code, stdout, stderr } = await harness.webdataWith({ env }, ...basic, ...more);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(found);
    expect(stderr).not.toMatch(/p@ss|p%40ss/);
  });
});
