/**
 * Derives supply and demand from the declaration and the live listing: IPs that must move because they are declared by address, IPs that
 * must leave because a count is exceeded or they are unmanaged, the IPs that each zone lacks, and the zones that may give.
 */
import type { Problem } from '../../../base/diagnostics/problem.ts';
import { counted } from '../../../base/diagnostics/valueWords.ts';
import { sortedIps } from '../../seam/ipOrder.ts';
import type { Move, MoveReason } from '../../seam/move.ts';
import type { Allocation, Limits, Live, Neighbourhood, ZoneDemand } from './model.ts';
import { Situation } from './situation.ts';

/** IPs of one country that a zone can give. */
export interface Supply {
  zone: string;
  country: string;
  ips: readonly string[];
}

/** Exactly `must` IPs of these supplies have to leave the zone. */
interface Surplus {
  zone: string;
  must: number;
  reason: Extract<MoveReason, 'surplus' | 'released'>;
  supplies: Supply[];
}

/** A zone lacks `need` IPs, of one country or (`country` undefined) of any. */
export interface Deficit {
  zone: string;
  country?: string;
  need: number;
}

export interface Demand {
  declared: Move[];
  surpluses: Surplus[];
  deficits: Deficit[];
  /** Spare first, then sources in the order of their declaration. */
  donors: Supply[];
  unmanaged: Map<string, string[]>;
  problems: Problem[];
}

export function demandOf(allocation: Allocation, live: Live, neighbours: Neighbourhood, limits: Limits): Demand {
  const situation = new Situation(allocation, live, neighbours, limits);
  const demand: Demand = {
    declared: situation.declaredMoves(),
    surpluses: [],
    deficits: [],
    donors: donorsOf(situation),
    unmanaged: new Map(),
    problems: situation.problems,
  };
  for (const [zone, spec] of allocation.zones) addZone(demand, situation, zone, spec);
  return demand;
}

/** Compares one zone with its declaration. */
function addZone(demand: Demand, situation: Situation, zone: string, spec: ZoneDemand): void {
  const { free, pinned } = situation.residents(zone);
  const listed = spec.count === undefined ? [] : spec.ips.filter((ip) => situation.willBeIn(ip, zone));
  const path = ['zones', zone, 'count'];
  if (typeof spec.count === 'number') {
    balance(demand, { zone, path, target: spec.count, listed, pinned, free });
    return;
  }
  const counted = spec.count ?? new Map<string, number>();
  for (const [country, target] of counted) {
    const ofCountry = (ips: string[]) => ips.filter((ip) => situation.countryOf(ip) === country);
    const freeHere = new Map([...free].filter(([other]) => other === country));
    balance(demand, {
      zone,
      path: [...path, country],
      target,
      country,
      listed: ofCountry(listed),
      pinned: ofCountry(pinned),
      free: freeHere,
    });
  }
  const unasked = new Map([...free].filter(([country]) => !counted.has(country)));
  const kept = pinned.filter((ip) => !counted.has(situation.countryOf(ip)));
  leaveOrRelease(demand, situation, zone, unasked, kept);
}

/** IPs that may move, by country. */
type Free = ReadonlyMap<string, readonly string[]>;

/** A count, and the IPs that count toward it now. */
interface Balance {
  zone: string;
  path: string[];
  target: number;
  country?: string;
  /** Declared here by address. */
  listed: readonly string[];
  /** IPs in the zone that must not be moved: protected, or listed in two zones. */
  pinned: readonly string[];
  free: Free;
}

function balance(demand: Demand, have: Balance): void {
  const { zone, country, free } = have;
  const movable = sizeOf(free);
  const surplus = have.listed.length + have.pinned.length + movable - have.target;
  if (surplus < 0) demand.deficits.push({ zone, country, need: -surplus });
  else if (surplus > movable) demand.problems.push(tooManyFixed(have));
  else if (surplus > 0) {
    demand.surpluses.push({ zone, must: surplus, reason: 'surplus', supplies: suppliesOf(zone, free) });
  }
}

function tooManyFixed({ zone, path, target, country, listed, pinned }: Balance): Problem {
  const fixed = listed.length + pinned.length;
  return {
    code: 'count-below-fixed',
    path,
    found: `${zone} must keep ${counted(fixed, 'IP')}${country ? ` in ${country}` : ''} (${listed.length} listed, ${pinned.length} protected or uncertain)`,
    allowed: `exactly ${target}`,
    fix: 'raise the count, or take IPs out of `ips` or `protect`',
  };
}

function leaveOrRelease(demand: Demand, situation: Situation, zone: string, unasked: Free, kept: string[]): void {
  const release = situation.allocation.unmanaged === 'release';
  const must = sizeOf(unasked);
  if (release && must > 0) {
    demand.surpluses.push({ zone, must, reason: 'released', supplies: suppliesOf(zone, unasked) });
  }
  const stay = release ? kept : [...[...unasked.values()].flat(), ...kept];
  if (stay.length > 0) demand.unmanaged.set(zone, sortedIps(stay));
}

function donorsOf(situation: Situation): Supply[] {
  const { spare, sources } = situation.allocation;
  const zones = new Set(spare === undefined ? sources : [spare, ...sources]);
  return [...zones].flatMap((zone) => suppliesOf(zone, situation.residents(zone).free));
}

function suppliesOf(zone: string, free: Free): Supply[] {
  return [...free].map(([country, ips]) => ({ zone, country, ips }));
}

function sizeOf(free: Free): number {
  return [...free.values()].reduce((sum, ips) => sum + ips.length, 0);
}
