/** `--zone`: only the moves that touch a zone, by the guards of the whole declaration. */
import { expect, it } from 'vitest';
import { migrationsOf, openDeclared } from '../harness.ts';

const declared = (more = '') => `
zoneIpAllocations:
  static:
    zones:
      checkout: { ips: [192.0.2.12, 192.0.2.10] }
      pricing: { count: { us: 6 }, keepAtLeast: 5 }
      archive: { ips: [192.0.2.77, 192.0.2.40${more}] }
    spare: parked
managerSettings: { local: { logs: 7 } }
`;

it('moves only what touches the zone, and the rest later', async () => {
  await using harness = await openDeclared('plain', declared());
  const { webdata, emulator } = harness;
  const { stdout } = await webdata('plan', '--zone', 'archive');
  expect(stdout).toContain('1 IP  from checkout  to archive  192.0.2.40 us');
  expect(stdout).toContain('1 move touches none of these zones: without --zone, it is made too');
  expect(stdout).not.toContain('managerSettings');
  expect(await webdata('plan', '--zone', 'archive', '--output', 'plan.json')).toMatchObject({ code: 0 });
  expect(await webdata('apply', 'plan.json', '--yes')).toMatchObject({ code: 0 });
  expect(migrationsOf(emulator.requests())).toEqual(['checkout -> archive: 192.0.2.40']);
  // The declaration was not applied as a whole, so the rest is pending and no drift.
  expect(await webdata('drift')).toMatchObject({ stdout: expect.stringContaining('192.0.2.10 us') });
  expect(await webdata('apply', '--yes', '--zone', 'checkout')).toMatchObject({ code: 0 });
  expect(migrationsOf(emulator.requests())).toHaveLength(2);
  expect(await webdata('apply', '--yes')).toMatchObject({ code: 0 });
  expect(await webdata('plan')).toMatchObject({ stdout: expect.stringContaining('No changes.') });
});

it('leaves the baseline of what it has not judged', async () => {
  await using harness = await openDeclared('plain', declared());
  expect(await harness.webdata('apply', '--yes')).toMatchObject({ code: 0 });
  await harness.write('webdata.yaml', declared(', 203.0.113.10').replace('us: 6', 'jp: 99'));
  expect(await harness.webdata('apply', '--yes', '--zone', 'archive')).toMatchObject({ code: 0 });
  // 2 would say that somebody else has changed it.
  expect(await harness.webdata('drift')).toMatchObject({ code: 1, stdout: expect.stringContaining('jp') });
});

it('is not stopped by a problem of another zone, and keeps its guards', async () => {
  await using harness = await openDeclared('plain', declared().replace('us: 6', 'jp: 99'));
  expect(await harness.webdata('plan')).toMatchObject({ code: 1 });
  expect(await harness.webdata('apply', '--yes', '--zone', 'archive')).toMatchObject({ code: 0 });
  const guarded = declared(', 198.51.100.10, 198.51.100.11, 198.51.100.12, 198.51.100.13').replace(
    'count: { us: 6 }, ',
    '',
  );
  await harness.write('webdata.yaml', guarded.replace('keepAtLeast: 5', 'keepAtLeast: 7'));
  const refused = await harness.webdata('apply', '--yes', '--zone', 'archive');
  expect(refused).toMatchObject({ code: 1, stdout: expect.stringContaining('keepAtLeast') });
});

it('names the zones that may be named', async () => {
  await using harness = await openDeclared('plain', declared());
  const { code, stderr, stdout } = await harness.webdata('plan', '--zone', 'archve');
  expect(code).toBe(1);
  expect(stdout + stderr).toContain('did you mean `archive`?');
});
