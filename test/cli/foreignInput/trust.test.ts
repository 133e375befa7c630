/** What a declaration or a plan file from elsewhere says is not believed: not its names, and not its addresses. */
import { describe, expect, it } from 'vitest';
import { loopback } from '../../client/loopback.ts';
import { accountWith, type Harness, openHarness } from '../harness.ts';

describe('what is said twice, or says nothing, is refused with all of its places', () => {
  it.each([
    [
      'a source that is named twice',
      `zoneIpAllocations:
  static:
    zones: { checkout: { count: 9 } }
    sources: [old-pricing, parked, old-pricing]
`,
      `webdata.yaml:4:36: old-pricing is named twice
  at: zoneIpAllocations.static.sources[2]
  allowed: each source once
  also: webdata.yaml:4:15 is the first
`,
    ],
    [
      'a country that is counted twice, in capital and in small letters',
      `zoneIpAllocations:
  static:
    zones: { checkout: { count: { US: 3, us: 1 } } }
    spare: parked
`,
      `webdata.yaml:3:42: us is counted twice
  at: zoneIpAllocations.static.zones.checkout.count.us
  allowed: each country once, in capital or in small letters
  also: webdata.yaml:3:35 is the first
`,
    ],
    [
      'a count of nothing',
      `zoneIpAllocations:
  static:
    zones: { checkout: { count: {} } }
`,
      `webdata.yaml:3:33: a count of no country
  at: zoneIpAllocations.static.zones.checkout.count
  allowed: at least one country, or a number
`,
    ],
  ])('%s', async (_, declaration, says) => {
    await using harness = await openHarness('plain');
    await harness.write('webdata.yaml', declaration);
    for (const args of [['validate'], ['apply', '--yes']]) {
      expect(await harness.webdata(...args)).toEqual({ code: 1, stdout: '', stderr: says });
    }
    expect(harness.emulator.requests()).toEqual([]);
  });
});

describe('the manager’s token', () => {
  const token = 'hush-hush';
  const env = { WEBDATA_MANAGER_TOKEN: token };
  const declaration = 'managerSettings: { local: { logs: 500 } }\n';

  async function openGuarded(): Promise<Harness> {
    const account = await accountWith('plain', ({ manager }) => {
      manager.token = token;
    });
    const harness = await openHarness(account);
    await harness.write('webdata.yaml', declaration);
    return harness;
  }

  it('goes to the configured manager', async () => {
    await using harness = await openGuarded();
    expect(await harness.webdata('plan')).toMatchObject({ code: 1 });
    expect(await harness.webdataWith({ env }, 'apply', '--yes')).toMatchObject({ code: 0 });
    expect(harness.emulator.settings()).toMatchObject({ logs: 500 });
  });

  it('does not go where an edited plan file says that the manager is, nor does any other request', async () => {
    await using harness = await openGuarded();
    const elsewhere = await loopback({ body: {} });
    await harness.webdataWith({ env }, 'plan', '--output', 'plan.json');
    const plan = JSON.parse(await harness.read('plan.json'));
    plan.declaration.managerSettings.local.url = elsewhere.url;
    await harness.write('plan.json', JSON.stringify(plan));
    await harness.write('other.yaml', '');
    const result = await harness.webdataWith({ env }, 'apply', 'plan.json', '-f', 'other.yaml', '--yes');
    expect(result).toMatchObject({ code: 1 });
    expect(elsewhere.requests).toEqual([]);
    expect(harness.emulator.settings()).toMatchObject({ logs: 1000 });
  });

  it('does not go to a manager of another origin that the declaration names', async () => {
    await using harness = await openGuarded();
    const elsewhere = await loopback({ body: {} });
    await harness.write('webdata.yaml', `managerSettings: { local: { url: "${elsewhere.url}", logs: 500 } }`);
    await harness.webdataWith({ env }, 'plan');
    expect(elsewhere.requests).not.toEqual([]);
    expect(JSON.stringify(elsewhere.requests)).not.toContain(token);
  });
});

describe('secrets that were written in clear', () => {
  it.each([
    ['a key that is no text', 'service: { apiKey: 123456789012 }', '123456789012'],
    ['a password in a URL of another scheme', 'manager: { url: "ftp://u:hush-hush@h" }', 'hush-hush'],
  ])('%s is not repeated', async (_, yaml, secret) => {
    await using harness = await openHarness('plain');
    await harness.write('webdata.yaml', `${yaml}\n`);
    const { code, stdout, stderr } = await harness.webdata('validate');
    expect(code).toBe(1);
    expect(stderr).toContain('webdata.yaml:1:');
    expect(stdout + stderr).not.toContain(secret);
  });
});

it('history does not take just any file for a journal', async () => {
  await using harness = await openHarness('plain');
  await harness.write('notes.txt', 'milk\nbread\n');
  const { code, stderr } = await harness.webdata('history', '--journal', 'notes.txt');
  expect(stderr).toBe('notes.txt is not a journal of runs\n  fix: name another file with --journal\n');
  expect(code).toBe(1);
});
