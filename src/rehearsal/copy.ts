/** A copy of the live account on emulators in this process. It is built from reads, and nothing is sent to the account but reads. */
import { ProblemError } from '../diagnostics/problem.ts';
import { type Emulator, startEmulator } from '../emulator/index.ts';
import { kinds } from '../kinds/registry.ts';
import type { Listing, Listings } from '../kinds/zoneIpAllocation/accountView.ts';
import { type Client, createClient } from '../service/client.ts';
import { ServiceError } from '../service/errors.ts';
import type { Config } from '../sync/config/config.ts';
import type { Servers, Session } from '../sync/sessionViews.ts';
import { type CopiedManager, copyManager } from './copiedManager.ts';
import { copyTriggers } from './copiedTriggers.ts';
import { type FailureKind, simulatedRefusal } from './failures.ts';

export interface AccountCopy extends Servers {
  /** The number of things that were copied so far. */
  size(): CopySize;
  /** The number of IPs of a zone by country, as the copy holds them now. */
  countries(zone: string): ReadonlyMap<string, number>;
  /** Makes the next write fail in this way. */
  failNext(how: FailureKind): void;
  endFailure(): void;
  /** Returns the text with the addresses of the account in place of those of the copy. */
  hideAddresses(text: string): string;
}

export interface CopySize {
  zones: number;
  ips: number;
  managers: number;
  deliveries: number;
  schedules: number;
}

/** Zones are copied now; managers and registrations when they are first read. @throws ProblemError, ServiceError */
export async function copyAccount(config: Config, session: Session): Promise<AccountCopy> {
  const listings = await listZones(config, session);
  const service = listings.size === 0 ? undefined : await copyService(listings, session.client());
  const managers = new Map<string, CopiedManager>();
  const triggers = copyTriggers(session.triggers);
  const countryOf = new Map(
    [...listings.values()].flatMap((zone) => [...zone].map(([ip, { country }]) => [ip, country])),
  );
  const manager = (url: string | undefined) => {
    const real = session.manager(url);
    const copied = managers.get(real.url) ?? copyManager(real);
    managers.set(real.url, copied);
    return copied.manager;
  };
  const emulators = () =>
    [service?.emulator, ...[...managers.values()].map(({ started }) => started())].filter(isThere);
  return {
    client: () => service?.client ?? withoutWrites(session.client()),
    manager,
    triggers: triggers.client,
    size: () => ({
      zones: listings.size,
      ips: countryOf.size,
      managers: [...managers.values()].filter(({ started }) => started() !== undefined).length,
      ...triggers.size(),
    }),
    countries: (zone) => countsOf(listings.has(zone) ? (service?.emulator.ips(zone) ?? []) : [], countryOf),
    failNext(how) {
      triggers.failNext(how);
      for (const emulator of emulators())
        for (const fault of faultsOf(emulator, how, service?.emulator)) emulator.addFault(fault);
    },
    endFailure() {
      triggers.failNext(undefined);
      for (const emulator of emulators()) emulator.clearFaults();
    },
    hideAddresses: (text) =>
      [...managers].reduce(
        (hidden, [url, { started }]) => replaced(hidden, started()?.managerUrl, url),
        replaced(text, service?.emulator.apiUrl, service?.client.origin),
      ),
    async close() {
      await service?.close();
      await Promise.all([...managers.values()].map((each) => each.close()));
    },
  };
}

/** Returns the client of the account for reads: a copy never writes to the account. */
function withoutWrites(client: Client): Client {
  const migrate = () => {
    throw new TypeError('a simulation writes to the copy only');
  };
  return { ...client, zones: { ...client.zones, migrate } };
}

/**
 * Lists every zone that the declaration names. Leaves out zones that do not exist, so that the copy lacks them too. Returns nothing if the
 * service cannot be read: the plan on the copy then fails as the plan on the account did.
 */
async function listZones({ declared }: Config, session: Session): Promise<Listings> {
  const names = kinds.flatMap((kind) => {
    const specs = declared.filter(({ definition }) => definition === kind).map(({ spec }) => spec);
    return specs.length === 0 ? [] : [...(kind.zoneClaims?.(specs).zones.keys() ?? [])];
  });
  const { account } = session.withFreshAccount();
  const listed = await Promise.allSettled([...new Set(names)].map((zone) => account.list([zone])));
  const listings: [string, Listing][] = [];
  for (const result of listed) {
    if (result.status === 'fulfilled') listings.push(...result.value);
    else if (!(result.reason instanceof ServiceError)) throw result.reason;
    else if (result.reason.code !== 'not-found') return new Map();
  }
  return new Map(listings);
}

async function copyService(
  listings: Listings,
  real: Client,
): Promise<{ emulator: Emulator; client: Client; close(): Promise<void> }> {
  const zones = [...listings].map(([zone, listing]) => {
    const ips = [...listing].map(([ip, { country }]) => {
      const countries: [string, string, string, string] = [country, country, country, country];
      return { ip, countries };
    });
    return [zone, { ips }] as const;
  });
  const emulator = await startCopy(() => startEmulator({ id: 'hl_copy', zones: Object.fromEntries(zones) }));
  const { migrateBatchLimit } = real.profile;
  const client = createClient({ url: emulator.apiUrl, apiKey: emulator.keys.admin, profile: { migrateBatchLimit } });
  return {
    emulator,
    client: { ...client, origin: real.origin },
    async close() {
      await client.close();
      await emulator.close();
    },
  };
}

/** @throws ProblemError if the emulator refuses what was read, such as an IP that two zones list */
async function startCopy(start: () => Promise<Emulator>): Promise<Emulator> {
  try {
    return await start();
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    const [first] = error.problems;
    const found = `the live account cannot be copied: ${first?.found}`;
    throw new ProblemError([{ code: 'copy-failed', found, fix: 'run it again when no moves are under way' }]);
  }
}

/** The routes that write, and the fault of each. */
function faultsOf(emulator: Emulator, how: FailureKind, service: Emulator | undefined) {
  if (how === 'killed') return [];
  const routes = emulator === service ? ['zone/ips/migrate'] : ['settings/put', 'proxies/delete'];
  const fault =
    how === 'refused'
      ? ({ kind: 'status', status: 400, body: { error: simulatedRefusal } } as const)
      : ({ kind: 'drop-after' } as const);
  return routes.map((route) => ({ route, occurrence: 1, fault }));
}

function countsOf(ips: readonly string[], countryOf: ReadonlyMap<string, string>): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const ip of ips) {
    const country = countryOf.get(ip) ?? '';
    counts.set(country, (counts.get(country) ?? 0) + 1);
  }
  return counts;
}

function replaced(text: string, from: string | undefined, to: string | undefined): string {
  return from === undefined || to === undefined ? text : text.replaceAll(from, to);
}

function isThere<Value>(value: Value | undefined): value is Value {
  return value !== undefined;
}
