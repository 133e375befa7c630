/** `webdata plan --why IP`: the call that moves an IP, and the reason. */
import { describe, expect, it } from 'vitest';
import { type AccountName, accounts, openDeclared, openHarness, serviceYaml } from '../harness.ts';

const declaration = `
zoneIpAllocations:
  static:
    zones:
      checkout: { ips: [192.0.2.10], count: { us: 7, de: 2 } }
      archive: { count: { gb: 4 } }
    sources: [old-pricing]
    spare: parked
`;

describe.each(Object.keys(accounts) as AccountName[])('plan --why, on the %s account', (account) => {
  it.each([
    [
      '192.0.2.10',
      /^192\.0\.2\.10 us moves from pricing to checkout: call \d of the plan, for\s+zoneIpAllocations\.static\n {2}The declaration lists this IP for checkout\.\n/,
    ],
    [
      '203.0.113.12',
      /moves from checkout to parked:[\s\S]* {2}checkout has more de IPs than its count\.\n {2}checkout {2}de 3 → 2 IPs {2}declared at webdata\.yaml:\d+:7\n/,
    ],
  ])('explains a move of %s', async (ip, text) => {
    await using harness = await openDeclared(
      account,
      `${declaration.replace('[old-pricing]', '[pricing, old-pricing]')}`,
    );
    const { code, stdout } = await harness.webdata('plan', '--why', ip);
    expect(code).toBe(0);
    expect(stdout).toMatch(text);
  });
});

describe('plan --why', () => {
  it('explains the moves of every call, as the plan shows them', async () => {
    await using harness = await openHarness('plain');
    await harness.write(
      'webdata.yaml',
      serviceYaml('plain') + declaration.replace('[old-pricing]', '[pricing, old-pricing]'),
    );
    const plan = JSON.parse((await harness.webdata('plan', '--format', 'json')).stdout);
    const calls: { from: string; to: string; ips: { ip: string }[] }[] = plan.resources[0].calls;
    expect(calls.length).toBeGreaterThan(1);
    for (const [index, { from, to, ips }] of calls.entries()) {
      const [first] = ips;
      const { stdout } = await harness.webdata('plan', '--why', first?.ip ?? '');
      expect(stdout).toContain(`moves from ${from} to ${to}: call ${index + 1} of the plan`);
    }
  });

  it('says that an IP does not move', async () => {
    await using harness = await openDeclared(
      'plain',
      'zoneIpAllocations: { a: { zones: { checkout: { count: 8 } } } }\n',
    );
    const { code, stdout } = await harness.webdata('plan', '--why', '192.0.2.12');
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: 'This plan does not move 192.0.2.12. `webdata show --ip 192.0.2.12` shows the\nzone that holds it.\n',
    });
  });
});
