/** `drift --accept` where IPs are ranges and files, and where the declaration is in several files. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openHarness, serviceYaml } from '../harness.ts';

const zones = `zoneIpAllocations:
  static:
    zones:
      checkout:
        ips:
          - 192.0.2.12-192.0.2.15 # the first block
          - file: de.txt # from the inventory
    spare: parked
    sources: [pricing]
`;

it.each([
  ['included', ['-f', 'webdata.yaml']],
  ['in a folder', ['-f', 'zones', '--journal', 'journal.jsonl']],
])('keeps ranges and files that are live as a whole, in a file that is %s', async (_, files) => {
  await using harness = await openHarness('plain');
  const { emulator, webdata } = harness;
  await mkdir(join(harness.folder, 'zones'));
  await harness.write('webdata.yaml', `include: zones/static.yaml\n${serviceYaml('plain')}`);
  await harness.write('zones/service.yaml', serviceYaml('plain'));
  await harness.write('zones/static.yaml', zones);
  await harness.write('zones/de.txt', '# Germany\n203.0.113.10-203.0.113.12\n');
  expect(await webdata('drift', ...files)).toMatchObject({ code: 0 });
  emulator.move(['192.0.2.13'], 'parked');
  expect(await webdata('drift', ...files)).toMatchObject({ code: 2 });
  const { code, stderr } = await webdata('drift', '--accept', '--yes', ...files);
  expect(stderr).toContain('No drift is left.');
  expect(code).toBe(0);
  const after = await harness.read('zones/static.yaml');
  expect(after).toContain('- file: de.txt # from the inventory\n');
  expect(after).not.toContain('192.0.2.13');
  for (const item of ['192.0.2.12', '192.0.2.14-192.0.2.15']) expect(after).toContain(`- ${item}\n`);
  expect(after).toContain('the first block');
  expect(await webdata('drift', ...files)).toMatchObject({ code: 0 });
});

it('changes nothing if no IP of a range has moved', async () => {
  await using harness = await openHarness('plain');
  const yaml = `${serviceYaml('plain')}${zones.replace('- file: de.txt # from the inventory', '- 203.0.113.10-203.0.113.12')}managerSettings: { local: { logs: 7 } }\n`;
  await harness.write('webdata.yaml', yaml);
  const { code } = await harness.webdata('drift', '--accept', '--yes');
  expect(code).toBe(0);
  expect(await harness.read('webdata.yaml')).toBe(yaml.replace('logs: 7', 'logs: 1000'));
});

it('keeps a list that has an item twice', async () => {
  await using harness = await openHarness('plain');
  const yaml = `${serviceYaml('plain')}managerSettings:
  local:
    whitelistIps:
      - 10.0.0.0/8
      - file: offices.txt
    logs: 7
`;
  await harness.write('webdata.yaml', yaml);
  await harness.write('offices.txt', '10.1.0.5\n10.1.0.5\n');
  harness.emulator.setSettings({ whitelist_ips: ['10.0.0.0/8', '10.1.0.5'] });
  await harness.webdata('drift', '--accept', '--yes');
  expect(await harness.read('webdata.yaml')).toBe(yaml.replace('logs: 7', 'logs: 1000'));
});
