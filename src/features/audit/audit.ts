/** `webdata audit`: compares the addresses that recently used or tried zones with the allow lists. Sends reads only. */
import { isIP } from 'node:net';
import { formatPath } from '../../base/diagnostics/path.ts';
import type { Problem } from '../../base/diagnostics/problem.ts';
import { type Config, liveTarget } from '../../engine/doors/declaration.ts';
import { problemsOfError, type Session } from '../../engine/doors/session.ts';
import { kinds } from '../../kinds/knownKinds.ts';
import { admission, canonicalEntry, isInternal } from '../../kinds/seam/addresses.ts';
import { sortedIps } from '../../kinds/seam/ipOrder.ts';
import type { AllowList } from './capability.ts';
import { auditing } from './kinds.ts';

export interface Audit {
  /** The URL of the service. */
  service: string;
  zones: AuditedZone[];
  lists: AuditedList[];
  /** Why parts could not be read. */
  problems: Problem[];
}

export interface AuditedZone {
  zone: string;
  callers: AuditedCaller[];
}

export interface AuditedCaller {
  ip: string;
  /** `unknown`: no allow list that applies to the zone could be read. */
  status: 'allowed' | 'not-allowed' | 'unknown';
  /** The entries that allow it, with the names of their lists. */
  allowedBy: { list: string; entry: string; declared: boolean | null; live: boolean | null }[];
}

export interface AuditedList {
  /** The path of a declared list, or `whitelistIps of URL`. */
  list: string;
  /** The only zone that the list is about. Undefined if it is about all zones without a list of their own. */
  zone?: string | undefined;
  /** The manager that holds the list. Undefined for a list that no server shows. */
  manager?: string | undefined;
  entries: AuditedEntry[];
}

export interface AuditedEntry {
  entry: string;
  /** `not-visible`: an internal address, which the service never sees. */
  status: 'seen' | 'not-seen' | 'not-visible';
  /** Null if the list is not declared. */
  declared: boolean | null;
  /** Null if the live list is not shown. */
  live: boolean | null;
}

interface ReadList extends Omit<AuditedList, 'entries'> {
  /** False if the list could not be read and is not declared. */
  isKnown: boolean;
  entries: Omit<AuditedEntry, 'status'>[];
}

/**
 * Without names, reads all zones that were used recently, those with an allow list of their own, and those that the service lists.
 *
 * @throws ServiceError, ProblemError if the callers cannot be read
 */
export async function readAudit(config: Config, session: Session, named: readonly string[]): Promise<Audit> {
  const problems: Problem[] = [];
  const { account, origin: service, zones } = session.client();
  const [recent, listed, managerLists] = await Promise.all([
    zones.recentIps(named.length > 0 ? named : '*'),
    named.length > 0 ? undefined : account.activeZones(),
    readManagerLists(config, session, problems),
  ]);
  const isChosen = (zone: string) => named.length === 0 || named.includes(zone);
  const zoneLists = Object.entries(config.allowedCallers)
    .filter(([zone]) => isChosen(zone))
    .map(([zone, entries]) => zoneList(zone, entries));
  const quiet = [...zoneLists.map(({ zone }) => zone), ...(listed ?? []).map(({ name }) => name)];
  const callers = new Map([...quiet.map((zone) => [zone, [] as string[]] as const), ...Object.entries(recent)]);
  return { service, ...matched(callers, zoneLists, managerLists), problems };
}

interface ZoneList extends ReadList {
  zone: string;
}

function zoneList(zone: string, entries: readonly string[]): ZoneList {
  const distinct = new Map(entries.map((entry) => [addressKey(entry), entry]));
  return {
    list: formatPath(['service', 'zones', zone, 'allowedCallers']),
    zone,
    isKnown: true,
    entries: [...distinct.values()].map((entry) => ({ entry, declared: true, live: null })),
  };
}

/** Reads the lists that managers hold. Those that cannot be read count as they are declared. */
async function readManagerLists(config: Config, session: Session, problems: Problem[]): Promise<ReadList[]> {
  const lists = kinds.flatMap((definition) => {
    const context = session.contextFor({ definition, name: '' });
    try {
      const allowLists = auditing.of(definition)?.allowLists(liveTarget(config, definition), context) ?? [];
      return allowLists.map((list) => readList(list, definition.collection, problems));
    } catch (error) {
      problems.push(...problemsOfError(error));
      return [];
    }
  });
  return Promise.all(lists);
}

async function readList(
  { owner, declared, live }: AllowList,
  collection: string,
  problems: Problem[],
): Promise<ReadList> {
  let liveEntries: readonly string[] | undefined;
  try {
    liveEntries = await live();
  } catch (error) {
    problems.push(...problemsOfError(error));
  }
  const [declaredKeys, liveKeys] = [declared?.entries, liveEntries].map(
    (entries) => entries && new Set(entries.map(addressKey)),
  );
  const entries = new Map(
    [...(declared?.entries ?? []), ...(liveEntries ?? [])].map((entry) => [addressKey(entry), entry]),
  );
  return {
    list: declared === undefined ? `whitelistIps of ${owner}` : formatPath([collection, ...declared.path]),
    manager: owner,
    isKnown: declared !== undefined || liveEntries !== undefined,
    entries: [...entries].map(([key, entry]) => ({
      entry,
      declared: declaredKeys?.has(key) ?? null,
      live: liveKeys?.has(key) ?? null,
    })),
  };
}

function addressKey(entry: string): string {
  return canonicalEntry(entry) ?? entry.trim().toLowerCase();
}

/** A zone with a list of its own is compared with that list, and all others with the lists of the managers. */
function matched(
  callers: ReadonlyMap<string, readonly string[]>,
  zoneLists: readonly ZoneList[],
  managerLists: readonly ReadList[],
): Pick<Audit, 'zones' | 'lists'> {
  const seen = new Set<ReadList['entries'][number]>();
  const admissions = new Map([...zoneLists, ...managerLists].map((list) => [list, admissionBy(list)]));
  const zones = [...callers].map(([zone, ips]) => {
    const own = zoneLists.filter((list) => list.zone === zone);
    const applying = own.length > 0 ? own : managerLists;
    // The service sees no internal address, so a list of internal ones says nothing about the callers that it sees.
    const admitsVisible = ({ entries }: ReadList) => entries.some(({ entry }) => !isInternal(entry));
    const isKnown = own.length > 0 || (applying.every((list) => list.isKnown) && applying.some(admitsVisible));
    const audited = sortedIps(new Set(ips)).map((ip): AuditedCaller => {
      const by = applying.flatMap((list) =>
        (admissions.get(list)?.(ip) ?? []).map((entry) => {
          seen.add(entry);
          return { list: list.list, ...entry };
        }),
      );
      const isComparable = isKnown && isIP(ip) > 0;
      return { ip, status: by.length > 0 ? 'allowed' : isComparable ? 'not-allowed' : 'unknown', allowedBy: by };
    });
    return { zone, callers: audited };
  });
  const lists = [...zoneLists, ...managerLists].map(
    ({ isKnown: _, entries, ...list }): AuditedList => ({
      ...list,
      entries: entries.map((entry) => ({
        ...entry,
        status: seen.has(entry) ? 'seen' : isInternal(entry.entry) ? 'not-visible' : 'not-seen',
      })),
    }),
  );
  return { zones: zones.toSorted((a, b) => (a.zone < b.zone ? -1 : 1)), lists };
}

function admissionBy({ entries }: ReadList): (ip: string) => ReadList['entries'] {
  const byEntry = Map.groupBy(entries, ({ entry }) => entry);
  const admits = admission([...byEntry.keys()]);
  return (ip) => admits(ip).flatMap((entry) => byEntry.get(entry) ?? []);
}
