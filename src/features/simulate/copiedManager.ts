/** A copy of a proxy manager: its settings and ports as they were read, on an emulator. */

import { createManager, type Manager } from '../../client/areas/manager/manager.ts';
import { knownSettings, type ManagerSettingsWire } from '../../client/areas/manager/settings.ts';
import { type Emulator, startEmulator } from '../../emulator/index.ts';

export interface CopiedManager {
  manager: Manager;
  /** The emulator; undefined until the manager is first read. */
  started(): Emulator | undefined;
  close(): Promise<void>;
}

interface Started {
  emulator: Emulator;
  manager: Manager;
  /** Settings that the live manager does not show, with their values until they are set: null, or undefined for none. */
  unseen: Map<string, unknown>;
  hidesPorts: boolean;
}

/** Reads the live manager when the copy is first used. */
export function copyManager(real: Manager): CopiedManager {
  let starting: Promise<Started> | undefined;
  let emulator: Emulator | undefined;
  const start = () => {
    starting ??= startCopy(real).then((started) => {
      emulator = started.emulator;
      return started;
    });
    // A manager that cannot be read is read again by the next resource, as the live one would be.
    starting.catch(() => {
      starting = undefined;
    });
    return starting;
  };
  const manager: Manager = {
    url: real.url,
    callerAddress: real.callerAddress,
    inferredProfile: real.inferredProfile,
    recentStats: async (options) => (await start()).manager.recentStats(options),
    async readSettings(options) {
      const { manager: copy, unseen } = await start();
      const { settings, by } = await copy.readSettings(options);
      return { settings: withoutUnseen(settings, unseen), by };
    },
    async updateSettings(patch, options) {
      const { manager: copy, unseen } = await start();
      try {
        return await copy.updateSettings(patch, options);
      } finally {
        for (const name of Object.keys(patch)) unseen.delete(name);
      }
    },
    async deletePorts(ports, options) {
      await (await start()).manager.deletePorts(ports, options);
    },
    async ports(options) {
      const { manager: copy, hidesPorts } = await start();
      return hidesPorts ? null : copy.ports(options);
    },
    async close() {},
  };
  return {
    manager,
    started: () => emulator,
    async close() {
      const started = await starting?.catch(() => undefined);
      await started?.manager.close();
      await started?.emulator.close();
    },
  };
}

async function startCopy(real: Manager): Promise<Started> {
  const { settings } = await real.readSettings();
  const ports = await real.ports();
  const isSeen = ([name]: [string, unknown]) => settings[name] !== undefined && settings[name] !== null;
  const [seen, unseen] = [known.filter(isSeen), known.filter((setting) => !isSeen(setting))];
  const copied = Object.fromEntries(seen.map(([name, { wire }]) => [wire, settings[name]]));
  const emulator = await startEmulator({ id: 'hl_copy', manager: { settings: copied, ports: ports ?? [] } });
  return {
    emulator,
    manager: createManager({ url: emulator.managerUrl }),
    unseen: new Map(unseen.map(([name]) => [name, settings[name]])),
    hidesPorts: ports === null,
  };
}

const known = Object.entries(knownSettings);

function withoutUnseen(settings: ManagerSettingsWire, unseen: ReadonlyMap<string, unknown>): ManagerSettingsWire {
  const shown = Object.entries(settings).flatMap(([name, value]): [string, unknown][] => {
    if (!unseen.has(name)) return [[name, value]];
    const hidden = unseen.get(name);
    return hidden === undefined ? [] : [[name, hidden]];
  });
  return Object.fromEntries(shown);
}
