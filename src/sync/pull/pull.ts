/** Writes what is live as a declaration: a plan of it has no changes. */
import { isDeepStrictEqual } from 'node:util';
import { stringify } from 'yaml';
import { kinds } from '../../kinds/registry.ts';
import { serviceProfile } from '../../service/profile.ts';
import { isMapValue } from '../../values/plain.ts';
import { type Config, reachableOwner } from '../config/config.ts';
import type { Session } from '../session.ts';

export interface PullOptions {
  /** Zones to declare; without any, those that the service says were used lately. */
  zones: readonly string[];
  /** The name of the pulled resources. */
  name: string;
}

export interface Pulled {
  yaml: string;
  zones: readonly string[];
  /** Those of them that list no IP. */
  empty: readonly string[];
}

/** Settings are pulled where a manager is known. @throws ServiceError, ProblemError */
export async function pull(config: Config, session: Session, { zones: named, name }: PullOptions): Promise<Pulled> {
  const zones = named.length > 0 ? named : await zonesUsedLately(session);
  const declarations = await Promise.all(
    kinds.map(async (definition) => {
      const target = { name, zones, managerUrl: config.manager.url, owner: reachableOwner(config) };
      const specs = (await definition.exportLive?.(target, session.contextFor({ definition, name }))) ?? {};
      return Object.keys(specs).length === 0 ? [] : [[definition.collection, specs] as const];
    }),
  );
  const file = {
    ...(config.name === undefined ? {} : { name: config.name }),
    service: { url: config.service.url, ...profileOf(config), ...zonesOf(config) },
    ...(config.manager.url === undefined ? {} : { manager: { url: config.manager.url } }),
    ...(config.triggers.url === undefined ? {} : { triggers: { url: config.triggers.url } }),
    ...Object.fromEntries(declarations.flat()),
  };
  const listings = await session.account.list(zones);
  const empty = zones.filter((zone) => listings.get(zone)?.size === 0);
  return { yaml: stringify(file, { lineWidth: 120 }), zones, empty };
}

/** What the profile says beyond its defaults: without it, the account might not be readable from the pulled file. */
function profileOf({ service: { profile } }: Config): { profile?: object } {
  const beyond = beyondDefaults(profile, serviceProfile.parse({}));
  return Object.keys(beyond).length > 0 ? { profile: beyond } : {};
}

/** The types of zones can't be read from the service: what is declared of them already is kept. */
function zonesOf({ service: { zoneTypes = {} } }: Config): { zones?: object } {
  const zones = Object.entries(zoneTypes).map(([name, type]) => [name, { type }]);
  return zones.length > 0 ? { zones: Object.fromEntries(zones) } : {};
}

function beyondDefaults(map: object, defaults: object): object {
  const usual = new Map<string, unknown>(Object.entries(defaults));
  const entries = Object.entries(map).filter(([name, value]) => !isDeepStrictEqual(value, usual.get(name)));
  return Object.fromEntries(
    entries.map(([name, value]) => [name, isMapValue(value) ? beyondDefaults(value, Object(usual.get(name))) : value]),
  );
}

/** `GET /zone/recent_ips?zones=*` (specification, D2) only knows zones that somebody lately attempted to use. */
async function zonesUsedLately(session: Session): Promise<string[]> {
  return Object.keys(await session.client().zones.recentIps('*')).sort();
}
