/** Controls of a running emulator: changes that no client makes. The admin route (`admin.ts`) offers the same over HTTP. */
import { z } from 'zod';
import { didYouMean } from '../../base/diagnostics/nearest.ts';
import { type Problem, ProblemError } from '../../base/diagnostics/problem.ts';
import { listValues } from '../../base/diagnostics/zodDescribe.ts';
import { type Account, portSchema, type ZoneIps, zoneIpsSchema } from '../account/account.ts';
import { parseOrThrow } from '../account/accountFile.ts';
import { addressesOf } from '../account/zoneAddresses.ts';
import { type EmulatedSettings, settingsSchema } from '../core/emulatedManager.ts';
import { type FaultInput, type FaultRule, faultRuleSchema } from '../core/faults.ts';
import type { Role } from '../core/permissions.ts';
import type { Job, JobState } from '../core/runs.ts';
import { secretsOf, type World, worldAccount } from '../core/world.ts';
import type { Emulation } from '../http/exchange.ts';
import { redact } from '../http/redact.ts';
import type { LoggedRequest } from '../http/requestLog.ts';
import type { DeliveryReport } from '../jobs/deliveries.ts';

export interface JobReport {
  id: string;
  /** Id of the collector or dataset. */
  of: string;
  /** `cancelled` jobs have no result, because another job replaced them. */
  state: JobState;
  /** Name from the trigger. */
  name?: string;
}

/**
 * Controls of an emulator. They throw a `ProblemError` for wrong arguments. Changes take effect with the next request, and listings do
 * not lag behind them.
 */
export interface Controls {
  /** Returns the addresses that a zone actually holds, even if a listing lags. */
  ips(zone: string): string[];
  /** Returns the zone that actually holds an IP, or undefined. */
  zoneOf(ip: string): string | undefined;
  /** Moves IPs from any zone. */
  move(ips: readonly string[], to: string): void;
  /** Adds IPs that are in no zone, written as in an account file: `{us: ['192.0.2.10-192.0.2.40']}`. */
  addIps(zone: string, ips: ZoneIps): void;
  removeIps(ips: readonly string[]): void;

  /** Returns the manager's settings under the specification's names, password included. */
  settings(): EmulatedSettings;
  /** Sets any fields of the settings, including those that no client may set. */
  setSettings(patch: Partial<EmulatedSettings>): void;
  ports(): number[];
  setPorts(ports: readonly number[]): void;

  /** Gives the role's key a new value and returns it. The old value stops working immediately. */
  refreshKey(role: Role): string;
  /** Makes the role's key expire now. */
  expireKey(role: Role): void;

  /** Returns the jobs of collectors and datasets, oldest first. */
  runs(): JobReport[];
  /** Makes a building job ready now. */
  finishRun(id: string): void;
  /** Returns the deliveries and notifications, oldest first. */
  deliveries(): DeliveryReport[];

  addFault(fault: FaultInput): void;
  faults(): FaultRule[];
  clearFaults(): void;

  /** Returns the last 10,000 requests of all servers, oldest first. */
  requests(): LoggedRequest[];
  clearRequests(): void;
  /** Returns the current account, with keys and passwords redacted. */
  state(): Account;
}

export function createControls({ world, faults, log }: Emulation, routeNames: readonly string[]): Controls {
  const { manager, keyring, clock, runs, deliveries } = world;
  const ruleSchema = faultRuleSchema(routeNames);
  return {
    ...ipControls(world),
    settings: () => manager.settings(),
    setSettings(patch) {
      // The result is ignored: a partial schema fills in defaults for missing fields.
      parseOrThrow(settingsSchema.partial(), patch);
      manager.set(Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined)));
    },
    ports: () => manager.ports(),
    setPorts: (ports) => manager.setPorts(parseOrThrow(z.array(portSchema), ports)),
    refreshKey: (role) => keyring.refresh(role),
    expireKey: (role) => keyring.expire(role, clock()),
    runs: () =>
      runs.all().map((run) => {
        const { id, of, name } = run;
        return { id, of, state: runs.stateOf(run), ...(name !== undefined && { name }) };
      }),
    finishRun: (id) => runs.finish(requiredRun(world, id)),
    deliveries: () => deliveries.reports(),
    addFault: (fault) => faults.add(parseOrThrow(ruleSchema, fault)),
    faults: () => faults.all(),
    clearFaults: () => faults.clear(),
    requests: () => log.all(),
    clearRequests: () => log.clear(),
    state: () => redact(worldAccount(world), secretsOf(world)) as Account,
  };
}

function ipControls({ inventory, zones }: World): Pick<Controls, 'ips' | 'zoneOf' | 'move' | 'addIps' | 'removeIps'> {
  const requireZone = (zone: string) => {
    if (!inventory.hasZone(zone)) throw new ProblemError([unknownZone(zone, [...zones.keys()])]);
  };
  const requireKnown = (ips: readonly string[]) => {
    const unknown = ips.filter((ip) => inventory.zoneOf(ip) === undefined);
    if (unknown.length > 0) throw new ProblemError([unknownIps(unknown)]);
  };
  return {
    ips(zone) {
      requireZone(zone);
      return inventory.contents(zone).map(({ ip }) => ip);
    },
    zoneOf: (ip) => inventory.zoneOf(ip),
    move(ips, to) {
      requireZone(to);
      requireKnown(ips);
      inventory.relocate(ips, to);
    },
    addIps(zone, ips) {
      requireZone(zone);
      const addresses = [...addressesOf(parseOrThrow(zoneIpsSchema, ips))];
      const taken = addresses.filter(({ ip }) => inventory.zoneOf(ip) !== undefined).map(({ ip }) => ip);
      if (taken.length > 0) throw new ProblemError([takenIps(taken)]);
      inventory.add(zone, addresses);
    },
    removeIps(ips) {
      requireKnown(ips);
      inventory.remove(ips);
    },
  };
}

function requiredRun({ runs }: World, id: string): Job {
  const run = runs.find(id);
  if (run !== undefined) return run;
  // Ids are random, so there is no similar one to suggest.
  const allowed = listValues(runs.all().map((each) => each.id));
  throw new ProblemError([{ code: 'unknown-run', found: `job \`${id}\` does not exist`, allowed }]);
}

function unknownZone(name: string, names: readonly string[]): Problem {
  const fix = didYouMean(name, names);
  return {
    code: 'unknown-zone',
    found: `zone \`${name}\` does not exist`,
    allowed: listValues(names),
    ...(fix && { fix }),
  };
}

function unknownIps(ips: readonly string[]): Problem {
  return {
    code: 'unknown-ip',
    found: `no zone holds ${ips.join(', ')}`,
    allowed: 'IPs of the account',
    fix: 'add them to a zone first',
  };
}

function takenIps(ips: readonly string[]): Problem {
  return {
    code: 'ip-declared-twice',
    found: `a zone already holds ${ips.join(', ')}`,
    allowed: 'IPs that no zone holds',
    fix: 'move them instead',
  };
}
