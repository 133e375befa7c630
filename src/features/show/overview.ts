/** `webdata show`: reads the live account and compares its IPs with the declaration. Sends reads only. */

import { type Problem, ProblemError } from '../../base/diagnostics/problem.ts';
import { listingRemarks } from '../../client/areas/zones/listing.ts';
import type { ZoneCost } from '../../client/areas/zones/openRoutes.ts';
import { type Config, liveTarget } from '../../engine/doors/declaration.ts';
import type { Declared } from '../../engine/doors/plan.ts';
import { liveZones, problemsOfError, type Session } from '../../engine/doors/session.ts';
import { claimsOf } from '../../kinds/declaredZones.ts';
import { kinds } from '../../kinds/knownKinds.ts';
import { claimingZones, type ZoneClaim, type ZoneClaims } from '../../kinds/seam/zoneClaims.ts';
import { showing } from './kinds.ts';
import { groupIps, type IpFilter, type ZoneGroup } from './zoneGroups.ts';

interface OverviewOptions extends IpFilter {
  /** Reads what the zones cost, too. */
  hasCosts?: boolean | undefined;
  /** By default, the declared zones and those that the service lists. */
  zones?: readonly string[] | undefined;
}

export interface Overview {
  /** The URL of the service. */
  service: string;
  zones: ZoneOverview[];
  /** The zones that the service listed besides the declared ones: `all`, or `read` for the recently used ones, which are the only ones that the specification lists. */
  recentZones: 'all' | 'read' | 'not-asked' | 'failed';
  /** True if only some of the IPs are counted. Zones without such IPs are left out. */
  isFiltered: boolean;
  /** Undefined if only zones were asked for. */
  objects?: ObjectOverview[] | undefined;
  /** Declared collections whose kinds provide nothing to show. */
  notShown: string[];
  /** Why parts of the account could not be read. */
  problems: Problem[];
  /** Why objects that no declared resource is about could not be read. */
  warnings: Problem[];
}

export interface ZoneOverview {
  zone: string;
  /** Why it is shown: it was named, it is declared, it was used recently, or the service lists all zones. */
  found: 'named' | 'declared' | 'recent' | 'listed';
  /** Undefined for a zone that no declared resource fills or empties. */
  role?: ZoneClaim['role'] | undefined;
  keepAtLeast?: number | undefined;
  /** Why its listing may not show what it holds. */
  remarks?: readonly string[] | undefined;
  /** Undefined if the zone could not be read. */
  group?: ZoneGroup | undefined;
  /** Bytes and money of this month, if they were asked for. */
  cost?: ZoneCost | undefined;
}

/** A live object other than a zone. */
export interface ObjectOverview {
  collection: string;
  name: string;
  isDeclared: boolean;
  /** Undefined if they could not be read. */
  facts?: Readonly<Record<string, unknown>> | undefined;
}

/** @throws ProblemError if nothing could be read */
export async function readOverview(config: Config, session: Session, options: OverviewOptions): Promise<Overview> {
  const { origin } = session.client();
  const problems: Problem[] = [];
  const warnings: Problem[] = [];
  const claims = claimsOf(config.declared);
  const chosen = await chooseZones(options.zones, claims, session, problems);
  const isFiltered =
    [options.countries, options.ips].some((only) => only !== undefined) || options.unmanagedOnly === true;
  const zones = await readZones(chosen.zones, claims, session, options, problems);
  const isZonesOnly = isFiltered || options.zones !== undefined;
  const objects = isZonesOnly ? undefined : await readObjects(config, session, { problems, warnings });
  const isRead = zones.some(({ group }) => group !== undefined) || objects?.some(({ facts }) => facts !== undefined);
  if (problems.length > 0 && !isRead) throw new ProblemError(problems);
  return {
    service: origin,
    zones: isFiltered ? zones.filter(({ group }) => group === undefined || group.countries.length > 0) : zones,
    recentZones: chosen.recentZones,
    isFiltered,
    objects,
    notShown: isZonesOnly ? [] : collectionsNotShown(config),
    problems,
    warnings,
  };
}

function collectionsNotShown({ declared }: Config): string[] {
  const isShown = ({ definition }: Declared) => showing.of(definition) ?? claimingZones.of(definition);
  return [...new Set(declared.filter((each) => !isShown(each)).map(({ collection }) => collection))];
}

interface ChosenZones extends Pick<Overview, 'recentZones'> {
  zones: Pick<ZoneOverview, 'zone' | 'found'>[];
}

/** Declared zones are shown even if the others cannot be listed. */
async function chooseZones(
  named: readonly string[] | undefined,
  claims: ZoneClaims,
  session: Session,
  problems: Problem[],
): Promise<ChosenZones> {
  if (named !== undefined) {
    return { zones: [...new Set(named)].map((zone) => ({ zone, found: 'named' })), recentZones: 'not-asked' };
  }
  const zones = new Map<string, ZoneOverview['found']>([...claims.zones.keys()].map((zone) => [zone, 'declared']));
  let recentZones: Overview['recentZones'] = 'failed';
  try {
    const { names, isWhole } = await liveZones(session);
    recentZones = isWhole ? 'all' : 'read';
    for (const zone of names.toSorted()) if (!zones.has(zone)) zones.set(zone, isWhole ? 'listed' : 'recent');
  } catch (error) {
    problems.push(...problemsOfError(error));
  }
  return { zones: [...zones].map(([zone, found]) => ({ zone, found })), recentZones };
}

/** Each listing is dropped as soon as its IPs are counted. */
async function readZones(
  zones: ChosenZones['zones'],
  claims: ZoneClaims,
  session: Session,
  filter: OverviewOptions,
  problems: Problem[],
): Promise<ZoneOverview[]> {
  return Promise.all(
    zones.map(async ({ zone, found }): Promise<ZoneOverview> => {
      const { role, keepAtLeast } = claims.zones.get(zone) ?? {};
      try {
        const { ips, ...rest } = await session.client().zones.listing(zone);
        const remarks = listingRemarks(zone, rest);
        const cost = filter.hasCosts ? await costOfMonth(zone, session) : undefined;
        return { zone, found, role, keepAtLeast, remarks, cost, group: groupIps(zone, ips, claims, filter) };
      } catch (error) {
        problems.push(...problemsOfError(error));
        return { zone, found, role, keepAtLeast };
      }
    }),
  );
}

/** @throws ProblemError if the service does not show costs */
async function costOfMonth(zone: string, session: Session): Promise<ZoneCost> {
  const month = (await session.client().account.zoneCost(zone))?.periods.back_m0;
  if (month !== undefined) return month;
  throw new ProblemError([
    {
      code: 'no-costs',
      found: 'the service does not show costs',
      allowed: 'a service with the route /zone/cost',
      fix: 'run the command without --cost',
    },
  ]);
}

async function readObjects(
  config: Config,
  session: Session,
  { problems, warnings }: Pick<Overview, 'problems' | 'warnings'>,
): Promise<ObjectOverview[]> {
  const read = async <T>(isDeclared: boolean, action: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await action();
    } catch (error) {
      (isDeclared ? problems : warnings).push(...problemsOfError(error));
      return undefined;
    }
  };
  const objects = await Promise.all(
    kinds.map(async (definition) => {
      const { collection } = definition;
      const target = liveTarget(config, definition);
      const context = session.contextFor({ definition, name: '' });
      const live =
        (await read(target.declared.size > 0, async () => showing.of(definition)?.liveObjects(target, context))) ?? [];
      return Promise.all(
        live.map(async ({ name, isDeclared, facts }) => {
          return { collection, name, isDeclared, facts: await read(isDeclared, facts) };
        }),
      );
    }),
  );
  return objects.flat();
}
