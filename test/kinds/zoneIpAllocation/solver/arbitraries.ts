/** Random accounts and declarations that make sense together: small enough for an exhaustive oracle, odd enough to matter. */
import fc from 'fast-check';
import type {
  Allocation,
  Live,
  MigrateBatch,
  ZoneDemand,
} from '../../../../src/kinds/zoneIpAllocation/solver/model.ts';

export interface Case {
  allocation: Allocation;
  live: Live;
}

interface Size {
  ips: number;
  zones: number;
  withFloors?: boolean;
}

const countries = ['us', 'de', 'fr'];

export function cases({ ips, zones, withFloors = false }: Size): fc.Arbitrary<Case> {
  return fc
    .record({
      declared: fc.integer({ min: 1, max: Math.max(1, zones - 2) }),
      sources: fc.integer({ min: 0, max: 1 }),
      hasSpare: fc.boolean(),
      unmanaged: fc.constantFrom('report' as const, 'release' as const),
      ips: fc.array(ipArbitrary(zones), { minLength: 0, maxLength: ips }),
      demands: fc.array(demandArbitrary(ips), { minLength: zones, maxLength: zones }),
    })
    .map((drawn) => build(drawn, withFloors));
}

/** Numbers stand for zones and are taken modulo the zones that there are. */
function ipArbitrary(zones: number) {
  return fc.record({
    at: fc.nat(zones - 1),
    country: fc.constantFrom(...countries),
    declaredIn: fc.option(fc.nat(zones - 1), { freq: 2 }),
    protect: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
  });
}

function demandArbitrary(max: number) {
  return fc.record({
    kind: fc.constantFrom('none' as const, 'total' as const, 'countries' as const),
    total: fc.nat(max),
    perCountry: fc.dictionary(fc.constantFrom(...countries), fc.nat(3), { minKeys: 1 }),
    keepAtLeast: fc.nat(2),
  });
}

type Drawn = {
  declared: number;
  sources: number;
  hasSpare: boolean;
  unmanaged: 'report' | 'release';
  ips: { at: number; country: string; declaredIn: number | null; protect: boolean }[];
  demands: { kind: string; total: number; perCountry: Record<string, number>; keepAtLeast: number }[];
};

function build(drawn: Drawn, withFloors: boolean): Case {
  const names = Array.from({ length: drawn.declared }, (_, index) => `zone${index}`);
  const sources = Array.from({ length: drawn.sources }, (_, index) => `source${index}`);
  const spare = drawn.hasSpare || drawn.unmanaged === 'release' ? 'spare' : undefined;
  const all = [...names, ...sources, ...(spare ? [spare] : [])];
  const live = new Map(all.map((zone) => [zone, new Map<string, string>()]));
  const listed = new Map(names.map((zone) => [zone, [] as string[]]));
  const protect = new Set<string>();
  for (const [index, { at, country, declaredIn, protect: isProtected }] of drawn.ips.entries()) {
    const ip = `192.0.2.${index + 1}`;
    live.get(all[at % all.length] ?? '')?.set(ip, country);
    if (declaredIn !== null) listed.get(names[declaredIn % names.length] ?? '')?.push(ip);
    if (isProtected) protect.add(ip);
  }
  const zones = new Map(
    names.map((zone, index) => [zone, zoneDemand(drawn, index, listed.get(zone) ?? [], withFloors)]),
  );
  return { allocation: { zones, sources, spare, unmanaged: drawn.unmanaged, protect }, live };
}

/** Counts stay near what is listed and live, so that many of them can be met. */
function zoneDemand(drawn: Drawn, index: number, ips: string[], withFloors: boolean): ZoneDemand {
  const demand = drawn.demands[index];
  if (!demand) return { ips };
  const countryOf = (ip: string) => drawn.ips[Number(ip.split('.')[3]) - 1]?.country;
  const count =
    demand.kind === 'total'
      ? ips.length + (demand.total % 3)
      : new Map(
          Object.entries(demand.perCountry).map(([country, extra]) => [
            country,
            ips.filter((ip) => countryOf(ip) === country).length + (extra % 3),
          ]),
        );
  return {
    ips,
    ...(demand.kind === 'none' ? {} : { count }),
    ...(withFloors ? { keepAtLeast: demand.keepAtLeast } : {}),
  };
}

/** What the account looks like once these calls were answered. */
export function afterCalls(live: Live, batches: readonly MigrateBatch[]): Map<string, Map<string, string>> {
  const after = new Map([...live].map(([zone, ips]) => [zone, new Map(ips)]));
  for (const { from, to, moves } of batches) {
    for (const { ip } of moves) {
      const country = after.get(from)?.get(ip);
      if (country === undefined) throw new Error(`${ip} is not in ${from}`);
      after.get(from)?.delete(ip);
      after.get(to)?.set(ip, country);
    }
  }
  return after;
}
