/**
 * The planner: computes the calls that lead from the live listing to the declaration. Fewest moves first, then few calls, in an
 * order that keeps every floor. Pure, and independent of the order of the listing.
 */
import type { Problem } from '../../../base/diagnostics/problem.ts';
import { counted, firstOf } from '../../../base/diagnostics/valueWords.ts';
import type { Move } from '../../seam/move.ts';
import { type Demand, demandOf, type Supply } from './demand.ts';
import { withFewestCalls } from './fewestCalls.ts';
import { type Filling, fill } from './fill.ts';
import type { Allocation, AllocationPlan, Limits, Live, Neighbourhood } from './model.ts';
import { PairSet, pairOff, type Shipment } from './pairs.ts';
import { scheduled } from './schedule.ts';
import { TransportProblem } from './transport.ts';

export function planAllocation(
  allocation: Allocation,
  live: Live,
  neighbours: Neighbourhood,
  limits: Limits = {},
): AllocationPlan {
  const demand = demandOf(allocation, live, neighbours, limits);
  const filling = fill(demand);
  const { only } = limits;
  const problems = [
    ...demand.problems,
    ...shortages(filling, demand, allocation),
    ...withoutSpare(filling, allocation),
  ].filter((problem) => isAbout(problem, only));
  if (problems.length > 0) return { batches: [], unmanaged: demand.unmanaged, problems };

  const shipments = shipmentsOf(demand, filling, allocation.spare);
  const needed = [...demand.declared, ...pickIps(demand, shipments, allocation.spare, limits.former)];
  const moves = needed.filter(({ from, to }) => only === undefined || only.has(from) || only.has(to));
  const leftOut = needed.length - moves.length;
  return {
    ...scheduled(moves, allocation, live, neighbours, limits),
    unmanaged: demand.unmanaged,
    ...(leftOut > 0 && { leftOut }),
  };
}

/** A problem of another zone does not block moves that do not touch it. Guards hold for all zones, and are no such problems. */
export function isAbout({ path: [field, zone] = [] }: Problem, only: Limits['only']): boolean {
  return only === undefined || field !== 'zones' || only.has(String(zone));
}

function shortages({ unmet }: Filling, { donors, surpluses }: Demand, { spare, sources }: Allocation): Problem[] {
  const giving = [...(spare === undefined ? [] : [spare]), ...sources];
  const supplies = [...donors, ...surpluses.flatMap((surplus) => surplus.supplies)];
  const countries = [...new Set(supplies.map(({ country }) => country))].filter((country) => country !== '').sort();
  const inCountries = countries.length > 0 ? `, which are in ${firstOf(countries, fewCountries)}` : '';
  return unmet.map(({ deficit: { zone, country, need }, missing }) => ({
    code: 'count-not-met',
    path: ['zones', zone, 'count', ...(country ? [country] : [])],
    found: `${zone} needs ${need} more ${need === 1 ? 'IP' : 'IPs'}${country ? ` in ${country}` : ''}; ${availableOf(need - missing)}`,
    allowed: `IPs that ${giving.length > 0 ? `${giving.join(', ')} and ` : ''}exceeded counts can give${country ? inCountries : ''}`,
    fix: 'lower the count, or name a zone that has such IPs as `spare` or under `sources`',
  }));
}

const fewCountries = 10;

function availableOf(count: number): string {
  if (count === 0) return 'none is available';
  return `only ${count} ${count === 1 ? 'is' : 'are'} available`;
}

function withoutSpare({ leftOver }: Filling, { spare }: Allocation): Problem[] {
  if (spare !== undefined) return [];
  return [...Map.groupBy(leftOver, ({ supply }) => supply.zone)].map(([zone, left]) => ({
    code: 'no-spare',
    path: ['zones', zone],
    found: `${zone} holds ${counted(
      left.reduce((sum, { amount }) => sum + amount, 0),
      'IP',
    )} more than declared, and there is no spare to take them`,
    allowed: 'a `spare` zone for the IPs that exceed the declaration',
    fix: 'add `spare`, or raise the count',
  }));
}

function shipmentsOf(demand: Demand, filling: Filling, spare: string | undefined): readonly Shipment[] {
  const paired = pairOff(filling, spare, new PairSet(demand.declared));
  return withFewestCalls(() => new TransportProblem(demand, filling, spare), demand.declared, paired);
}

/**
 * Chooses the IPs: those that their new zone held before, the last ones first; then from a surplus those with the highest addresses, and from spare
 * and sources those with the lowest.
 */
function pickIps(
  demand: Demand,
  shipments: readonly Shipment[],
  spare: string | undefined,
  former: Limits['former'] = () => undefined,
): Move[] {
  const stocks = new Map<string, Stock>();
  const stock = ({ zone, country, ips }: Supply, reason: Move['reason']) => {
    const inOrder = reason === 'count' ? ips : ips.toReversed();
    const key = `${zone} ${country}`;
    const known = stocks.get(key);
    stocks.set(key, { ips: [...(known?.ips ?? []), ...inOrder], reason });
  };
  for (const { supplies, reason } of demand.surpluses) for (const supply of supplies) stock(supply, reason);
  for (const supply of demand.donors) stock(supply, 'count');
  const stockOf = ({ from, country }: Shipment) => stocks.get(`${from} ${country}`);
  // Before others are chosen, so that no shipment takes an IP that another one brings back.
  const returned = shipments.map((shipment) => takeFormer(stockOf(shipment), former(shipment.to), shipment.amount));
  return shipments.flatMap((shipment, index) => {
    const { from, to, country, amount } = shipment;
    const source = stockOf(shipment);
    const back = returned[index] ?? [];
    const ips = [...back, ...(source?.ips.splice(0, amount - back.length) ?? [])];
    const reason = source && to === spare ? source.reason : 'count';
    return ips.map((ip): Move => ({ ip, country, from, to, reason }));
  });
}

interface Stock {
  ips: string[];
  reason: Move['reason'];
}

/** Takes up to `amount` IPs of `former` out of the stock. */
function takeFormer(stock: Stock | undefined, former: ReadonlySet<string> = new Set(), amount: number): string[] {
  if (stock === undefined || former.size === 0) return [];
  const here = new Set(stock.ips);
  const taken = new Set([...former].filter((ip) => here.has(ip)).slice(0, amount));
  const ips = stock.ips.filter((ip) => taken.has(ip));
  stock.ips = stock.ips.filter((ip) => !taken.has(ip));
  return ips;
}
