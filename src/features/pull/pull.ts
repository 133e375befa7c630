/** Writes the live state as a declaration, whose plan has no changes. */

import { relative, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { formatPath } from '../../base/diagnostics/path.ts';
import { type Problem, ProblemError } from '../../base/diagnostics/problem.ts';
import { isMapValue, valueAt } from '../../base/values/plain.ts';
import { yamlText } from '../../base/yaml/edit/render.ts';
import { readYaml } from '../../base/yaml/source.ts';
import { listingRemarks } from '../../client/areas/zones/listing.ts';
import type { InferredProfile } from '../../client/inferredProfile.ts';
import { type ServiceProfileInput, serviceProfile } from '../../client/profile.ts';
import { isStoreAddress } from '../../engine/doors/backend.ts';
import { reachableOwner } from '../../engine/doors/connection.ts';
import { type Config, configOf } from '../../engine/doors/declaration.ts';
import type { Declared } from '../../engine/doors/plan.ts';
import { type LiveZones, liveZones, problemsOfError, type Session } from '../../engine/doors/session.ts';
import { declaredZones } from '../../kinds/declaredZones.ts';
import { kinds } from '../../kinds/knownKinds.ts';
import { accountView } from '../../kinds/seam/accountView.ts';
import { liveExport } from '../../kinds/seam/liveExport.ts';

interface PullOptions {
  /** Zones to declare. */
  zones: readonly string[];
  /** Declares all others that can be found, too: the declared ones, and those that the service lists. */
  isDiscovering: boolean;
  /** The name of the pulled resources. */
  name: string;
  /** Declares numbers of IPs by country where that is possible. */
  isByCount?: boolean | undefined;
  /** The folder of the file that is written. The backend is the one of the declaration, seen from there. */
  folder: string;
}

export interface Pulled {
  yaml: string;
  zones: readonly string[];
  /** The number of IPs in these zones. */
  ips: number;
  /** True if these are all zones of the account. */
  isWhole: boolean;
  /** The zones without IPs. */
  empty: readonly string[];
  /** Parts that no declaration can have, with the reason: `zones a b: …`. */
  leftOut: readonly string[];
  /** Why listings may not show what the zones hold. */
  remarks: readonly string[];
  /** Why parts of the account could not be read. They are missing in the file. */
  problems: readonly Problem[];
}

/**
 * Reads the live state. Settings are included if a manager is configured. A server or a zone that cannot be read costs its own part of the
 * file. @throws ProblemError if nothing could be read, or none of the named zones
 */
export async function pull(
  config: Config,
  session: Session,
  { zones: named, isDiscovering, name, isByCount, folder }: PullOptions,
): Promise<Pulled> {
  const problems: Problem[] = [];
  const live = isDiscovering ? await discoverableZones(config, session, problems) : noZones;
  const wanted = [...new Set([...live.names, ...named])];
  const failed = await session.view(accountView).failures(wanted);
  problems.push(...[...failed.values()].flatMap(problemsOfError));
  const zones = wanted.filter((zone) => !failed.has(zone));
  const declarations = await Promise.all(
    kinds.map(async (definition) => {
      const target = { name, zones, isByCount, managerUrl: config.manager.url, owner: reachableOwner(config) };
      const specs = await liveExport
        .of(definition)
        ?.exportLive(target, session.contextFor({ definition, name }))
        .catch((error: unknown) => void problems.push(...problemsOfError(error)));
      return Object.keys(specs ?? {}).length === 0 ? [] : [[definition.collection, specs] as const];
    }),
  );
  const isNothingRead = named.length > 0 ? zones.length === 0 : declarations.flat().length === 0;
  if (problems.length > 0 && isNothingRead) throw new ProblemError(problems);
  const resources = Object.fromEntries(declarations.flat());
  const file = {
    ...(config.name === undefined ? {} : { name: config.name }),
    ...(config.account === undefined ? {} : { account: config.account }),
    ...backendOf(config, folder),
    service: { url: config.service.url, ...profileOf(config, inferredBy(config, session)), ...zonesOf(config, live) },
    ...(config.manager.url === undefined ? {} : { manager: { url: config.manager.url } }),
    ...triggersOf(config),
    ...(config.prices === undefined ? {} : { prices: config.prices }),
    ...resources,
    ...exceptionsOf(config, resources, name),
  };
  const account = session.view(accountView);
  const listings = await account.list(zones);
  const empty = zones.filter((zone) => listings.get(zone)?.size === 0);
  const { yaml, leftOut } = usable(file);
  const isPulled = ({ definition }: Declared) => liveExport.of(definition) !== undefined;
  const notPulled = new Set(config.declared.filter((each) => !isPulled(each)).map(({ collection }) => collection));
  const ips = zones.reduce((sum, zone) => sum + (listings.get(zone)?.size ?? 0), 0);
  const remarks = zones.flatMap((zone) => {
    const remark = account.remarks.get(zone);
    return remark === undefined ? [] : listingRemarks(zone, remark);
  });
  const copied = [...notPulled].map((collection) => `${collection}, which cannot be read back: copy them`);
  return { yaml, zones, isWhole: live.isWhole, ips, empty, leftOut: [...leftOut, ...copied], remarks, problems };
}

function triggersOf({ triggers: { url, ledger } }: Config): { triggers?: object } {
  if (ledger !== undefined) return { triggers: { store: ledger.shown } };
  return url === undefined ? {} : { triggers: { url } };
}

/** Returns the backend of the declaration. A file in another folder would have a lock, a history and a baseline of its own. */
function backendOf({ backend, places, folder: own }: Config, folder: string): { backend?: string } {
  if (backend !== undefined && isStoreAddress(backend)) return { backend };
  const isMoved = places.length > 0 && relative(own, folder) !== '';
  if (isMoved) return { backend: relative(folder, resolve(own, backend ?? '.webdata')) };
  return backend === undefined ? {} : { backend };
}

/** Returns the exceptions of what is in the file, where the resource may have another name. */
function exceptionsOf({ exceptions }: Config, resources: object, name: string): { exceptions?: object[] } {
  const pulledExceptions = exceptions.flatMap(({ path: [collection = '', own = '', ...rest], ...muted }) =>
    [own, name].flatMap((each) => {
      const path = [collection, each, ...rest];
      return valueAt(resources, path) === undefined ? [] : [{ path: formatPath(path), ...muted }];
    }),
  );
  return pulledExceptions.length > 0 ? { exceptions: pulledExceptions } : {};
}

/** The file that is pulled. Its values are changed. */
type PulledFile = Record<string, unknown>;

/** Returns the file without what the next command would refuse, such as a zone whose name no declaration can have. */
function usable(file: PulledFile): { yaml: string; leftOut: string[] } {
  const leftOut: string[] = [];
  for (;;) {
    const yaml = yamlText(file, 120);
    const refused = problemsOf(yaml).flatMap(({ path = [], found }) => {
      const unit = unitAt(path);
      return unit === undefined ? [] : [{ unit, found }];
    });
    if (refused.length === 0) return { yaml, leftOut };
    for (const { unit, found } of refused) {
      if (remove(file, unit)) leftOut.push(`${unit.slice(-2).join(' ')}: ${found}`);
    }
  }
}

/** Returns the problems of the file, without its variables. */
function problemsOf(yaml: string): readonly Problem[] {
  try {
    configOf(readYaml(yaml, 'the pulled file'), { env: {} });
    return [];
  } catch (error) {
    return problemsOfError(error);
  }
}

/** Returns the path of what is left out for a problem at this path: a zone, or the whole resource. */
function unitAt(path: readonly PropertyKey[]): readonly PropertyKey[] | undefined {
  const depth = path[2] === 'zones' ? 4 : path[0] === 'service' ? 3 : 2;
  return path.length >= 2 && (path[0] !== 'service' || path[1] === 'zones') ? path.slice(0, depth) : undefined;
}

/** Returns false if there is nothing at the path any more. */
function remove(file: PulledFile, path: readonly PropertyKey[]): boolean {
  const holder = valueAt(file, path.slice(0, -1));
  const key = String(path.at(-1));
  if (!isMapValue(holder) || !Object.hasOwn(holder, key)) return false;
  return delete holder[key];
}

/** Returns the settings of the profile that are not defaults, and those that the answers have shown. Without these, the file might be unusable. */
function profileOf({ service: { profile } }: Config, inferred: InferredProfile): { profile?: object } {
  const beyond: ServiceProfileInput = beyondDefaults(profile, serviceProfile.parse({}));
  const manager = { ...inferred.manager, ...beyond.manager };
  const whole = { ...inferred, ...beyond, ...(Object.keys(manager).length > 0 && { manager }) };
  return Object.keys(whole).length > 0 ? { profile: whole } : {};
}

/** Returns what the answers of the service and of the manager have shown. A server that was not asked, or that failed, has shown nothing. */
function inferredBy({ manager }: Config, session: Session): InferredProfile {
  const fromManager = manager.url === undefined ? {} : session.manager(manager.url).inferredProfile();
  return { ...session.client().inferredProfile(), ...fromManager };
}

/** Returns the types of zones that are declared, or that the service shows. */
function zonesOf({ service: { zoneTypes = {} } }: Config, { types }: Pick<LiveZones, 'types'>): { zones?: object } {
  const zones = Object.entries({ ...types, ...zoneTypes }).map(([name, type]) => [name, { type }]);
  return zones.length > 0 ? { zones: Object.fromEntries(zones) } : {};
}

function beyondDefaults(map: object, defaults: object): object {
  const usual = new Map<string, unknown>(Object.entries(defaults));
  const entries = Object.entries(map).filter(([name, value]) => !isDeepStrictEqual(value, usual.get(name)));
  return Object.fromEntries(
    entries.map(([name, value]) => [name, isMapValue(value) ? beyondDefaults(value, Object(usual.get(name))) : value]),
  );
}

/** Returns the zones of the declaration and those that the service lists. */
async function discoverableZones({ declared }: Config, session: Session, problems: Problem[]): Promise<LiveZones> {
  const live = await liveZones(session).catch((error: unknown): LiveZones => {
    problems.push(...problemsOfError(error));
    return noZones;
  });
  return { ...live, names: [...new Set([...live.names, ...declaredZones(declared)])].sort() };
}

const noZones: LiveZones = { names: [], isWhole: false, types: {} };
