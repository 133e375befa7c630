/** A zone that is emptied in a hurry: another call that fails is not in its way, and the same IPs come home. */
import { expect, it } from 'vitest';
import { migrationsOf, openDeclared, serviceYaml } from '../harness.ts';

const declared = (pricing: string) => `
zoneIpAllocations:
  static:
    zones:
      checkout: { ips: [192.0.2.12, 192.0.2.13] }
      pricing: { count: ${pricing} }
      archive: { ips: [192.0.2.77] }
    sources: [old-pricing]
    spare: parked
`;
const full = declared('{ us: 7, de: 3 }');
const empty = declared('0');

it('goes on although a repair fails, and a revert in git brings the same IPs home', async () => {
  await using harness = await openDeclared('plain', full);
  const { webdata, emulator } = harness;
  const before = emulator.ips('pricing').toSorted();
  expect(await webdata('apply', '--yes')).toMatchObject({ code: 0 });
  emulator.move(['192.0.2.12'], 'old-pricing');
  await harness.write('webdata.yaml', serviceYaml('plain') + empty);
  // The repair is the call to checkout.
  emulator.addFault({ route: 'zone/ips/migrate', occurrence: 1, fault: { kind: 'status', status: 502 } });
  const { code, stdout } = await webdata('apply', '--yes', '--parallelism', '1');
  expect({ code, stdout }).toMatchObject({ code: 1, stdout: expect.stringContaining('10 IPs moved in 1 call') });
  expect(stdout).toContain('run `webdata apply` again');
  expect(emulator.ips('pricing')).toEqual([]);
  expect(await webdata('apply', '--yes')).toMatchObject({ code: 0 });
  expect(emulator.ips('checkout')).toContain('192.0.2.12');

  await harness.write('webdata.yaml', serviceYaml('plain') + full);
  const { length } = migrationsOf(emulator.requests());
  expect(await webdata('apply', '--yes')).toMatchObject({ code: 0 });
  expect(migrationsOf(emulator.requests())).toHaveLength(length + 1);
  expect(emulator.ips('pricing').toSorted()).toEqual(before);
});
