/** The moves of a planned resource as views: children that a preview shows below the resource. */

import { mayIncurCharges, movesOf } from '../../src/kinds/knownCalls.ts';
import type { Diff } from '../../src/kinds/seam/kind.ts';
import type { View } from './engineRequests.ts';

const viewTypes = { move: 'webdata:index:Move', zone: 'webdata:index:Zone' } as const;

/** Returns a view for each pair of zones between which IPs move, and one for each zone whose number of IPs changes. */
export function viewsOf(diff: Diff | undefined): View[] {
  return diff === undefined ? [] : [...moveViews(diff), ...zoneViews(diff)];
}

function moveViews({ calls }: Diff): View[] {
  const moves = calls.flatMap((call) => movesOf(call).map((move) => ({ ...move, isBilled: mayIncurCharges(call) })));
  const pairs = Map.groupBy(moves, ({ from, to }) => `${from} → ${to}`);
  return [...pairs].map(([name, [first, ...others]]) => ({
    operation: 'create',
    type: viewTypes.move,
    name,
    values: {
      from: first?.from,
      to: first?.to,
      ips: [first, ...others].map((move) => move?.ip),
      mayIncurCharges: first?.isBilled,
    },
  }));
}

function zoneViews({ inventory = [] }: Diff): View[] {
  return inventory.flatMap(({ zone, countries }): View[] => {
    const changed = countries.filter(({ before, after }) => before !== after);
    if (changed.length === 0) return [];
    const counts = Object.fromEntries(changed.map(({ country, before, after }) => [country, `${before} → ${after}`]));
    return [{ operation: 'update', type: viewTypes.zone, name: zone, values: counts }];
  });
}
