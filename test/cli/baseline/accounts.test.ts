/** The baseline of an account, beside those of others and of other journals, and its cost. */
import { expect, it } from 'vitest';
import { openDeclared, serviceYaml } from '../harness.ts';

const settings = (logs: number) => `managerSettings: { local: { logs: ${logs} } }\n`;

it('accounts with different names have baselines of their own in one folder', async () => {
  await using harness = await openDeclared('plain', '');
  const file = (account: string, logs: number) =>
    harness.write(`${account}.yaml`, `account: ${account}\n${serviceYaml('plain')}${settings(logs)}`);
  await file('acme-eu', 500);
  await file('acme-us', 600);
  expect(await harness.webdata('apply', '--yes', '-f', 'acme-eu.yaml')).toMatchObject({ code: 0 });
  const unknown = await harness.webdata('drift', '-f', 'acme-us.yaml');
  expect(unknown.stdout).toContain('Without a baseline');
  expect(unknown.code).toBe(2);
  expect(await harness.webdata('apply', '--yes', '-f', 'acme-us.yaml')).toMatchObject({ code: 0 });
  // Both declare one manager here, so the later apply is drift for the earlier account.
  expect(await harness.webdata('drift', '-f', 'acme-eu.yaml')).toMatchObject({ code: 2 });
  await file('acme-us', 700);
  expect(await harness.webdata('drift', '-f', 'acme-us.yaml')).toMatchObject({ code: 0 });
});

it('another journal has a baseline of its own', async () => {
  await using harness = await openDeclared('plain', settings(500));
  expect(await harness.webdata('apply', '--yes', '--journal', 'ci.jsonl')).toMatchObject({ code: 0 });
  expect(JSON.parse(await harness.read('ci.baseline.json')).accounts).toHaveLength(1);
  await harness.write('webdata.yaml', serviceYaml('plain') + settings(600));
  expect(await harness.webdata('drift', '--journal', 'ci.jsonl')).toMatchObject({ code: 0 });
  expect(await harness.webdata('drift')).toMatchObject({ code: 2 });
});

it('a comparison with the baseline lists no zone again', async () => {
  const allocation = (count: number) => `
zoneIpAllocations:
  static: { zones: { checkout: { count: ${count} } }, spare: parked }
`;
  await using harness = await openDeclared('plain', allocation(5));
  const listings = async () => {
    const before = harness.emulator.requests().length;
    await harness.webdata('plan');
    return harness.emulator
      .requests()
      .slice(before)
      .filter(({ route }) => route === 'zone/ips').length;
  };
  const without = await listings();
  expect(await harness.webdata('apply', '--yes')).toMatchObject({ code: 0 });
  await harness.write('webdata.yaml', serviceYaml('plain') + allocation(6));
  expect(await listings()).toBe(without);
});
