/**
 * What a test or a person does to a running emulator behind the tool's back: its direct methods. The admin route
 * (`admin.ts`) offers the same over HTTP.
 */
import { z } from 'zod';
import { ProblemError } from '../../diagnostics/problem.ts';
import { type Account, portSchema, type ZoneIps, zoneIpsSchema } from '../account/account.ts';
import { parseOrThrow } from '../account/parse.ts';
import { type FaultInput, type FaultRule, faultRuleSchema } from '../core/faults.ts';
import type { Role } from '../core/keyring.ts';
import { type ManagerSettings, settingsSchema } from '../core/manager.ts';
import type { Run, RunState } from '../core/runs.ts';
import { addressesOf, secretsOf, worldAccount } from '../core/world.ts';
import type { Emulation } from '../http/exchange.ts';
import { redact } from '../http/redact.ts';
import type { LoggedRequest } from '../http/requestLog.ts';
import type { DeliveryReport } from '../jobs/deliveries.ts';
import { filledInputs } from '../jobs/runInputs.ts';
import { sourceOf } from '../jobs/runSchemas.ts';
import { takenIps, unfitInputs, unknownIps, unknownName, unknownRun } from './controlProblems.ts';

export interface RunReport {
  id: string;
  /** The collector or dataset. */
  of: string;
  /** `cancelled` has no result: another run took its place. */
  state: RunState;
  /** As the trigger named it. */
  name?: string;
  isRealTime?: true;
  /** The part of its rows that it got to before its longest time was over, where that is not all. */
  share?: number;
  /** Why its answer broke off. */
  problem?: string;
}

/** Wrong arguments are `ProblemError`s. Changes are seen by the very next request; listings do not lag for them. */
export interface Controls {
  /** The addresses that a zone really holds, whatever a listing shows. */
  ips(zone: string): string[];
  /** Moves IPs from wherever they are. */
  move(ips: readonly string[], to: string): void;
  /** Adds IPs that no zone holds, written as in an account file: `{us: ['192.0.2.10-192.0.2.40']}`. */
  addIps(zone: string, ips: ZoneIps): void;
  removeIps(ips: readonly string[]): void;

  /** The manager's settings under the specification's names, password included. */
  settings(): ManagerSettings;
  /** Sets any fields of the settings, also those that no client may set. */
  setSettings(patch: Partial<ManagerSettings>): void;
  ports(): number[];
  setPorts(ports: readonly number[]): void;

  /** Gives the role's key a new value and returns it; the old one stops at once. */
  refreshKey(role: Role): string;
  /** Lets the role's key expire now. */
  expireKey(role: Role): void;

  /** Runs of collectors and datasets, oldest first; without a state file those before the last start are forgotten. */
  runs(): RunReport[];
  /**
   * Runs a collector in real time and returns the id of the run: its result is kept for 7 days. The specification does not
   * show how a client does it.
   */
  realTimeRun(run: { collector: string; inputs: readonly Record<string, unknown>[] }): string;
  /** Makes a run that builds ready now. */
  finishRun(id: string): void;
  /** Lets the results of a run expire now. */
  expireRun(id: string): void;
  /** What came of the deliveries and notifications, oldest first. */
  deliveries(): DeliveryReport[];

  addFault(fault: FaultInput): void;
  faults(): FaultRule[];
  clearFaults(): void;

  /** The last 10,000 requests of all servers, oldest first. */
  requests(): LoggedRequest[];
  clearRequests(): void;
  /** The account as it is now, with keys and passwords redacted. */
  state(): Account;
}

export function createControls(emulation: Emulation, routeNames: readonly string[]): Controls {
  return {
    ...ipControls(emulation),
    ...managerControls(emulation),
    ...keyControls(emulation),
    ...runControls(emulation),
    ...faultControls(emulation, routeNames),
    ...logControls(emulation),
  };
}

/** These return before the change is on disk; a write that fails is tried again, and reported, by `close()`. */
const keep = ({ stateFile }: Emulation): void => void stateFile.save().catch(() => undefined);

function ipControls(emulation: Emulation): Pick<Controls, 'ips' | 'move' | 'addIps' | 'removeIps'> {
  const { inventory } = emulation.world;
  const requireZone = (zone: string) => {
    if (!inventory.hasZone(zone)) throw new ProblemError([unknownName('zone', zone, emulation.world.zones.keys())]);
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
    move(ips, to) {
      requireZone(to);
      requireKnown(ips);
      inventory.relocate(ips, to);
      keep(emulation);
    },
    addIps(zone, ips) {
      requireZone(zone);
      const addresses = [...addressesOf(parseOrThrow(zoneIpsSchema, ips))];
      const taken = addresses.filter(({ ip }) => inventory.zoneOf(ip) !== undefined).map(({ ip }) => ip);
      if (taken.length > 0) throw new ProblemError([takenIps(taken)]);
      inventory.add(zone, addresses);
      keep(emulation);
    },
    removeIps(ips) {
      requireKnown(ips);
      inventory.remove(ips);
      keep(emulation);
    },
  };
}

function managerControls(emulation: Emulation): Pick<Controls, 'settings' | 'setSettings' | 'ports' | 'setPorts'> {
  const { manager } = emulation.world;
  return {
    settings: () => manager.settings(),
    setSettings(patch) {
      // Only checked: what a partial schema returns has a default for what the patch leaves out.
      parseOrThrow(settingsSchema.partial(), patch);
      manager.set(Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined)));
      keep(emulation);
    },
    ports: () => manager.ports(),
    setPorts(ports) {
      manager.setPorts(parseOrThrow(z.array(portSchema), ports));
      keep(emulation);
    },
  };
}

function keyControls(emulation: Emulation): Pick<Controls, 'refreshKey' | 'expireKey'> {
  const { keyring, clock } = emulation.world;
  return {
    refreshKey(role) {
      const value = keyring.refresh(role);
      keep(emulation);
      return value;
    },
    expireKey(role) {
      keyring.expire(role, clock());
      keep(emulation);
    },
  };
}

function runControls(
  emulation: Emulation,
): Pick<Controls, 'runs' | 'realTimeRun' | 'finishRun' | 'expireRun' | 'deliveries'> {
  const { account, runs, deliveries } = emulation.world;
  const change = (id: string, how: (run: Run) => void) => {
    const run = runs.find(id);
    if (run === undefined) throw new ProblemError([unknownRun(id, runs.all())]);
    how(run);
    keep(emulation);
  };
  return {
    runs: () => runs.all().map((run) => ({ state: runs.stateOf(run), ...runReport(run) })),
    realTimeRun({ collector, inputs }) {
      const source = sourceOf(account.collectors, collector);
      if (source === undefined)
        throw new ProblemError([unknownName('collector', collector, Object.keys(account.collectors))]);
      const filled = filledInputs(inputs, source.inputs, (found) => new ProblemError([unfitInputs(found, source)]));
      const run = runs.start({ prefix: 'j', of: collector, source, inputs: filled, isRealTime: true });
      keep(emulation);
      return run.id;
    },
    finishRun: (id) => change(id, (run) => runs.finish(run)),
    expireRun: (id) => change(id, (run) => runs.expire(run)),
    deliveries: () => deliveries.reports(),
  };
}

function runReport({ id, of, name, isRealTime, share, problem }: Run): Omit<RunReport, 'state'> {
  return {
    id,
    of,
    ...(name !== undefined && { name }),
    ...(isRealTime && { isRealTime }),
    ...(share < 1 && { share }),
    ...(problem !== undefined && { problem }),
  };
}

function faultControls(
  { faults }: Emulation,
  routeNames: readonly string[],
): Pick<Controls, 'addFault' | 'faults' | 'clearFaults'> {
  const schema = faultRuleSchema(routeNames);
  return {
    addFault: (fault) => faults.add(parseOrThrow(schema, fault)),
    faults: () => faults.all(),
    clearFaults: () => faults.clear(),
  };
}

function logControls({ world, log }: Emulation): Pick<Controls, 'requests' | 'clearRequests' | 'state'> {
  return {
    requests: () => log.all(),
    clearRequests: () => log.clear(),
    state: () => redact(worldAccount(world), secretsOf(world)) as Account,
  };
}
