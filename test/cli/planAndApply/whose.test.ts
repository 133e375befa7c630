/** A plan says of each move whose it is: of this change, of somebody's manual change, or of a run that did not end. */
import { expect, it } from 'vitest';
import { openDeclared, serviceYaml } from '../harness.ts';

interface Counts {
  us: number;
  de: number;
  archive: string;
}

const declared = ({ us, de, archive }: Counts) => `
zoneIpAllocations:
  static:
    zones:
      checkout: { ips: [192.0.2.12, 192.0.2.13] }
      pricing: { count: { us: ${us}, de: ${de} } }
      archive: { ips: [${archive}] }
    spare: parked
    sources: [old-pricing]
`;

/** An account with a manual change, the rest of a run that failed, and a change of the declaration, in this order. */
async function openMixed() {
  const harness = await openDeclared('plain', declared({ us: 7, de: 3, archive: '192.0.2.77' }));
  const save = (counts: Counts) => harness.write('webdata.yaml', serviceYaml('plain') + declared(counts));
  expect(await harness.webdata('apply', '--yes')).toMatchObject({ code: 0 });
  await save({ us: 8, de: 3, archive: '192.0.2.77, 192.0.2.40' });
  harness.emulator.addFault({ route: 'zone/ips/migrate', occurrence: 1, fault: { kind: 'status', status: 400 } });
  expect(await harness.webdata('apply', '--yes', '--parallelism', '1')).toMatchObject({ code: 1 });
  harness.emulator.move(['192.0.2.12'], 'old-pricing');
  harness.emulator.move(['203.0.113.21'], 'parked');
  await save({ us: 8, de: 3, archive: '192.0.2.77, 192.0.2.40, 192.0.2.14' });
  return harness;
}

it('names this change, a manual change and an unfinished run, in every format', async () => {
  await using harness = await openMixed();
  const { resources } = JSON.parse((await harness.webdata('plan', '--format', 'json')).stdout);
  const whys = resources[0].why.map(({ why, ips }: { why: string; ips: string[] }) => [why, ips.toSorted()]);
  expect(Object.fromEntries(whys)).toEqual({
    change: ['192.0.2.14'],
    unfinished: ['192.0.2.40', '198.51.100.30'],
    manual: ['192.0.2.12', '203.0.113.21'],
  });
  const text = (await harness.webdata('plan')).stdout.replaceAll(/\s+/g, ' ');
  expect(text).toMatch(/from old-pricing +to checkout +192\.0\.2\.12 us +\(reverses a manual change\)/);
  expect(text).toMatch(
    /from checkout +to archive +192\.0\.2\.14 us, 192\.0\.2\.40 us\s+\(1 this change, 1 finishes run [0-9a-f]{8}\)/,
  );
  const { stdout: comment } = await harness.webdata('ci', 'plan', '--print');
  expect(comment).toMatch(/^<!-- webdata:plan:webdata\.yaml -->\n`webdata\.yaml`/);
  expect(comment).toMatch(/\n### webdata plan: 5 moves · \d calls · may incur charges · no problems · drift: 2\n/);
  expect(comment).toMatch(
    /\nOf 5 moves, 1 comes from this change, 2 finish run `[0-9a-f]{8}` \([^\n]+\), 2 reverse a manual change\./,
  );
  const whyColumn = [...comment.matchAll(/^\| `[^|]+\| `[^|]+\| \d+ \| ([a-z ]+?) (?:`[0-9a-f]{8}` )?\|/gm)].map(
    ([, why]) => why,
  );
  expect(whyColumn[0]).toBe('this change');
  expect(new Set(whyColumn)).toEqual(new Set(['this change', 'finishes run', 'reverses a manual change']));
});

it('writes the comment into a file, and asks no code host', async () => {
  await using harness = await openDeclared('plain', declared({ us: 8, de: 3, archive: '192.0.2.77' }));
  expect(await harness.webdata('ci', 'plan', '--print', 'comment.md')).toEqual({ code: 0, stdout: '', stderr: '' });
  expect(await harness.read('comment.md')).toContain('### webdata plan: 1 move · 1 call');
});

it('names the run that caused drift: a single call, or an apply from elsewhere', async () => {
  await using harness = await openDeclared('plain', declared({ us: 7, de: 3, archive: '192.0.2.77' }));
  await harness.webdata('apply', '--yes');
  await harness.webdata('zones', 'migrate', '192.0.2.12', '--from', 'checkout', '--to', 'old-pricing', '--yes');
  const { stdout } = await harness.webdata('drift');
  expect(stdout.replaceAll(/\s+/g, ' ')).toMatch(
    /drift: 192\.0\.2\.12 is in old-pricing, declared in checkout \(made by run [0-9a-f]{8}, by \S+@/,
  );
  expect((await harness.webdata('plan')).stdout).toMatch(/\(takes back run [0-9a-f]{8}\)/);
});
