/** Conflicts between the allocations of one account: a zone that two of them fill, an IP that two of them declare. */
import type { Problem } from '../../base/diagnostics/problem.ts';
import { memoized } from '../../base/values/memoized.ts';
import { AddressMap } from '../addressMap.ts';
import type { ZoneIpAllocationSpec } from './spec.ts';

type Specs = ReadonlyMap<string, ZoneIpAllocationSpec>;

export function allocationConflicts(specs: Specs): Problem[] {
  return [...zonesFilledTwice(specs), ...ipsDeclaredTwice(specs), ...donorsFilledElsewhere(specs)];
}

function zonesFilledTwice(specs: Specs): Problem[] {
  const filledBy = new Map<string, PropertyKey[]>();
  return [...specs].flatMap(([name, { zones }]) =>
    Object.keys(zones).flatMap((zone) => {
      const path = [name, 'zones', zone];
      const first = filledBy.get(zone);
      if (first === undefined) {
        filledBy.set(zone, path);
        return [];
      }
      return [
        {
          code: 'zone-in-two-allocations',
          path,
          found: `${zone} is filled by two allocations`,
          allowed: 'a zone in the `zones` of one allocation at most',
          also: [{ path: first, what: 'is the other one' }],
        },
      ];
    }),
  );
}

function ipsDeclaredTwice(specs: Specs): Problem[] {
  const repeated = repeatedIps(specs);
  if (repeated.size === 0) return [];
  const declaredAt = new Map<string, PropertyKey[]>();
  return [...specs].flatMap(([name, { zones }]) =>
    Object.entries(zones).flatMap(([zone, { ips = [] }]) =>
      ips.flatMap((ip, index) => {
        if (!repeated.has(ip)) return [];
        const path = [name, 'zones', zone, 'ips', index];
        const first = declaredAt.get(ip);
        if (first === undefined) {
          declaredAt.set(ip, path);
          return [];
        }
        return [
          {
            code: 'ip-declared-twice',
            path,
            found: `${ip} is declared twice`,
            allowed: 'each IP in one place, because it can be in only one zone',
            also: [{ path: first, what: 'is the first declaration' }],
          },
        ];
      }),
    ),
  );
}

/** Returns the repeated IPs without their paths: there are rarely any, and the paths of all IPs would need much memory. */
function repeatedIps(specs: Specs): ReadonlySet<string> {
  const tables = [...specs.values()].map((spec) => [spec, declaredBy(spec)] as const);
  const within = tables.flatMap(([, { repeated }]) => [...repeated.keys()]);
  return new Set(tables.length > 1 ? [...within, ...AddressMap.joined(tables).repeated.keys()] : within);
}

/** Memoized, because Pulumi checks all declared resources again with each new one. */
const declaredBy = memoized(({ zones }: ZoneIpAllocationSpec) =>
  AddressMap.filled<undefined>((add) => {
    for (const { ips = [] } of Object.values(zones)) for (const ip of ips) add(ip, undefined);
  }),
);

/** Reports a spare or a source of one allocation that another one fills: the two would work against each other. */
function donorsFilledElsewhere(specs: Specs): Problem[] {
  const hasDonors = [...specs.values()].some(({ spare, sources }) => spare !== undefined || sources.length > 0);
  if (!hasDonors) return [];
  const filledBy = new Map(
    [...specs].flatMap(([name, { zones }]) => Object.keys(zones).map((zone) => [zone, name] as const)),
  );
  return [...specs].flatMap(([name, { spare, sources }]) => {
    const donors = [
      ...(spare === undefined ? [] : [{ zone: spare, path: [name, 'spare'] }]),
      ...sources.map((zone, index) => ({ zone, path: [name, 'sources', index] })),
    ];
    return donors.flatMap(({ zone, path }) => {
      const other = filledBy.get(zone);
      if (other === undefined || other === name) return [];
      return [
        {
          code: 'zone-also-filled',
          path,
          found: `${zone} is filled by another allocation`,
          allowed: 'a zone that no allocation fills',
          also: [{ path: [other, 'zones', zone], what: 'is filled here' }],
        },
      ];
    });
  });
}
