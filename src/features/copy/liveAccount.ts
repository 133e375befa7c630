/** Reads what a copy of the live account holds. Sends reads only, and takes no key, no password and no other secret. */

import { knownSettings, type ManagerSettingsWire } from '../../client/areas/manager/settings.ts';
import { ServiceError } from '../../client/errors.ts';
import type { ServiceProfile } from '../../client/profile.ts';
import type { AccountInput } from '../../emulator/index.ts';
import { reachableOwner } from '../../engine/doors/connection.ts';
import type { Config } from '../../engine/doors/declaration.ts';
import { liveZones, type Session } from '../../engine/doors/session.ts';
import { declaredManagers } from '../../kinds/declaredManagers.ts';
import { declaredZones } from '../../kinds/declaredZones.ts';
import { accountView, type Listing } from '../../kinds/seam/accountView.ts';
import type { OwnerRecords } from '../../triggers/api/records.ts';

type Dialect = NonNullable<AccountInput['dialect']>;

export interface CopiedManager {
  manager: NonNullable<AccountInput['manager']>;
  /** Hides the ports of a manager that does not show them. */
  dialect: Dialect;
}

export interface CopiedAccount {
  /** The zones, with their IPs and recent callers; undefined if no service is configured. */
  zones: NonNullable<AccountInput['zones']> | undefined;
  /** The managers, by URL: the default one is the first. */
  managers: ReadonlyMap<string, CopiedManager>;
  /** The names that the profile pins, so that it fits the copy too. */
  dialect: Dialect;
  registrations: { owner: string; records: OwnerRecords } | undefined;
}

/** @throws ProblemError, ServiceError if a server cannot be read: a rehearsal would not be one of the whole account */
export async function readLiveAccount(config: Config, session: Session): Promise<CopiedAccount> {
  const owner = reachableOwner(config);
  return {
    zones: config.service.url === undefined ? undefined : await readZones(config, session),
    dialect: dialectOf(config.service.profile),
    managers: new Map(await Promise.all(declaredManagers(config).map((url) => readManager(url, session)))),
    registrations: owner === undefined ? undefined : { owner, records: await session.triggers().records(owner) },
  };
}

async function readZones({ declared, service }: Config, session: Session): Promise<CopiedAccount['zones']> {
  const recent = await session.client().zones.recentIps('*');
  const live = await liveZones(session);
  const names = [...new Set([...declaredZones(declared), ...live.names])];
  const account = session.view(accountView);
  const failed = await account.failures(names);
  for (const reason of failed.values()) {
    // A declared zone that does not exist is missing in the copy, too.
    if (!(reason instanceof ServiceError && reason.code === 'not-found')) throw reason;
  }
  const listings = await account.list(names.filter((name) => !failed.has(name)));
  const zones = [...listings].map(([name, listing]) => {
    const type = service.zoneTypes?.[name] ?? live.types[name];
    return [name, { ips: ipsByCountry(listing), recentIps: recent[name] ?? [], ...(type && { type }) }] as const;
  });
  return Object.fromEntries(zones);
}

type ZoneIps = NonNullable<NonNullable<AccountInput['zones']>[string]['ips']>;

/** Returns the IPs of a zone as an account file has them. IPs without a country need the longer form, which takes more memory. */
function ipsByCountry(listing: Listing): ZoneIps {
  const byCountry = Map.groupBy(listing, ([, { country }]) => country);
  const ips = [...byCountry].map(([country, entries]) => [country, entries.map(([ip]) => ip)] as const);
  if (!byCountry.has('')) return Object.fromEntries(ips);
  return ips.flatMap(([country, addresses]) =>
    addresses.map((ip) => (country === '' ? { ip, countries: nowhere } : { ip, country })),
  );
}

const nowhere: [string, string, string, string] = ['', '', '', ''];

async function readManager(url: string, session: Session) {
  const manager = session.manager(url);
  const { settings } = await manager.readSettings();
  const ports = await manager.ports();
  const copied: CopiedManager = {
    manager: { settings: settingsOf(settings), ports: ports ?? [] },
    dialect: ports === null ? { recentStats: 'totals' } : {},
  };
  return [url, copied] as const;
}

function dialectOf({ geolocation, perCountrySwitch: { name, value }, manager }: ServiceProfile): Dialect {
  const { countryDatabase, first = countryDatabase, others = [] } = geolocation;
  const keys = [first, ...others, 'geo_db_2', 'geo_db_3', 'geo_db_4'].slice(0, 4);
  const { route } = manager.ports;
  return {
    ...(first !== undefined && { geoKeys: keys as Dialect['geoKeys'] }),
    perCountrySwitch: { name, value },
    ...(route !== undefined && { portsRoute: route }),
  };
}

/** Returns the known settings under the names of the specification. */
function settingsOf(settings: ManagerSettingsWire): Record<string, unknown> {
  const known = Object.entries(knownSettings).flatMap(([name, { wire }]): [string, unknown][] => {
    const value = settings[name];
    return value === undefined || value === null ? [] : [[wire, value]];
  });
  return Object.fromEntries(known);
}
