/** The rules for calls and for the account after them, written from the design and independent of the planner. */
import type { AllocationSpec, Declaration } from './declaration.ts';
import type { AccountState, MigrateCall, OwnedCall } from './state.ts';

type Places = ReadonlyMap<string, string>;

interface Limits {
  allowMoves?: number;
  /** The number of IPs that another user has moved out of a zone meanwhile. */
  taken?: (zone: string) => number;
}

/** Returns the guards that these calls break, sent one after the other, each for the allocation that it names. */
export function brokenGuards(
  calls: readonly OwnedCall[],
  { allocations }: Declaration,
  where: Places,
  { allowMoves = 0, taken = () => 0 }: Limits = {},
): string[] {
  const places = new Map(where);
  const broken: string[] = [];
  const most = new Map<string, number>();
  for (const { owner, from, to, ips } of calls) {
    if (!most.has(owner)) most.set(owner, Math.max(allowMoves, mostMoves(allocations[owner], places)));
    for (const ip of ips) if (isProtected(ip, to, allocations)) broken.push(`${ip} is protected, and goes to ${to}`);
    for (const ip of ips) places.set(ip, to);
    const left = [...places.values()].filter((zone) => zone === from).length;
    const floor = floorOf(from, allocations);
    if (left + taken(from) < floor) broken.push(`${from} is left with ${left}, of ${floor} at least`);
  }
  for (const [owner, limit] of most) {
    const moved = new Set(calls.filter((call) => call.owner === owner).flatMap(({ ips }) => ips));
    if (moved.size > limit) broken.push(`${owner} moves ${moved.size} IPs, of ${limit} at most`);
  }
  return broken;
}

function isProtected(ip: string, to: string, allocations: Declaration['allocations']): boolean {
  const specs = Object.values(allocations).filter(({ protect }) => protect.includes(ip));
  return specs.some(({ zones }) => !zones[to]?.ips.includes(ip));
}

function floorOf(zone: string, allocations: Declaration['allocations']): number {
  return Math.max(0, ...Object.values(allocations).map(({ zones }) => zones[zone]?.keepAtLeast ?? 0));
}

/** Returns the limit of an allocation; one that is no longer declared has none. */
function mostMoves(spec: AllocationSpec | undefined, places: Places): number {
  if (spec?.maxMoves === undefined) return Number.POSITIVE_INFINITY;
  const { zones, sources, spare, maxMoves, ignoreChanges } = spec;
  if (typeof maxMoves === 'number') return maxMoves;
  const own = Object.keys(zones).filter((zone) => !ignoreChanges.includes(`zones.${zone}`));
  const base = new Set([...own, ...sources, ...(spare === undefined ? [] : [spare])]);
  const held = [...places.values()].filter((zone) => base.has(zone)).length;
  return Math.floor((held * Number.parseInt(maxMoves, 10)) / 100);
}

/** Returns the differences between the declaration and the account after an apply from `before`. */
export function unreached({ allocations }: Declaration, account: AccountState, before: Places): string[] {
  const kept = new Set(Object.values(allocations).flatMap(({ protect }) => protect));
  return Object.values(allocations).flatMap((spec) =>
    Object.keys(spec.zones)
      .filter((zone) => !spec.ignoreChanges.includes(`zones.${zone}`))
      .flatMap((zone) => unreachedIn(zone, spec, account, before, kept)),
  );
}

function unreachedIn(
  zone: string,
  { zones, unmanaged }: AllocationSpec,
  account: AccountState,
  before: Places,
  /** The IPs that any allocation protects. */
  protect: ReadonlySet<string>,
): string[] {
  const { ips = [], count } = zones[zone] ?? {};
  const there = account.in(zone);
  const missing = ips.filter((ip) => !there.includes(ip)).map((ip) => `${ip} is not in ${zone}`);
  if (typeof count === 'number') return there.length === count ? missing : [...missing, `${zone} has ${there.length}`];
  const counts = Object.entries(count ?? {});
  const wrong = counts.flatMap(([country, target]) => {
    const found = there.filter((ip) => account.countryOf(ip) === country).length;
    return found === target ? [] : [`${zone} has ${found} IPs of ${country}, and is to have ${target}`];
  });
  const unasked = there.filter((ip) => !ips.includes(ip) && !counts.some(([its]) => its === account.countryOf(ip)));
  const stray = unasked
    .filter((ip) => before.get(ip) !== zone)
    .map((ip) => `${ip} came to ${zone} without being declared there`);
  const kept = unasked.filter(() => unmanaged === 'release').filter((ip) => !protect.has(ip));
  return [...missing, ...wrong, ...stray, ...kept.map((ip) => `${ip} is still in ${zone}`)];
}

/** Returns the calls whose IPs are not in their source zone when they are sent. */
export function misplaced(calls: readonly MigrateCall[], where: Places): string[] {
  const places = new Map(where);
  return calls.flatMap(({ from, to, ips }) => {
    const wrong = ips.filter((ip) => places.get(ip) !== from);
    for (const ip of ips) places.set(ip, to);
    return wrong.map((ip) => `${ip} is to be taken from ${from}, and is not there`);
  });
}

/** Returns the calls that undo a run, or undefined if one of its IPs has moved since. */
export function inverseOf(calls: readonly OwnedCall[], where: Places): OwnedCall[] | undefined {
  const places = new Map(where);
  const back: OwnedCall[] = [];
  for (const its of Map.groupBy(calls.toReversed(), ({ owner }) => owner).values()) {
    for (const { from: to, to: from, ips, owner } of its) {
      const left = ips.filter((ip) => places.get(ip) !== to);
      if (left.some((ip) => places.get(ip) !== from)) return undefined;
      for (const ip of left) places.set(ip, to);
      if (left.length > 0) back.push({ from, to, ips: left, owner });
    }
  }
  return back;
}
