/**
 * The guards of an allocation, checked for calls in the order in which they are to be sent. The planner's own calls are checked, and
 * so are the calls of a plan file, which may have been edited by hand.
 */
import { renderFix } from '../../../base/diagnostics/fix.ts';
import type { Problem } from '../../../base/diagnostics/problem.ts';
import { counted } from '../../../base/diagnostics/valueWords.ts';
import type { Allocation, Limits, Live, MigrateBatch, Neighbourhood } from './model.ts';
import { breaksFloor, leftAfter, type Sizes, transfer } from './order.ts';
import { faultOfIp } from './situation.ts';

export function guardProblems(
  batches: readonly MigrateBatch[],
  allocation: Allocation,
  live: Live,
  neighbours: Neighbourhood,
  limits: Limits,
): Problem[] {
  return [
    ...placeProblems(batches, allocation),
    ...protectProblems(batches, allocation, neighbours),
    ...floorProblems(batches, sizesOf(live), floorsOf(allocation, neighbours)),
    ...maxMovesProblems(batches, allocation, live, limits),
  ];
}

export function sizesOf(live: Live): Sizes {
  return new Map([...live].map(([zone, ips]) => [zone, ips.size]));
}

export function floorsOf(allocation: Allocation, neighbours: Neighbourhood): Sizes {
  const floors = new Map(neighbours.floors);
  for (const [zone, { keepAtLeast }] of allocation.zones) if (keepAtLeast !== undefined) floors.set(zone, keepAtLeast);
  return floors;
}

/** No IP is ever moved into a zone that the allocation does not fill. */
function placeProblems(batches: readonly MigrateBatch[], { zones, spare }: Allocation): Problem[] {
  const strays = batches.filter(({ to }) => !zones.has(to) && to !== spare);
  return strays.map(({ from, to }) => ({
    code: 'foreign-zone',
    found: `a move from ${from} into ${to}, which this allocation does not fill`,
    allowed: `moves into ${[...zones.keys(), ...(spare === undefined ? [] : [spare])].join(', ')}`,
  }));
}

function protectProblems(
  batches: readonly MigrateBatch[],
  allocation: Allocation,
  neighbours: Neighbourhood,
): Problem[] {
  const { zones, protect } = allocation;
  const guarded = batches.flatMap(({ from, to, moves }) =>
    moves.filter(({ ip }) => protect.has(ip) || neighbours.protect.has(ip)).map(({ ip }) => ({ ip, from, to })),
  );
  if (guarded.length === 0) return [];
  const declared = new Map([...zones].flatMap(([zone, { ips }]) => ips.map((ip) => [ip, zone] as const)));
  return guarded
    .filter(({ ip, to }) => neighbours.protect.has(ip) || declared.get(ip) !== to)
    .map(({ ip, from, to }) => ({
      code: 'protected',
      path: ['protect'],
      ...faultOfIp(ip, `protected, and would move from ${from} to ${to}`),
      allowed: 'moves of a protected IP only into the zone that declares it',
      fix: 'take the IP out of `protect`, or declare where it belongs',
    }));
}

function floorProblems(batches: readonly MigrateBatch[], live: Sizes, floors: Sizes): Problem[] {
  const sizes = new Map(live);
  return batches.flatMap((batch) => {
    const broken = breaksFloor(batch, sizes, floors);
    const left = leftAfter(batch, sizes);
    transfer(sizes, batch);
    return broken ? [belowFloor(batch.from, left, floors.get(batch.from) ?? 0)] : [];
  });
}

export function belowFloor(zone: string, left: number, floor: number, cycle: readonly string[] = []): Problem {
  const circle = cycle.length > 0 ? `, and the zones wait for each other: ${cycle.join(' -> ')}` : '';
  return {
    code: 'below-floor',
    path: ['zones', zone, 'keepAtLeast'],
    found: `${zone} would be left with ${counted(left, 'IP')}${circle}`,
    allowed: `at least ${floor} after every call`,
    fix:
      cycle.length > 0
        ? 'lower `keepAtLeast` of one of these zones, or move the IPs by way of the spare'
        : 'lower `keepAtLeast`, or move fewer IPs away',
  };
}

function maxMovesProblems(
  batches: readonly MigrateBatch[],
  allocation: Allocation,
  live: Live,
  limits: Limits,
): Problem[] {
  const { maxMoves } = allocation;
  const moved = new Set(limits.alreadyMoved);
  for (const { moves } of batches) for (const { ip } of moves) moved.add(ip);
  if (!maxMoves) return [];
  const allowed = Math.max(
    limits.allowMoves ?? 0,
    'count' in maxMoves ? maxMoves.count : shareOf(maxMoves.percent, allocation, live),
  );
  if (moved.size <= allowed) return [];
  const already = limits.alreadyMoved?.size ?? 0;
  return [
    {
      code: 'too-many-moves',
      path: ['maxMoves'],
      found: `${counted(moved.size, 'IP')} would move in this run${already > 0 ? `, ${already} of them have already` : ''}`,
      allowed: `${allowed}${'percent' in maxMoves ? ` (${maxMoves.percent}% of the live IPs)` : ''}`,
      ...renderFix(({ allowMoves }) => `review the moves, then ${allowMoves(moved.size)}`),
    },
  ];
}

function shareOf(percent: number, { zones, sources, spare }: Allocation, live: Live): number {
  const base = new Set([...zones.keys(), ...sources, ...(spare === undefined ? [] : [spare])]);
  const total = [...base].reduce((sum, zone) => sum + (live.get(zone)?.size ?? 0), 0);
  return Math.floor((total * percent) / 100);
}
