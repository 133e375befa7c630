/** A copy of the live account on emulators in this process. It is built from reads, and nothing is sent to the account but reads. */

import { ProblemError } from '../../base/diagnostics/problem.ts';
import { type Client, createClient } from '../../client/client.ts';
import { ServiceError } from '../../client/errors.ts';
import type { ZoneIps } from '../../emulator/account/account.ts';
import { type Emulator, startEmulator } from '../../emulator/index.ts';
import type { Config } from '../../engine/declaration/config.ts';
import type { Servers, Session } from '../../engine/run/sessionViews.ts';
import { accountView, type Listing, type Listings } from '../../kinds/accountView.ts';
import type { Call } from '../../kinds/call.ts';
import { declaredZones } from '../../kinds/declaredZones.ts';
import type { ZoneInventory } from '../../kinds/kind.ts';
import { type CopiedManager, copyManager } from './copiedManager.ts';
import { copyTriggers } from './copiedTriggers.ts';
import { type FailureKind, simulatedRefusal } from './failures.ts';
import { ZoneCounts } from './zoneCounts.ts';

export interface AccountCopy extends Servers {
  /** The number of things that were copied so far. */
  size(): CopySize;
  /** Must be called before a call. Returns a function that compares the zones that the call may have changed. */
  before(call: Call): () => ZoneInventory[];
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
  const counts = new ZoneCounts(listings, (ip) => service?.emulator.zoneOf(ip));
  const ips = [...listings.values()].reduce((sum, { size }) => sum + size, 0);
  const manager = (url: string | undefined) => {
    const real = session.manager(url);
    const copied = managers.get(real.url) ?? copyManager(real);
    managers.set(real.url, copied);
    return copied.manager;
  };
  const emulators = () =>
    [service?.emulator, ...[...managers.values()].map(({ started }) => started())].filter((each) => each !== undefined);
  return {
    client: () => service?.client ?? withoutWrites(session.client()),
    manager,
    triggers: triggers.client,
    size: () => ({
      zones: listings.size,
      ips,
      managers: [...managers.values()].filter(({ started }) => started() !== undefined).length,
      ...triggers.size(),
    }),
    before: (call) => counts.before(call),
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
  const account = session.withFreshAccount().view(accountView);
  const listed = await Promise.allSettled(declaredZones(declared).map((zone) => account.list([zone])));
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
  const zones = [...listings].map(([zone, listing]) => [zone, { ips: ipsByCountry(listing) }] as const);
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

/** Returns the IPs of a zone as an account file has them. IPs without a country need the longer form, which takes more memory. */
function ipsByCountry(listing: Listing): ZoneIps {
  const byCountry = Map.groupBy(listing, ([, { country }]) => country);
  const ips = [...byCountry].map(([country, entries]) => [country, entries.map(([ip]) => ip)] as const);
  if (!byCountry.has('')) return Object.fromEntries(ips);
  return ips.flatMap(([country, its]) =>
    its.map((ip) => (country === '' ? { ip, countries: nowhere } : { ip, country })),
  );
}

const nowhere: [string, string, string, string] = ['', '', '', ''];

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

function replaced(text: string, from: string | undefined, to: string | undefined): string {
  return from === undefined || to === undefined ? text : text.replaceAll(from, to);
}
