/** The copy of a proxy manager holds every setting of the table, so that a simulated plan is the plan of the live manager. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Manager } from '../../../src/client/areas/manager/manager.ts';
import {
  knownSettings,
  type ManagerSettingsWire,
  type SettingName,
  settingNames,
  settingOf,
} from '../../../src/client/areas/manager/settings.ts';
import { type CopiedManager, copyManager } from '../../../src/features/simulate/copiedManager.ts';

const values = { text: 'live', count: 7, flag: true, addresses: ['192.0.2.1'] };
const live: ManagerSettingsWire = Object.fromEntries(
  Object.entries(knownSettings).map(([name, { type }]) => [name, values[type]]),
);

function copyOf(settings: ManagerSettingsWire): CopiedManager {
  const real: Partial<Manager> = {
    url: 'http://127.0.0.1:22999',
    readSettings: async () => ({ settings, by: 'get' }),
    ports: async () => [24000],
  };
  return copyManager(real as Manager);
}

let copied: CopiedManager;
let hiding: CopiedManager;

beforeAll(() => {
  copied = copyOf(live);
  hiding = copyOf({ zone: 'checkout' });
});

afterAll(async () => {
  await copied.close();
  await hiding.close();
});

it('shows what the live manager shows', async () => {
  expect((await copied.manager.readSettings()).settings).toEqual(live);
  expect(await copied.manager.ports()).toEqual([24000]);
  expect((await hiding.manager.readSettings()).settings).toEqual({ zone: 'checkout' });
});

it.each(settingNames)('takes an update of %s, also where the live manager does not show it', async (name) => {
  for (const { manager } of [copied, hiding]) {
    const set = otherValue(name);
    await manager.updateSettings({ [name]: set });
    expect((await manager.readSettings()).settings[name]).toEqual(set);
  }
});

function otherValue(name: SettingName): unknown {
  const { type, example } = settingOf(name);
  return type === 'flag' ? !values.flag : example;
}
