/** The planner alone, against serializing the account once. */
import { AddressMap } from '../src/kinds/seam/addressMap.ts';
import { type Allocation, alone, type Live } from '../src/kinds/zoneIpAllocation/solver/model.ts';
import { planAllocation } from '../src/kinds/zoneIpAllocation/solver/solve.ts';
import { address, zoneName } from './frame/accounts.ts';
import type { Benchmark } from './frame/benchmark.ts';
import { atMost, compared, pairs } from './frame/pairs.ts';
import { inTime } from './frame/units.ts';

const countries = ['us', 'de', 'fr', 'gb', 'jp'] as const;
const zones = 200;
const ipsInZone = 500;

export const benchmark: Benchmark = {
  name: 'solver',
  about:
    '**solver**: planning 100,000 IPs with counts by country over 200 zones, half of which have too few and half too many IPs of each country, against one `JSON.stringify` of the listings; in one process, 10 pairs.',
  async run() {
    const live = liveAccount();
    const listings = [...live].map(([zone, ips]) => ({
      zone,
      ips: [...ips].map(([ip, country]) => entryOf(ip, country)),
    }));
    const measured = await pairs(
      async () => timed(() => planned(live)),
      async () => timed(() => JSON.stringify(listings)),
      { count: 10, warmUps: 3 },
    );
    return [compared('solver, 100,000 IPs, counts by country over 200 zones', measured, atMost(3), inTime)];
  },
};

function planned(live: Live): void {
  const { batches, problems } = planAllocation(allocation, live, alone);
  if (problems.length > 0 || batches.length === 0) throw new Error(`not the plan: ${JSON.stringify(problems)}`);
}

const allocation: Allocation = {
  zones: new Map(
    Array.from({ length: zones }, (_, zone) => {
      const each = ipsInZone / countries.length + (zone % 2 === 0 ? -10 : 10);
      return [zoneName(zone), { ips: [], count: new Map(countries.map((country) => [country, each])) }];
    }),
  ),
  sources: [],
  unmanaged: 'report',
  protect: new Set(),
};

function liveAccount(): Live {
  return new Map(
    Array.from({ length: zones }, (_, zone) => {
      const ips = Array.from(
        { length: ipsInZone },
        (_, index) => [address(zone * ipsInZone + index), countryOf(index)] as const,
      );
      return [zoneName(zone), AddressMap.of(ips)];
    }),
  );
}

function countryOf(index: number): string {
  return countries[index % countries.length] ?? '';
}

/** Returns an entry as the service lists it. */
function entryOf(ip: string, country: string): object {
  return { ip, geo_db_1: country, ext: { geo_db_2: country, geo_db_3: country, geo_db_4: country } };
}

function timed(run: () => void): number {
  const start = performance.now();
  run();
  return performance.now() - start;
}
