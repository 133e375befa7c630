/** Random declarations of two allocations: drawn without regard to the account, then adapted to its current IPs. */
import fc from 'fast-check';

/** No declaration names `foreign`, to which other users move IPs. */
export const zoneNames = ['shop', 'mail', 'news', 'old', 'parked', 'foreign'] as const;
const filledZones = ['shop', 'mail', 'news'] as const;
export const countries = ['us', 'de', 'fr'] as const;

interface ZoneSpec {
  ips: string[];
  count?: number | Record<string, number>;
  keepAtLeast: number;
}

export interface AllocationSpec {
  zones: Record<string, ZoneSpec>;
  sources: string[];
  spare?: string;
  unmanaged: 'report' | 'release';
  protect: string[];
  maxMoves?: number | string;
  ignoreChanges: string[];
}

export interface Declaration {
  allocations: Record<string, AllocationSpec>;
  batchLimit?: number;
}

/** The IPs of the account to which a declaration is adapted. */
export interface Holdings {
  ips: readonly string[];
  in(zone: string): string[];
  countryOf(ip: string): string;
}

type Drawn = typeof drawnDeclaration extends fc.Arbitrary<infer T> ? T : never;

const indexes = (most: number) => fc.array(fc.nat(999), { maxLength: most });

const drawnZone = fc.record({
  owner: fc.constantFrom('one', 'one', 'two', undefined),
  ips: indexes(2),
  count: fc.constantFrom('none', 'total', 'countries'),
  deltas: fc.record({ us: fc.constantFrom(-2, -1, 0, 1), de: fc.constantFrom(-1, 0, 1) }),
  counted: fc.subarray(['us', 'de'] as const, { minLength: 1 }),
  keepAtLeast: fc.constantFrom(0, 0, 1, 2, 3),
  ignored: fc.nat(9).map((n) => n === 0),
});

const drawnAllocation = fc.record({
  hasSource: fc.nat(4).map((n) => n > 0),
  hasSpare: fc.nat(4).map((n) => n > 0),
  release: fc.boolean(),
  protect: indexes(2),
  maxMoves: fc.option(fc.constantFrom(0, 2, 4, 6, '0%', '20%', '50%', '100%'), { nil: undefined, freq: 2 }),
});

export const drawnDeclaration = fc.record({
  zones: fc.tuple(drawnZone, drawnZone, drawnZone),
  one: drawnAllocation,
  two: drawnAllocation,
  batchLimit: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
  /** Most drawn declarations fit the account; the others are mostly refused. */
  fits: fc.nat(4).map((n) => n > 0),
});

export function declarationFrom({ zones, batchLimit, fits, ...allocations }: Drawn, account: Holdings): Declaration {
  const free = new Set(account.ips.filter((ip) => !account.in('foreign').includes(ip)));
  const specs = { one: specOf(allocations.one, account), two: specOf(allocations.two, account) };
  for (const [index, zone] of zones.entries()) {
    const name = filledZones[index];
    if (zone.owner === undefined || name === undefined) continue;
    const spec = specs[zone.owner];
    spec.zones[name] = fits ? fittingZone(zone, name, spec, account, free) : zoneOf(zone, name, account, free);
    if (zone.ignored) spec.ignoreChanges.push(`zones.${name}`);
  }
  if (fits) {
    for (const spec of Object.values(specs))
      spec.protect = spec.protect.filter((ip) => isKept(ip, spec, account, free));
  }
  const standing = Object.entries(specs).filter(([, spec]) => Object.keys(spec.zones).length > 0);
  return { allocations: Object.fromEntries(standing), ...(batchLimit !== undefined && { batchLimit }) };
}

/** Returns JSON, which is valid YAML. */
export function yamlOf({ allocations, batchLimit }: Declaration): string {
  const profile = { settleSeconds: 0, migrateBatchLimit: batchLimit };
  return JSON.stringify({ service: { profile }, zoneIpAllocations: allocations });
}

function specOf({ hasSource, hasSpare, release, protect, maxMoves }: Drawn['one'], account: Holdings): AllocationSpec {
  return {
    zones: {},
    sources: hasSource ? ['old'] : [],
    ...(hasSpare && { spare: 'parked' }),
    unmanaged: release && hasSpare ? 'release' : 'report',
    protect: chosen(protect, account.ips),
    ...(maxMoves !== undefined && { maxMoves }),
    ignoreChanges: [],
  };
}

/** Keeps counts near the current numbers, so that many can be met. A floor above a count would be invalid. */
function zoneOf(drawnZone: Drawn['zones'][0], zone: string, account: Holdings, free: Set<string>): ZoneSpec {
  const ips = chosen(drawnZone.ips, [...free]);
  for (const ip of ips) free.delete(ip);
  const there = account.in(zone);
  const near = (held: number, listed: number, delta: number) => Math.max(listed, held + delta);
  if (drawnZone.count === 'none') return { ips, keepAtLeast: drawnZone.keepAtLeast };
  if (drawnZone.count === 'total') {
    const count = near(there.length, ips.length, drawnZone.deltas.us);
    return { ips, count, keepAtLeast: Math.min(count, drawnZone.keepAtLeast) };
  }
  const count = drawnZone.counted.map((country) => {
    const its = (all: readonly string[]) => all.filter((ip) => account.countryOf(ip) === country).length;
    return [country, near(its(there), its(ips), drawnZone.deltas[country])] as const;
  });
  return { ips, count: Object.fromEntries(count), keepAtLeast: drawnZone.keepAtLeast };
}

/** Adapts a zone: it lists and counts only IPs that the allocation may take, and releases IPs only if there is a place for them. */
function fittingZone(
  { ips: indexes, count: kind, counted, deltas, keepAtLeast }: Drawn['zones'][0],
  zone: string,
  { sources, spare, unmanaged }: AllocationSpec,
  account: Holdings,
  free: Set<string>,
): ZoneSpec {
  const there = account.in(zone).filter((ip) => free.has(ip));
  const supply = [...sources, ...(spare === undefined ? [] : [spare])].flatMap((from) => account.in(from));
  const taken = (from: readonly string[], indexes: readonly number[]) => {
    const ips = chosen(
      indexes,
      from.filter((ip) => free.has(ip)),
    );
    for (const ip of ips) free.delete(ip);
    return ips;
  };
  const ips = taken([...supply, ...there], indexes);
  /** Takes the difference out of the supply, so that no other zone relies on it. */
  const near = (delta: number, isOf: (ip: string) => boolean) => {
    const held = new Set([...there, ...ips].filter(isOf)).size;
    const more = taken(
      supply.filter(isOf),
      Array.from({ length: Math.max(0, delta) }, (_, index) => index),
    ).length;
    const less = spare === undefined ? 0 : Math.min(0, delta);
    return Math.max(ips.filter(isOf).length, held + more + less);
  };
  if (kind === 'none')
    return { ips, keepAtLeast: Math.min(keepAtLeast, unmanaged === 'release' ? ips.length : there.length) };
  if (kind === 'total') {
    const count = near(deltas.us, () => true);
    return { ips, count, keepAtLeast: Math.min(count, keepAtLeast) };
  }
  const count = counted.map(
    (country) => [country, near(deltas[country], (ip) => account.countryOf(ip) === country)] as const,
  );
  const least = count.reduce((sum, [, its]) => sum + its, 0);
  return { ips, count: Object.fromEntries(count), keepAtLeast: Math.min(least, keepAtLeast) };
}

/** Returns true for an IP that stays in its zone and that no list names. */
function isKept(ip: string, { zones }: AllocationSpec, account: Holdings, free: ReadonlySet<string>): boolean {
  return free.has(ip) && Object.keys(zones).some((zone) => account.in(zone).includes(ip));
}

function chosen(indexes: readonly number[], from: readonly string[]): string[] {
  const picked = indexes.map((index) => from[index % Math.max(1, from.length)]);
  return [...new Set(picked.filter((ip) => ip !== undefined))];
}
