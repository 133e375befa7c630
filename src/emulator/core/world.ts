/**
 * State of a running account: its zones, keys and manager, independent of HTTP. The areas of the service (such as `../areas/zones.ts`)
 * read and change it; `worldAccount` converts it back to an account.
 */
import type { Account } from '../account/account.ts';
import { addressesOf } from '../account/zoneAddresses.ts';
import type { Dialect } from '../dialect/dialect.ts';
import { Deliveries } from '../jobs/deliveries.ts';
import { EmulatedManager } from './emulatedManager.ts';
import { type Address, Inventory } from './inventory.ts';
import { type ApiKey, Keyring, randomKey } from './keyring.ts';
import { permissions } from './permissions.ts';
import { Runs } from './runs.ts';

type ZoneFacts = Omit<Account['zones'][string], 'ips' | 'password'> & { password: string };

export interface World {
  /** The account as it was at the start. */
  readonly account: Omit<Account, 'zones'>;
  readonly dialect: Dialect;
  readonly clock: () => Date;
  readonly users: readonly string[];
  readonly keyring: Keyring;
  /** Zones without their IPs, which are in `inventory`. */
  readonly zones: ReadonlyMap<string, ZoneFacts>;
  readonly inventory: Inventory;
  readonly manager: EmulatedManager;
  readonly runs: Runs;
  readonly deliveries: Deliveries;
}

/** Creates the world of an account. `closing` is aborted when the emulator closes. */
export function createWorld({ zones, ...account }: Account, clock: () => Date, closing: AbortSignal): World {
  const runs = new Runs(clock, account.maxConcurrent);
  const keys = withEveryRole(account.apiKeys.map((key) => ({ ...key, value: key.value ?? randomKey() })));
  const { settings, ports, silentlyDrops } = account.manager;
  return {
    account,
    dialect: account.dialect,
    clock,
    users: [...new Set([...account.users, ...keys.map(({ user }) => user)])],
    keyring: new Keyring(keys),
    zones: new Map(Object.entries(zones).map(([name, zone]) => [name, factsOf(zone)])),
    inventory: fillInventory(zones, clock),
    manager: new EmulatedManager({ ...settings, customer: settings.customer ?? account.id }, ports, silentlyDrops),
    runs,
    deliveries: new Deliveries({ runs, account, closing }),
  };
}

/** Returns the current account, secrets included. */
export function worldAccount({ account, users, keyring, zones, inventory, manager }: World): Account {
  const liveZones = [...zones].map(([name, facts]) => [name, { ...facts, ips: inventory.contents(name).map(toEntry) }]);
  return {
    ...account,
    users: [...users],
    apiKeys: keyring.all().map((key) => ({ ...key })),
    zones: Object.fromEntries(liveZones),
    manager: { ...account.manager, settings: manager.settings(), ports: manager.ports() },
  };
}

/** Returns the values that must never be shown: bearer tokens and passwords. */
export function secretsOf({ account, keyring, zones, manager }: World): string[] {
  const keys = keyring.all().map(({ value }) => value);
  const passwords = [...zones.values()].map(({ password }) => password);
  return [...keys, ...passwords, manager.password, account.manager.token ?? ''];
}

function toEntry({ ip, countries }: Address): { ip: string; countries: [string, string, string, string] } {
  return { ip, countries: [...countries] };
}

function factsOf({ ips: _, ...facts }: Account['zones'][string]): ZoneFacts {
  return { ...facts, password: facts.password ?? randomKey() };
}

function fillInventory(zones: Account['zones'], clock: () => Date): Inventory {
  const inventory = new Inventory(clock);
  for (const [name, { ips }] of Object.entries(zones)) {
    inventory.addZone(name);
    inventory.add(name, addressesOf(ips));
  }
  return inventory;
}

function withEveryRole(keys: ApiKey[]): ApiKey[] {
  const missing = permissions.filter((permission) => keys.every((key) => key.permission !== permission));
  const generated = missing.map((permission) => ({
    user: `emulator-${permission.toLowerCase()}`,
    permission,
    expiration: 'unlimited',
    value: randomKey(),
  }));
  return [...keys, ...generated];
}
