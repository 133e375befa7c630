/** Drift is about what is, guards are about what may be done: a difference that no apply may end is still a difference. */
import { describe, expect, it } from 'vitest';
import { accountWith, openHarness, serviceYaml, writesOf } from '../harness.ts';

const allocation = (spec: string) => `zoneIpAllocations: { static: ${spec} }\n`;

const cases = [
  {
    name: 'maxMoves',
    declaration: allocation(
      '{ zones: { checkout: { ips: [192.0.2.10, 192.0.2.11] } }, sources: [pricing], maxMoves: 1 }',
    ),
    shows: '2 IPs  in pricing  declared in checkout  192.0.2.10 us, 192.0.2.11 us',
    total: 'Drift: 2 IPs are not where they are declared',
    guard: 'too-many-moves',
  },
  {
    name: 'keepAtLeast',
    declaration: allocation('{ zones: { checkout: { ips: [192.0.2.10] }, pricing: { keepAtLeast: 10 } } }'),
    shows: '1 IP  in pricing  declared in checkout  192.0.2.10 us',
    total: 'Drift: 1 IP is not where it is declared',
    guard: 'below-floor',
  },
  {
    name: 'keepAtLeast of zones that wait for each other',
    declaration: allocation(
      '{ zones: { checkout: { ips: [192.0.2.10], keepAtLeast: 8 }, pricing: { ips: [192.0.2.40], keepAtLeast: 10 } } }',
    ),
    shows: '1 IP  in pricing   declared in checkout  192.0.2.10 us',
    total: 'Drift: 2 IPs are not where they are declared',
    guard: 'below-floor',
  },
  {
    name: 'the self-lockout',
    declaration: 'managerSettings: { local: { wwwWhitelistIps: [10.0.0.5] } }\n',
    shows: 'wwwWhitelistIps',
    total: 'Drift: 2 settings differ',
    guard: 'self-lockout',
  },
];

describe.each(cases)('a guard that stands in the way: $name', ({ declaration, shows, total, guard }) => {
  async function open() {
    const account = await accountWith('plain', ({ manager }) => manager.settings.www_whitelist_ips.push('127.0.0.1'));
    const harness = await openHarness(account);
    await harness.write('webdata.yaml', serviceYaml('plain') + declaration);
    return harness;
  }

  it('is no problem of drift, which shows the difference and exits with 2', async () => {
    await using harness = await open();
    const { code, stdout, stderr } = await harness.webdata('drift');
    expect(stdout).toContain(shows);
    expect(stdout).toContain(total);
    expect(stdout).not.toContain('problem');
    expect({ code, stderr }).toEqual({ code: 2, stderr: '' });
    const json = await harness.webdata('drift', '--format', 'json');
    expect(json.code).toBe(2);
    expect(JSON.parse(json.stdout)).toMatchObject({ mode: 'drift', summary: { problems: 0 } });
  });

  it('is one of plan and apply, which end with 1 and call nothing', async () => {
    await using harness = await open();
    const { code, stdout } = await harness.webdata('plan', '--format', 'json');
    expect(code).toBe(1);
    expect(JSON.parse(stdout).resources).toMatchObject([{ problems: [{ code: guard }] }]);
    expect(await harness.webdata('apply', '--yes')).toMatchObject({ code: 1 });
    expect(writesOf(harness.emulator.requests())).toEqual([]);
  });
});
