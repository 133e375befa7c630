/** Conflicts between the allocations of one account: a zone that two of them fill, an IP that two of them declare. */
import type { Problem } from '../../base/diagnostics/problem.ts';
import { counted } from '../../base/diagnostics/valueWords.ts';
import { memoized } from '../../base/values/memoized.ts';
import { repeats } from '../../base/values/repeats.ts';
import { AddressMap } from '../seam/addressMap.ts';
import type { ZoneIpAllocationSpec } from './spec.ts';
import { namesIn } from './state.ts';

type Specs = ReadonlyMap<string, ZoneIpAllocationSpec>;

export function allocationConflicts(specs: Specs): Problem[] {
  return [...zonesFilledTwice(specs), ...ipsDeclaredTwice(specs), ...donorsFilledElsewhere(specs)];
}

/** Returns true if neither fills a zone that the other names, and no IP is declared by both. */
export function areIndependent(one: ZoneIpAllocationSpec, other: ZoneIpAllocationSpec): boolean {
  return (
    !fillsOneOf(one, namesOf(other)) && !fillsOneOf(other, namesOf(one)) && !declaredBy(one).overlaps(declaredBy(other))
  );
}

function fillsOneOf({ zones }: ZoneIpAllocationSpec, names: ReadonlySet<string>): boolean {
  return Object.keys(zones).some((zone) => names.has(zone));
}

const namesOf = memoized((spec: ZoneIpAllocationSpec) => new Set(namesIn(spec)));

function zonesFilledTwice(specs: Specs): Problem[] {
  const filled = [...specs].flatMap(([name, { zones }]) =>
    Object.keys(zones).map((zone) => ({ zone, path: [name, 'zones', zone] })),
  );
  return repeats(filled, ({ zone }) => zone).map(({ item: { zone, path }, first }) => ({
    code: 'zone-in-two-allocations',
    path,
    found: `${zone} is filled by two allocations`,
    allowed: 'a zone in the `zones` of one allocation at most',
    also: [{ path: first.path, what: 'is the other one' }],
  }));
}

function ipsDeclaredTwice(specs: Specs): Problem[] {
  const repeated = repeatedIps(specs);
  if (repeated.size === 0) return [];
  const firsts = new Map<string, Entry>();
  const runs: Run[] = [];
  for (const [name, { zones }] of specs) {
    for (const [zone, { ips = [] }] of Object.entries(zones)) {
      const list = [name, 'zones', zone, 'ips'];
      for (const [index, ip] of ips.entries()) {
        if (!repeated.has(ip)) continue;
        const [entry, first, run] = [{ list, index }, firsts.get(ip), runs.at(-1)];
        if (first === undefined) firsts.set(ip, entry);
        else if (run && isNext(run.entry, entry, run.count) && isNext(run.first, first, run.count)) run.count += 1;
        else runs.push({ ip, entry, first, count: 1 });
      }
    }
  }
  return runs.map(problemOfRun);
}

interface Entry {
  /** The path of the list, one object for each list. */
  list: readonly PropertyKey[];
  index: number;
}

/** IPs that two lists have in the same order, such as those of overlapping networks: one mistake, and up to 65,536 IPs. */
interface Run {
  ip: string;
  entry: Entry;
  first: Entry;
  count: number;
}

function isNext(start: Entry, { list, index }: Entry, count: number): boolean {
  return start.list === list && start.index + count === index;
}

function problemOfRun({ ip, entry, first, count }: Run): Problem {
  return {
    code: 'ip-declared-twice',
    path: [...entry.list, entry.index],
    found:
      count === 1 ? `${ip} is declared twice` : `${ip} and ${counted(count - 1, 'IP')} after it are declared twice`,
    allowed: 'each IP in one place, because it can be in only one zone',
    also: [{ path: [...first.list, first.index], what: 'is the first declaration' }],
  };
}

/** Returns the repeated IPs without their paths: there are rarely any, and the paths of all IPs would need much memory. */
function repeatedIps(specs: Specs): ReadonlySet<string> {
  const tables = [...specs.values()].map((spec) => [spec, declaredBy(spec)] as const);
  const within = tables.flatMap(([, { repeated }]) => [...repeated.keys()]);
  return new Set(tables.length > 1 ? [...within, ...AddressMap.joined(tables).repeated.keys()] : within);
}

/** Memoized, because Pulumi compares each new resource with those before it. */
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
