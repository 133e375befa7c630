// biome-ignore-all lint/suspicious/noTemplateCurlyInString: `${NAME}` is the syntax under test
/** `webdata drift --accept`: the declaration follows the live state, and nothing that is shared or secret is written. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { owner } from '../../triggers/serving.ts';
import { type AccountName, type Harness, openDeclared, openHarness, serviceYaml } from '../harness.ts';
import { openRegistering } from '../registrations/registrations.ts';

const zonesYaml = `zoneIpAllocations:
  static:
    zones:
      # the shop
      checkout:
        ips:
          - 192.0.2.12 # bought in May
          - 192.0.2.13
          - 192.0.2.14
      pricing: { count: { us: 7, DE: 3 } } # by country
    spare: parked
    sources: [archive, old-pricing]
`;

async function accept(harness: Harness, ...args: string[]) {
  return harness.webdata('drift', '--accept', '--yes', ...args);
}

describe('webdata drift --accept', () => {
  it('changes the lines that differ, and shows them', async () => {
    await using harness = await openDeclared('plain', zonesYaml);
    harness.emulator.move(['192.0.2.12', '192.0.2.13'], 'parked');
    harness.emulator.move(['203.0.113.20'], 'archive');
    const before = await harness.read('webdata.yaml');
    const { code, stderr } = await accept(harness);
    expect(stderr).toContain('1 resource now declares the live state. No drift is left.');
    expect(code).toBe(0);
    expect(await harness.read('webdata.yaml')).toBe(
      before
        .replace('- 192.0.2.12 # bought in May', '# - 192.0.2.12 # bought in May')
        .replace('          - 192.0.2.13\n', '')
        .replace('DE: 3', 'DE: 2'),
    );
    expect(stderr).toContain('-          - 192.0.2.13\n');
    expect(await harness.webdata('drift')).toMatchObject({ code: 0 });
  });

  it('leaves a JSON file one', async () => {
    await using harness = await openHarness('plain');
    harness.emulator.setSettings({ logs: 7, whitelist_ips: ['10.0.0.0/8'] });
    const declared = (logs: number, ip: string) => ({ managerSettings: { local: { logs, whitelistIps: [ip] } } });
    await harness.write('j.json', JSON.stringify(declared(5, '10.9.9.9')));
    expect(await accept(harness, '-f', 'j.json')).toMatchObject({ code: 0 });
    expect(await harness.read('j.json')).toBe(JSON.stringify(declared(7, '10.0.0.0/8')));
  });

  it.each([
    'plain',
    'odd',
    'stranger',
    'open',
  ] satisfies AccountName[])('does so on the %s account', async (account) => {
    await using harness = await openDeclared(account, 'zoneIpAllocations: { a: { zones: {} } }\n');
    const [zone = '', other = ''] = ['checkout', 'pricing'];
    const ips = harness.emulator.ips(zone);
    const yaml = `zoneIpAllocations: { a: { zones: { ${zone}: { ips: [${ips.join(', ')}] } }, sources: [${other}] } }\n`;
    await harness.write('webdata.yaml', serviceYaml(account) + yaml);
    harness.emulator.move(ips.slice(0, 1), other);
    expect(await accept(harness)).toMatchObject({ code: 0, stderr: expect.stringContaining('No drift is left.') });
    expect(await harness.read('webdata.yaml')).toBe(serviceYaml(account) + yaml.replace(`${ips[0]}, `, ''));
  });

  it('drops an IP that is in no zone of the file, and a count that no zone can fill', async () => {
    await using harness = await openDeclared(
      'plain',
      'zoneIpAllocations: { a: { zones: { checkout: { ips: [192.0.2.12], count: 8 } } } }\n',
    );
    harness.emulator.move(['192.0.2.12', '192.0.2.13'], 'archive');
    expect(await accept(harness)).toMatchObject({ code: 0 });
    expect(await harness.read('webdata.yaml')).toContain('{ ips: [], count: 6 }');
  });

  it('drops an IP that was applied and is in no zone of the file any more, and moves another one', async () => {
    await using harness = await openDeclared(
      'plain',
      'zoneIpAllocations: { a: { zones: { checkout: { ips: [192.0.2.12, 192.0.2.13] }, pricing: { ips: [] } } } }\n',
    );
    expect(await harness.webdata('apply', '--yes')).toMatchObject({ code: 0 });
    harness.emulator.move(['192.0.2.12'], 'archive');
    harness.emulator.move(['192.0.2.13'], 'pricing');
    const { code, stderr } = await accept(harness);
    expect(stderr).not.toContain('not applied yet');
    expect(stderr).toContain('No drift is left.');
    expect(code).toBe(0);
    expect(await harness.read('webdata.yaml')).toContain('checkout: { ips: [] }, pricing: { ips: [192.0.2.13] }');
  });

  it('declares unmanaged IPs only with --strict', async () => {
    await using harness = await openDeclared(
      'plain',
      'zoneIpAllocations: { a: { zones: { checkout: { ips: [192.0.2.12] } } } }\n',
    );
    const before = await harness.read('webdata.yaml');
    expect(await accept(harness)).toMatchObject({ code: 0, stderr: expect.stringContaining('stays as it is') });
    expect(await harness.read('webdata.yaml')).toBe(before);
    expect(await accept(harness, '--strict')).toMatchObject({ code: 0 });
    expect(await harness.read('webdata.yaml')).toContain('[192.0.2.12, 192.0.2.13, 192.0.2.14,');
  });

  it('follows an IP from one allocation to the other', async () => {
    await using harness = await openDeclared(
      'plain',
      `zoneIpAllocations:
  a: { zones: { checkout: { ips: [192.0.2.12, 192.0.2.13] } } }
  b: { zones: { pricing: { ips: [192.0.2.10] } } }
`,
    );
    harness.emulator.move(['192.0.2.13'], 'pricing');
    expect(await accept(harness)).toMatchObject({ code: 0 });
    const text = await harness.read('webdata.yaml');
    expect(text).toContain('a: { zones: { checkout: { ips: [192.0.2.12] } } }');
    expect(text).toContain('b: { zones: { pricing: { ips: [192.0.2.10, 192.0.2.13] } } }');
  });

  it('accepts one resource and reports what is left', async () => {
    await using harness = await openDeclared(
      'plain',
      `zoneIpAllocations: { a: { zones: { checkout: { ips: [192.0.2.12] } }, sources: [parked] } }
managerSettings: { main: { logs: 12345 } }
`,
    );
    harness.emulator.move(['192.0.2.12'], 'parked');
    const { code, stderr } = await harness.webdata('drift', '--accept', 'managerSettings/main', '--yes');
    expect(code).toBe(2);
    expect(stderr).toContain('Drift is left: zoneIpAllocations.a.');
    const text = await harness.read('webdata.yaml');
    expect(text).toContain('checkout: { ips: [192.0.2.12] }');
    expect(text).not.toContain('12345');
    expect(await harness.webdata('drift', '--accept', 'managerSettings/mian', '--yes')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('did you mean `ManagerSettings/main`?'),
    });
  });

  it('leaves a port that is there out of those that should be absent, and keeps the others', async () => {
    await using harness = await openDeclared('plain', 'managerSettings: { main: { absentPorts: [24010, 24999] } }\n');
    expect(await harness.webdata('drift', '--accept', 'managerSettings/main', '--yes')).toMatchObject({ code: 0 });
    expect(await harness.read('webdata.yaml')).toContain('absentPorts: [24999]');
    expect(harness.emulator.ports()).toContain(24010);
  });

  it('does not overwrite a file that has changed meanwhile', async () => {
    await using harness = await openDeclared('plain', 'managerSettings: { main: { logs: 12345 } }\n');
    const confirm = async () => {
      await harness.write('webdata.yaml', 'managerSettings: { main: { logs: 1 } }\n');
      return true;
    };
    const { code, stderr } = await harness.webdataWith({ confirm }, 'drift', '--accept');
    expect(code).toBe(1);
    expect(stderr).toContain('webdata.yaml has changed since it was read');
    expect(await harness.read('webdata.yaml')).toBe('managerSettings: { main: { logs: 1 } }\n');
  });
});

describe('changes that are declared and not applied yet', () => {
  it('are not undone, unless the resource is named', async () => {
    await using harness = await openDeclared(
      'plain',
      'managerSettings:\n  main:\n    logs: 1000\n    whitelistIps: [10.1.1.1]\n',
    );
    expect(await harness.webdata('apply', '--yes')).toMatchObject({ code: 0 });
    await harness.write('webdata.yaml', (await harness.read('webdata.yaml')).replace('1000', '200 # tomorrow'));
    const before = await harness.read('webdata.yaml');
    expect(await accept(harness)).toMatchObject({ stderr: expect.stringContaining('stays as it is') });
    harness.emulator.setSettings({ whitelist_ips: ['10.2.2.2'] });
    expect(await accept(harness)).toMatchObject({
      stderr: expect.stringContaining('has changes that are declared and not applied yet'),
    });
    expect(await harness.read('webdata.yaml')).toBe(before);
    expect(await harness.webdata('drift', '--accept', 'ManagerSettings/main', '--yes')).toMatchObject({ code: 0 });
    expect(await harness.read('webdata.yaml')).toBe(
      before.replace('200 # tomorrow', '1000 # tomorrow').replace('10.1.1.1', '10.2.2.2'),
    );
  });

  it('include resources that do not exist and may never have been applied', async () => {
    await using place = await openRegistering();
    await place.declare('webhookDeliveries: { new: { endpoint: "https://hooks.example.com/a" } }\n');
    const before = await place.read('webdata.yaml');
    const { stderr } = await place.webdata('drift', '--accept', '--yes');
    expect(stderr).toContain('it is not known whether it was removed or never applied');
    expect(await place.read('webdata.yaml')).toBe(before);
  });
});

describe('values that are not written in one place', () => {
  it('writes an own value beside a merge key', async () => {
    await using harness = await openHarness('plain');
    harness.emulator.setSettings({ logs: 77, whitelist_ips: ['10.1.1.1'] });
    const yaml = `managerSettings:
  base: &base { url: "http://127.0.0.1:9", logs: &logs 5 }
  main:
    <<: *base
    url: ${harness.emulator.managerUrl}
    whitelistIps: [10.1.1.1]
`;
    await harness.write('webdata.yaml', yaml);
    const { stderr } = await harness.webdata('drift', '--accept', 'ManagerSettings/main', '--yes', '--retries', '0');
    expect(stderr).toContain('+    logs: 77');
    expect(await harness.read('webdata.yaml')).toBe(`${yaml}    logs: 77\n`);
  });

  it('changes the file that has the value, and keeps what an overlay removes', async () => {
    await using harness = await openHarness('plain');
    harness.emulator.setSettings({ logs: 77, whitelist_ips: ['10.1.1.1'] });
    await harness.write('base.yaml', 'managerSettings:\n  main:\n    logs: 5 # base\n    whitelistIps: [10.1.1.1]\n');
    await harness.write('prod.yaml', 'managerSettings:\n  main:\n    whitelistIps: [10.2.2.2] # prod\n');
    const { code, stderr } = await accept(harness, '-f', 'base.yaml', '-f', 'prod.yaml');
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(await harness.read('base.yaml')).toContain('    logs: 77 # base\n    whitelistIps: [10.1.1.1]\n');
    expect(await harness.read('prod.yaml')).toContain('    whitelistIps: [10.1.1.1] # prod\n');
  });

  it('splits ranges and networks', async () => {
    await using harness = await openDeclared(
      'plain',
      `zoneIpAllocations:
  a:
    zones:
      checkout: { ips: [192.0.2.12-192.0.2.15, 203.0.113.10 - 203.0.113.12] } # ranges
      pricing: { ips: [198.51.100.12/31, 192.0.2.10] }
`,
    );
    const before = await harness.read('webdata.yaml');
    harness.emulator.move(['192.0.2.14', '198.51.100.12'], 'parked');
    harness.emulator.move(['192.0.2.10'], 'checkout');
    const { code, stderr } = await accept(harness);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(await harness.read('webdata.yaml')).toBe(
      before
        .replace(
          '192.0.2.12-192.0.2.15, 203.0.113.10 - 203.0.113.12',
          '192.0.2.12-192.0.2.13, 192.0.2.15, 203.0.113.10 - 203.0.113.12, 192.0.2.10',
        )
        .replace('198.51.100.12/31, 192.0.2.10', '198.51.100.13'),
    );
  });

  it('changes included files and files of a folder where they hold the value', async () => {
    await using harness = await openHarness('plain');
    await mkdir(join(harness.folder, 'zones'));
    await mkdir(join(harness.folder, 'all'));
    await harness.write(
      'zones/shop.yaml',
      'zoneIpAllocations:\n  a:\n    zones: { checkout: { ips: [192.0.2.12, 192.0.2.13] } } # shop\n',
    );
    const main = `${serviceYaml('plain')}include: zones/*.yaml\nzoneIpAllocations: { a: { spare: parked } }\n`;
    await harness.write('webdata.yaml', main);
    await harness.write('all/one.yaml', 'managerSettings: {} # none yet\n');
    await harness.write('all/two.yaml', 'managerSettings: { main: { logs: 5 } } # two\n');
    harness.emulator.move(['192.0.2.13'], 'parked');
    expect(await accept(harness)).toMatchObject({ code: 0, stderr: expect.stringContaining('+++ b/zones/shop.yaml') });
    expect(await harness.read('zones/shop.yaml')).toContain('{ ips: [192.0.2.12] } } # shop');
    expect(await harness.read('webdata.yaml')).toBe(main);
    expect(await accept(harness, '-f', 'all')).toMatchObject({ code: 0 });
    expect(await harness.read('all/two.yaml')).toBe('managerSettings: { main: { logs: 1000 } } # two\n');
  });

  it('refuses a live state that is no valid declaration, and says why', async () => {
    const yaml = 'zoneIpAllocations: { a: { zones: { checkout: { count: 8, keepAtLeast: 7 } }, spare: parked } }\n';
    await using harness = await openDeclared('plain', yaml);
    harness.emulator.move(['192.0.2.12', '192.0.2.13'], 'parked');
    const before = await harness.read('webdata.yaml');
    const { code, stderr } = await accept(harness);
    expect(code).toBe(2);
    expect(stderr).toContain('the live state is not a valid declaration: keepAtLeast 7, above the count 6');
    expect(await harness.read('webdata.yaml')).toBe(before);
  });
});

describe('registrations', () => {
  const schedules = `collectorSchedules:
  prices: # hourly
    collector: c_prices
    every: 1h # often
    inputs:
      - { url: https://shop.example.com/a }
`;

  it('takes over fields, and removes what is no longer registered', async () => {
    await using place = await openRegistering();
    await place.declare(`webhookDeliveries:
  hook:
    endpoint: https://hooks.example.com/a # ours
    authorization: { env: HOOK }
  old: { endpoint: https://hooks.example.com/old } # old one
${schedules}`);
    expect(await place.webdata('apply', '--yes')).toMatchObject({ code: 0 });
    expect(await place.webdata('triggers', 'pause', 'prices')).toMatchObject({ code: 0 });
    await place.serving.call('DELETE', `/v1/owners/${owner}/deliveries/old`);
    await place.serving.call('PUT', `/v1/owners/${owner}/deliveries/hook`, {
      endpoint: 'https://hooks.example.com/b',
      authorization: { env: 'HOOK' },
    });
    const { stderr } = await place.webdata('drift', '--accept', '--yes');
    expect(stderr).toContain('No drift is left.');
    const text = await place.read('webdata.yaml');
    expect(text).toContain('    endpoint: https://hooks.example.com/b # ours\n    authorization: { env: HOOK }\n');
    expect(text).toContain('  # old: { endpoint: https://hooks.example.com/old } # old one\n');
    expect(text).toContain('    paused: true\n');
    expect(await place.webdata('drift')).toMatchObject({ code: 0 });
  });

  it('writes no secret', async () => {
    await using place = await openRegistering();
    const yaml = 'webhookDeliveries:\n  hook:\n    endpoint: https://hooks.example.com/a\n    authorization: ${HOOK}\n';
    await place.declare(yaml);
    await place.webdataWith({ HOOK: 'Bearer first-secret' }, 'apply', '--yes');
    const before = await place.read('webdata.yaml');
    const { code, stderr, stdout } = await place.webdataWith(
      { HOOK: 'Bearer other-secret' },
      'drift',
      '--accept',
      'WebhookDelivery/hook',
      '--yes',
    );
    // The declared secret was changed and not applied: that is no drift.
    expect(code).toBe(0);
    expect(stderr).toContain('a registered secret differs');
    expect(stdout + stderr).not.toMatch(/first-secret|other-secret/);
    expect(await place.read('webdata.yaml')).toBe(before);
  });
});
