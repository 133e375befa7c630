/** The number of calls in a plan, against the minimum. */
import fc from 'fast-check';
import { alone } from '../src/kinds/zoneIpAllocation/solver/model.ts';
import { planAllocation } from '../src/kinds/zoneIpAllocation/solver/solve.ts';
import { type Case, cases } from '../test/kinds/zoneIpAllocation/solver/arbitraries.ts';
import { leastCost } from '../test/kinds/zoneIpAllocation/solver/oracle.ts';
import type { Benchmark, Row } from './frame/benchmark.ts';

const accounts = 50;

export const benchmark: Benchmark = {
  name: 'calls',
  about:
    '**calls**: the migrate calls in the plans of 50 random accounts (always the same 50). Without counts, the minimum is the number of distinct pairs of zones between which a declared IP must move. With counts, it is found by trying every zone for every IP of a small account.',
  async run() {
    return [withoutCounts(), withCounts()];
  },
};

function withoutCounts(): Row {
  const drawn = planned(cases({ ips: 200, zones: 12 }).map(withoutCount));
  const least = drawn.map(({ input }) => distinctPairs(input));
  return row('calls, 50 random accounts of up to 200 IPs, without counts', drawn, least);
}

function withCounts(): Row {
  const drawn = planned(cases({ ips: 7, zones: 4 }));
  const least = drawn.map(({ input }) => leastCost(input)?.calls ?? Number.NaN);
  return row('calls, 50 random accounts of up to 7 IPs, with counts', drawn, least);
}

interface Drawn {
  input: Case;
  calls: number;
}

/** Draws cases that have a solution and move something. */
function planned(arbitrary: fc.Arbitrary<Case>): Drawn[] {
  const plans = fc.sample(arbitrary, { seed: 1, numRuns: accounts * 20 }).map((input) => {
    const { batches, problems } = planAllocation(input.allocation, input.live, alone);
    return { input, calls: problems.length > 0 ? 0 : batches.length };
  });
  const drawn = plans.filter(({ calls }) => calls > 0).slice(0, accounts);
  if (drawn.length < accounts) throw new Error(`only ${drawn.length} accounts move anything`);
  return drawn;
}

function row(what: string, drawn: readonly Drawn[], least: readonly number[]): Row {
  const more = drawn.filter(({ calls }, index) => calls !== least[index]).length;
  return {
    what,
    ours: `${sum(drawn.map(({ calls }) => calls))} calls`,
    floor: `${sum(least)} calls`,
    must: 'equal in each',
    reached: more === 0,
    ...(more > 0 && { note: `more calls than the least in ${more} of ${accounts} accounts` }),
  };
}

/** Removes the counts, so that no IP is surplus. */
function withoutCount({ allocation, live }: Case): Case {
  const zones = [...allocation.zones].map(([zone, { ips }]) => [zone, { ips }] as const);
  return { allocation: { ...allocation, zones: new Map(zones), unmanaged: 'report' }, live };
}

function distinctPairs({ allocation, live }: Case): number {
  const placeOf = new Map([...live].flatMap(([zone, ips]) => [...ips.keys()].map((ip) => [ip, zone] as const)));
  const moves = [...allocation.zones].flatMap(([to, { ips }]) => ips.map((ip) => ({ from: placeOf.get(ip), to })));
  return new Set(moves.filter(({ from, to }) => from !== to).map(({ from, to }) => `${from} ${to}`)).size;
}

function sum(figures: readonly number[]): number {
  return figures.reduce((total, figure) => total + figure, 0);
}
