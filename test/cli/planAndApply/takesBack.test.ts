/** The plan of an older checkout, which takes back what a run of a newer one did. */
import { expect, it } from 'vitest';
import { openDeclared, serviceYaml, writesOf } from '../harness.ts';

const allocation = (count: number) =>
  `zoneIpAllocations: { static: { zones: { checkout: { count: { us: ${count} } } }, spare: parked } }\n`;

it('names the run of which it takes moves back, and --strict refuses it', async () => {
  await using harness = await openDeclared('plain', allocation(5));
  expect(await harness.webdata('apply', '--yes')).toMatchObject({ code: 0 });
  await harness.write('webdata.yaml', serviceYaml('plain') + allocation(7));
  const newer = await harness.webdata('plan');
  expect(newer.stdout).not.toContain('takes back');
  expect(await harness.webdata('apply', '--yes', '--strict')).toMatchObject({ code: 0 });

  await harness.write('webdata.yaml', serviceYaml('plain') + allocation(5));
  const { code, stdout } = await harness.webdata('plan');
  expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('2 IPs  from checkout') });
  expect(stdout.replaceAll(/\s+/g, ' ')).toMatch(
    /takes back 2 moves of apply [0-9a-f]{8} \([^)]*@[^)]*less than a minute ago\)/,
  );
  const sent = writesOf(harness.emulator.requests()).length;
  for (const args of [['plan'], ['apply', '--yes']]) {
    expect(await harness.webdata(...args, '--strict')).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('takes back 2 moves of apply'),
    });
  }
  expect(writesOf(harness.emulator.requests())).toHaveLength(sent);
  expect(await harness.webdata('apply', '--yes')).toMatchObject({ code: 0 });
});
