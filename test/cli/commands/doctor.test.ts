/** `webdata doctor`: what it checks, what it prints to paste, and that it only reads. */
import { expect, it } from 'vitest';
import { type AccountName, openHarness, writesOf } from '../harness.ts';

const declaration =
  'zoneIpAllocations:\n  static:\n    zones:\n      checkout: { keepAtLeast: 1, ips: [192.0.2.10] }\n';

async function doctored(account: AccountName, service = '', ...args: string[]) {
  await using harness = await openHarness(account);
  await harness.write('webdata.yaml', service + declaration);
  const result = await harness.webdata('doctor', ...args);
  return { ...result, requests: harness.emulator.requests() };
}

it('finds nothing wrong with the plain account, and only reads', async () => {
  const { code, stdout, requests } = await doctored('plain');
  expect(stdout).toMatch(/^ok {5}declaration\s+valid, declares 1 resource$/m);
  expect(stdout).toMatch(/^ok {5}service\s.*answers/m);
  expect(stdout).toMatch(/^ok {5}zone checkout\s+\d+ IPs/m);
  expect(stdout).toMatch(/^(ok|note) +profile\s/m);
  expect(stdout).not.toContain('FAILED');
  expect(code).toBe(0);
  expect(writesOf(requests)).toEqual([]);
});

it('prints the profile of an account with other names, and accepts it when it is pasted', async () => {
  const first = await doctored('stranger');
  expect(first.code).toBe(0);
  expect(first.stdout).toContain('detected what the specification leaves open');
  const pasted = /^service: .*$/m.exec(first.stdout)?.[0];
  expect(pasted).toContain('geolocation');
  const second = await doctored('stranger', `${pasted}\n`);
  expect(second).toMatchObject({ code: 0, stdout: expect.stringMatching(/^ok {5}declaration/m) });
  expect(second.stdout).not.toContain('geolocation');
});

it('gives the same checks and the profile as JSON', async () => {
  const { code, stdout } = await doctored('stranger', '', '--format', 'json');
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    format: 'webdata.doctor/1',
    result: 'ok',
    checks: expect.arrayContaining([{ name: 'declaration', result: 'ok', text: 'valid, declares 1 resource' }]),
    profile: { geolocation: { first: expect.any(String) } },
  });
});

it('exits with 1 and a fix when the key is refused', async () => {
  await using harness = await openHarness('plain');
  await harness.write('webdata.yaml', declaration);
  const { code, stdout } = await harness.webdataWith({ env: { WEBDATA_API_KEY: 'wrong-key-0123456789' } }, 'doctor');
  expect(code).toBe(1);
  expect(stdout).toMatch(/^FAILED service\s.*401/m);
  expect(stdout).toMatch(/fix: .*valid API key/);
  expect(stdout).not.toContain('wrong-key-0123456789');
});

it('reports a broken declaration with its location, and still checks the service', async () => {
  await using harness = await openHarness('plain');
  await harness.write('webdata.yaml', 'zoneIpAllocations:\n  static: { zone: {} }\n');
  const { code, stdout } = await harness.webdata('doctor');
  expect(code).toBe(1);
  expect(stdout).toMatch(/^FAILED declaration\s+webdata\.yaml:2:\d+: /m);
  expect(stdout).toMatch(/^ok {5}service\s/m);
});
