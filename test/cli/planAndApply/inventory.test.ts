import { describe, expect, it } from 'vitest';
import type { PlanDocument } from '../../../src/report/json/schema.ts';
import { type Harness, openDeclared } from '../harness.ts';

const declaration = `zoneIpAllocations:
  static:
    zones:
      checkout: { ips: [192.0.2.10] }
      archive: { count: 12 }
    sources: [pricing]
    spare: parked
`;

describe('the inventory of a plan', () => {
  it('is what the zones list before, and what they list after the apply', async () => {
    await using harness = await openDeclared('plain', declaration);
    const before = await inventory(harness);
    const zones = ['checkout', 'archive', 'pricing', 'parked'];
    expect(before.map(({ zone }) => zone)).toEqual(zones);
    expect(totals(before, 'before')).toEqual(await listed(harness, zones));
    const wanted = totals(before, 'after');
    expect(wanted).not.toEqual(totals(before, 'before'));
    expect(await harness.webdata('apply', '--yes')).toMatchObject({ code: 0 });
    expect(await listed(harness, zones)).toEqual(wanted);
    const after = await inventory(harness);
    expect(totals(after, 'before')).toEqual(wanted);
    expect(totals(after, 'after')).toEqual(wanted);
  });

  it('counts by country, and neither finds nor loses an IP', async () => {
    await using harness = await openDeclared('plain', declaration);
    const countries = (await inventory(harness)).flatMap((zone) => zone.countries);
    const sums = Object.entries(Object.groupBy(countries, ({ country }) => country)).map(([country, its = []]) => ({
      country,
      before: its.reduce((sum, { before }) => sum + before, 0),
      after: its.reduce((sum, { after }) => sum + after, 0),
    }));
    expect(sums.length).toBeGreaterThan(1);
    for (const { before, after } of sums) expect(after).toBe(before);
  });
});

type Inventory = NonNullable<PlanDocument['resources'][number]['inventory']>;

async function inventory({ webdata }: Harness): Promise<Inventory> {
  const { stdout } = await webdata('plan', '--format', 'json');
  return (JSON.parse(stdout) as PlanDocument).resources[0]?.inventory ?? [];
}

function totals(inventory: Inventory, when: 'before' | 'after'): number[] {
  return inventory.map(({ countries }) => countries.reduce((sum, country) => sum + country[when], 0));
}

/** As the emulator itself says. */
async function listed({ emulator }: Harness, zones: readonly string[]): Promise<number[]> {
  const headers = { authorization: `Bearer ${emulator.keys.ops}` };
  return Promise.all(
    zones.map(async (zone) => {
      const answer = await fetch(`${emulator.apiUrl}/zone/ips?zone=${zone}`, { headers });
      return ((await answer.json()) as { ips: unknown[] }).ips.length;
    }),
  );
}
