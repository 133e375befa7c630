/** Contents of zones, which are kept until the zone changes. */
import { expect, it } from 'vitest';
import { type Countries, Inventory } from '../../../src/emulator/core/inventory.ts';

const countries: Countries = ['us', 'us', 'us', 'us'];
const ofZone = { a: ['192.0.2.1', '192.0.2.2'], b: ['192.0.2.3'], c: ['192.0.2.4'] };

function inventory(): Inventory {
  const made = new Inventory(() => new Date(0));
  for (const [zone, ips] of Object.entries(ofZone)) {
    made.addZone(zone);
    made.add(
      zone,
      ips.map((ip) => ({ ip, countries })),
    );
  }
  return made;
}

it.each<[string, (live: Inventory) => void, Record<'a' | 'b', string[]>]>([
  ['moved', (live) => live.relocate(['192.0.2.1'], 'b'), { a: ['192.0.2.2'], b: ['192.0.2.3', '192.0.2.1'] }],
  ['removed', (live) => live.remove(['192.0.2.1', '192.0.2.3']), { a: ['192.0.2.2'], b: [] }],
  ['added', (live) => live.add('b', [{ ip: '192.0.2.5', countries }]), { ...ofZone, b: ['192.0.2.3', '192.0.2.5'] }],
])('are read anew only in zones whose IPs are %s', (_, change, expected) => {
  const live = inventory();
  const before = live.contents('c');
  const shown = (zone: string) => live.contents(zone).map(({ ip }) => ip);
  expect([shown('a'), shown('b')]).toEqual([ofZone.a, ofZone.b]);
  change(live);
  expect({ a: shown('a'), b: shown('b') }).toMatchObject({ a: expected.a, b: expected.b });
  expect(live.contents('c')).toBe(before);
});
