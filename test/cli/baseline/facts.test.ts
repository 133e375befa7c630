/** Drift states facts: which IPs would fill a count is the choice of a plan. */
import { describe, expect, it } from 'vitest';
import { formatNames } from '../../../src/report/formats.ts';
import { type Harness, openDeclared } from '../harness.ts';

const counted = `zoneIpAllocations:
  static: { zones: { checkout: { count: { us: 5 } }, archive: { count: 3 } }, spare: parked, sources: [pricing] }
`;

async function openApplied(yaml: string): Promise<Harness> {
  const harness = await openDeclared('plain', yaml);
  expect(await harness.webdata('apply', '--yes')).toMatchObject({ code: 0 });
  expect(await harness.webdata('drift')).toMatchObject({ code: 0 });
  return harness;
}

/** Returns what a person reads: without markup and the script of a page. */
function shownIn(text: string): string {
  const [body = ''] = text.split('<footer>');
  return body.replaceAll(/<style>.*?<\/style>|<[a-z/][^>]*>|`/gs, '').replaceAll(/\s+/g, ' ');
}

/** The IPs of a text. */
const ipsIn = (text: string) => [...new Set(text.match(/\b(?:192\.0\.2|198\.51\.100|203\.0\.113)\.\d+\b/g))].sort();

describe.each(formatNames)('drift as %s', (format) => {
  it('of a count says how many IPs there are, and names no other IP', async () => {
    await using harness = await openApplied(counted);
    const [gone = '', ...others] = harness.emulator.ips('checkout').filter((ip) => ip.startsWith('192.0.2.'));
    harness.emulator.move([gone], 'old-pricing');
    harness.emulator.move(['192.0.2.11'], 'archive');
    const { code, stdout } = await harness.webdata('drift', '--format', format);
    expect(code).toBe(2);
    if (format === 'json') {
      const [resource] = JSON.parse(stdout).resources;
      expect(resource).toMatchObject({
        calls: [],
        differences: [
          { before: 4, after: 5 },
          { before: 4, after: 3 },
        ],
      });
      expect(resource.inventory).toBeUndefined();
      return;
    }
    const shown = shownIn(stdout);
    expect(shown).toContain('checkout has 4 us IPs, 5 are declared');
    expect(shown).toContain('archive has 4 IPs, 3 are declared');
    // Notes on unmanaged IPs of other countries name them.
    const unmanaged = harness.emulator.ips('checkout').filter((ip) => !others.includes(ip));
    expect(ipsIn(shown).filter((ip) => !unmanaged.includes(ip))).toEqual([]);
    expect(shown).not.toMatch(/parked.*declared|declared in parked/);
  });

  it('names the IPs that are listed by address, with where they are', async () => {
    await using harness = await openApplied(
      'zoneIpAllocations: { static: { zones: { checkout: { ips: [192.0.2.12], count: { us: 5 } } }, spare: parked } }\n',
    );
    harness.emulator.move(['192.0.2.12'], 'parked');
    const { code, stdout } = await harness.webdata('drift', '--format', format);
    expect({ code, stdout }).toMatchObject({ code: 2, stdout: expect.stringContaining('192.0.2.12') });
    expect(ipsIn(stdout).filter((ip) => harness.emulator.ips('parked').includes(ip))).toEqual(['192.0.2.12']);
  });

  it('shows the other differences beside an IP that is gone, and what to do about that', async () => {
    await using harness = await openApplied(`zoneIpAllocations:
  static: { zones: { checkout: { ips: [192.0.2.12, 192.0.2.13], count: { us: 6 } } }, spare: parked, sources: [pricing] }
`);
    harness.emulator.move(['192.0.2.12'], 'old-pricing');
    harness.emulator.move(['192.0.2.13'], 'pricing');
    const { code, stdout } = await harness.webdata('drift', '--format', format);
    expect(code).toBe(1);
    const shown = format === 'json' ? stdout : shownIn(stdout);
    expect(shown).toContain('192.0.2.12 is in none of the zones');
    expect(shown).toMatch(/if the service retired or replaced it, run `?webdata drift --accept/);
    if (format === 'json') expect(JSON.parse(stdout).resources[0].differences).toHaveLength(2);
    else expect(shown).toContain('checkout has 4 us IPs, 6 are declared');
    expect(shown).toContain('192.0.2.13');
  });
});
