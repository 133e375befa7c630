/** The resources that `--select KIND/NAME` chooses. */
import { didYouMean } from '../../base/diagnostics/nearest.ts';
import { assertNoProblems, type Problem, ProblemError } from '../../base/diagnostics/problem.ts';
import { declaredZones } from '../../kinds/declaredZones.ts';
import type { Config } from '../declaration/config.ts';
import type { Declared } from './resources.ts';

/** Kinds and collections may be in upper or lower case. @throws ProblemError for a selector that matches nothing */
export function selector(
  selects: readonly string[] | undefined,
  { declared }: Config,
): (resource: Declared) => boolean {
  if (selects === undefined) return () => true;
  const chosen = new Set(selects.flatMap((text) => matching(text, declared)));
  return (resource) => chosen.has(resource);
}

function matching(text: string, declared: readonly Declared[]): Declared[] {
  // Also accepts `zoneIpAllocations.static`, as reports write it.
  const [, kind = '', name] = /^([^/.]*)[/.](.*)$/.exec(text) ?? [];
  const isKind = (resource: Declared) =>
    [resource.kind, resource.collection].some((known) => known.toLowerCase() === kind.toLowerCase());
  const found = declared.filter((resource) => isKind(resource) && resource.name === name);
  if (found.length > 0) return found;
  const names = declared.map((resource) => `${resource.kind}/${resource.name}`);
  throw new ProblemError([
    {
      code: 'nothing-selected',
      found: `--select ${text} matches no declared resource`,
      allowed: names.join(', ') || 'KIND/NAME of a declared resource',
      fix: didYouMean(text, names) ?? 'name a declared resource as KIND/NAME',
    },
  ]);
}

/** Returns the resources that take IPs out of one of these zones or put some in. @throws ProblemError for a zone that none names */
export function selectorsOfZones(zones: readonly string[], { declared }: Config): string[] {
  const named = declared.map((resource) => ({ resource, zones: new Set(declaredZones([resource])) }));
  const known = [...new Set(named.flatMap((each) => [...each.zones]))];
  const unknown = zones.filter((zone) => !known.includes(zone));
  assertNoProblems(unknown.map((zone) => unknownZone(zone, known)));
  const chosen = named.filter((each) => zones.some((zone) => each.zones.has(zone)));
  return chosen.map(({ resource }) => `${resource.kind}/${resource.name}`);
}

function unknownZone(zone: string, known: readonly string[]): Problem {
  return {
    code: 'zone-not-declared',
    found: `--zone ${zone} is in no allocation of this declaration`,
    allowed: known.join(', ') || 'a zone of an allocation',
    fix: didYouMean(zone, known) ?? 'name a zone of an allocation',
  };
}
