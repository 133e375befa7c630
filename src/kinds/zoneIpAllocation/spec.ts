/** The spec of a `ZoneIpAllocation`: its schema, its rules, and its translation into the planner's terms. */
import { z } from 'zod';
import { nearest } from '../../base/diagnostics/nearest.ts';
import type { Problem } from '../../base/diagnostics/problem.ts';
import { problemIssue } from '../../base/diagnostics/zodProblems.ts';
import { memoized } from '../../base/values/memoized.ts';
import { repeats } from '../../base/values/repeats.ts';
import { wrongIpv4 } from '../seam/addresses.ts';
import type { Allocation, ZoneDemand } from './solver/model.ts';

const zoneName = z
  .string()
  .min(1)
  .regex(/^\S+$/, 'must be the name of a zone, without spaces')
  .meta({ examples: ['checkout'] });

const address = z
  .string()
  // Not `superRefine`, which makes a function for each of what may be 100,000 addresses.
  .check((payload) => {
    const wrong = wrongIpv4(payload.value);
    if (wrong)
      problemIssue(payload, {
        code: 'not-an-address',
        found: `${/\s/.test(payload.value) ? JSON.stringify(payload.value) : payload.value}, ${wrong}`,
        allowed: 'one IPv4 address, such as 192.0.2.10',
      });
  })
  .meta({ format: 'ipv4', examples: ['192.0.2.10'] });

const letters = /^[A-Za-z]{2}$/;

/** Any two letters are a code: an account may use some that are not assigned. */
const country = z
  .string()
  .check((payload) => {
    if (letters.test(payload.value)) return;
    problemIssue(payload, {
      code: 'unusable-key',
      found: `\`${payload.value}\` is not a country code`,
      allowed: 'a country code of two letters',
    });
  })
  .meta({ pattern: letters.source, examples: ['us'] });

const amount = z.int().min(0);

const zoneSpec = z
  .strictObject({
    ips: z
      .array(address)
      .optional()
      .describe('IPs that must be in the zone, by address.')
      .meta({ examples: [['192.0.2.10', '192.0.2.11']] }),
    count: z
      .union([amount, z.record(country, amount).meta({ minProperties: 1 })])
      .optional()
      .describe(
        'The exact number of IPs, including the listed ones; or a map with the exact number for each country. IPs of countries that the map does not name are unmanaged.',
      )
      .meta({ examples: [20, { us: 10, de: 5 }] }),
    keepAtLeast: z
      .int()
      .min(0)
      .optional()
      .describe(
        'The fewest IPs that any call may leave in the zone. Calls are ordered so that this holds after each one. If there is no such order, the plan is refused, and the error names the zones that wait for each other.',
      )
      .meta({ examples: [5] }),
  })
  .meta({ minProperties: 1 })
  .superRefine((zone, context) => {
    if (zone.ips === undefined && zone.count === undefined && zone.keepAtLeast === undefined) {
      problemIssue(context, {
        code: 'empty-zone-spec',
        found: 'a zone that declares nothing',
        allowed: 'at least one of ips, count and keepAtLeast',
        fix: 'add `ips` or `count`, or remove the zone; `ips: []` with `count: 0` empties it',
      });
    }
    for (const problem of countProblems(zone)) problemIssue(context, problem);
  });

export const allocationSpec = z
  .strictObject({
    zones: z
      .record(zoneName, zoneSpec.describe('The IPs of one zone: at least one of `ips`, `count` and `keepAtLeast`.'))
      .describe('The zones that this allocation fills, by name.')
      .meta({ minProperties: 1 }),
    sources: z
      .array(zoneName)
      .default([])
      .describe('Zones that may give IPs and are never filled, such as a zone that is being replaced.')
      .meta({ examples: [['old-pricing']] }),
    spare: zoneName
      .optional()
      .describe(
        'The zone that gives IPs to zones that lack some, and receives surplus IPs. Several allocations may share it.',
      )
      .meta({ examples: ['parked'] }),
    unmanaged: z
      .enum(['report', 'release'])
      .default('report')
      .describe(
        'Unmanaged IPs, which are in these zones and not declared: `report` leaves them, `release` moves them to the spare.',
      ),
    protect: z
      .array(address)
      .default([])
      .describe('These IPs move only into the zone that declares them, and fill no count elsewhere.')
      .meta({ examples: [['192.0.2.10']] }),
    maxMoves: z
      .union([z.int().min(0), z.string().regex(/^(100|\d{1,2})%$/, 'must be a share such as "20%"')])
      .optional()
      .describe(
        'The most IPs that one run moves: a number, or a share of the live IPs in zones, sources and spare. An option raises it for a run: `--max-moves`, or `allowMoves` of a provider.',
      )
      .meta({ examples: ['20%', 50] }),
    onDelete: z
      .enum(['leave', 'release'])
      .default('leave')
      .describe(
        'The effect of a destroy: `leave` moves nothing, `release` moves the IPs of the allocation to the spare.',
      ),
    ignoreChanges: z
      .array(z.string())
      .default([])
      .describe('Zones to leave alone, as `zones.NAME`. IPs that another zone declares still leave them.')
      .meta({ examples: [['zones.checkout']] }),
  })
  .superRefine((spec, context) => {
    for (const problem of placeProblems(spec)) problemIssue(context, problem);
  })
  .describe('The static IPs that each zone holds.');

export type ZoneIpAllocationSpec = z.output<typeof allocationSpec>;
type ZoneSpec = ZoneIpAllocationSpec['zones'][string];

function countProblems({ ips = [], count, keepAtLeast = 0 }: ZoneSpec): Problem[] {
  const problems: Problem[] = typeof count === 'object' ? countryProblems(count) : [];
  const most = typeof count === 'number' && count >= 0 ? count : Number.POSITIVE_INFINITY;
  if (ips.length > most) {
    problems.push({
      code: 'count-below-listed',
      path: ['count'],
      found: `count ${most}, with ${ips.length} IPs listed`,
      allowed: `a count of ${ips.length} or more: it includes the listed IPs`,
    });
  }
  if (keepAtLeast > most) {
    problems.push({
      code: 'floor-above-count',
      path: ['keepAtLeast'],
      found: `keepAtLeast ${keepAtLeast}, above the count ${most}`,
      allowed: `at most ${most}`,
    });
  }
  return problems;
}

function countryProblems(count: Readonly<Record<string, number>>): Problem[] {
  const countries = Object.keys(count);
  if (countries.length === 0) {
    return [
      {
        code: 'empty-count',
        path: ['count'],
        found: 'a count of no country',
        allowed: 'at least one country, or a number',
      },
    ];
  }
  return repeats(countries, (country) => country.toLowerCase()).map(({ item: country, first }) => ({
    code: 'country-twice',
    path: ['count', country],
    at: 'key',
    found: `${country} is counted twice`,
    allowed: 'each country once, in capital or in small letters',
    also: [{ path: ['count', first], at: 'key', what: 'is the first' }],
  }));
}

/** `spare` and `sources` must not be in `zones`, a release needs a spare, and ignored zones must be declared. */
function placeProblems(spec: ZoneIpAllocationSpec): Problem[] {
  const { zones, sources, spare, ignoreChanges } = spec;
  const filled = (zone: string, path: PropertyKey[], what: string): Problem[] =>
    Object.hasOwn(zones, zone) ? [alsoFilled(zone, path, what)] : [];
  const releases = (['unmanaged', 'onDelete'] as const).filter((field) => spec[field] === 'release');
  return [
    ...(Object.keys(zones).length === 0
      ? [{ code: 'no-zones', path: ['zones'], found: 'an allocation without zones', allowed: 'at least one zone' }]
      : []),
    ...(spare === undefined ? [] : filled(spare, ['spare'], 'the spare')),
    ...sources.flatMap((zone, index) => filled(zone, ['sources', index], 'a source')),
    ...sources.flatMap((zone, index) => (sources.indexOf(zone) < index ? [sourceTwice(zone, index, sources)] : [])),
    ...sources.flatMap((zone, index) => (zone === spare ? [spareIsSource(zone, index)] : [])),
    ...(spare === undefined ? releases.map(withoutSpare) : []),
    ...ignoreChanges.flatMap((path, index) =>
      Object.hasOwn(zones, zoneOfPath(path)) ? [] : [notIgnorable(path, ['ignoreChanges', index], Object.keys(zones))],
    ),
  ];
}

function alsoFilled(zone: string, path: PropertyKey[], what: string): Problem {
  return {
    code: 'zone-also-filled',
    path,
    found: `${zone} is ${what} and is also filled`,
    allowed: 'a zone that is not in `zones`',
    also: [{ path: ['zones', zone], what: 'is filled here' }],
  };
}

function sourceTwice(zone: string, index: number, sources: readonly string[]): Problem {
  return {
    code: 'source-twice',
    path: ['sources', index],
    found: `${zone} is named twice`,
    allowed: 'each source once',
    also: [{ path: ['sources', sources.indexOf(zone)], what: 'is the first' }],
  };
}

function spareIsSource(zone: string, index: number): Problem {
  return {
    code: 'spare-is-source',
    path: ['sources', index],
    found: `${zone} is a source and is also the spare`,
    allowed: 'zones other than the spare',
  };
}

function withoutSpare(field: string): Problem {
  return {
    code: 'no-spare',
    path: [field],
    found: `${field}: release, without a spare`,
    allowed: 'release with a `spare`, which receives the IPs',
    fix: 'add `spare`',
  };
}

function notIgnorable(found: string, path: PropertyKey[], zones: string[]): Problem {
  const names = zones.map((zone) => `zones.${zone}`);
  const near = nearest(found, names);
  return {
    code: 'not-ignorable',
    path,
    found: `${found}, which names no zone of this allocation`,
    allowed: `one of ${names.join(', ')}`,
    ...(near && { fix: `did you mean ${near}?` }),
  };
}

function zoneOfPath(path: string): string {
  return path.startsWith('zones.') ? path.slice('zones.'.length) : '';
}

/** Computed once for each spec, so that what was derived from an allocation is known again. */
export const toAllocation = memoized((spec: ZoneIpAllocationSpec): Allocation => {
  const ignored = new Set(spec.ignoreChanges.map(zoneOfPath));
  const zones = Object.entries(spec.zones).filter(([zone]) => !ignored.has(zone));
  return {
    zones: new Map(zones.map(([zone, declared]) => [zone, toDemand(declared)])),
    sources: spec.sources,
    spare: spec.spare,
    unmanaged: spec.unmanaged,
    protect: new Set(spec.protect),
    maxMoves: toMaxMoves(spec.maxMoves),
  };
});

function toDemand({ ips = [], count, keepAtLeast }: ZoneSpec): ZoneDemand {
  return { ips, keepAtLeast, count: typeof count === 'object' ? foldedCounts(count) : count };
}

function foldedCounts(counts: Readonly<Record<string, number>>): Map<string, number> {
  return new Map(Object.entries(counts).map(([country, count]) => [country.toLowerCase(), count]));
}

function toMaxMoves(maxMoves: ZoneIpAllocationSpec['maxMoves']): Allocation['maxMoves'] {
  if (maxMoves === undefined) return undefined;
  return typeof maxMoves === 'number' ? { count: maxMoves } : { percent: Number.parseInt(maxMoves, 10) };
}
