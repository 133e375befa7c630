/** Compares settings by meaning: the order, the repetition and the spelling of addresses in an allow list do not matter. */
import {
  type ManagerSettingsPatch,
  type ManagerSettingsWire,
  type SettingName,
  settingNames,
  settingOf,
} from '../../client/areas/manager/settings.ts';
import { canonicalEntry } from '../seam/addresses.ts';
import { asSet } from '../seam/changes.ts';
import type { Properties } from '../seam/kind.ts';

type Declared = ManagerSettingsPatch & { ignoreChanges?: readonly string[] };

/** The declared fields in one spelling; entries that the manager has fixed count as present and are not written. */
export function wantedSettings(declared: Declared, live: ManagerSettingsWire): ManagerSettingsPatch {
  return comparable(pick(declared, declaredNames(declared)), live);
}

/** Returns the declared fields that the manager does not show, or not in a form that can be read and compared. */
export function unseenSettings(declared: Declared, live: ManagerSettingsWire): SettingName[] {
  return declaredNames(declared).filter((name) => live[name] === undefined);
}

/** Returns the names of the declared fields, without those to leave alone. */
function declaredNames({ ignoreChanges, ...declared }: Declared): SettingName[] {
  return settingNames.filter((name) => declared[name] !== undefined && !ignoreChanges?.includes(name));
}

/** The live fields, spelled like the declared ones. */
export function liveSettings(live: ManagerSettingsWire): ManagerSettingsPatch {
  const set = settingNames.filter((name) => live[name] !== undefined && live[name] !== null);
  return comparable(Object.fromEntries(set.map((name) => [name, live[name]])), live);
}

function comparable(settings: ManagerSettingsPatch, live: ManagerSettingsWire): ManagerSettingsPatch {
  const entries = Object.entries(settings).map(([name, value]) => {
    if (!Array.isArray(value)) return [name, value];
    const fixed = fixedEntries(name as SettingName, live);
    return [name, distinct(value).filter((entry) => !fixed.includes(entry))];
  });
  return Object.fromEntries(entries);
}

/** Returns the entries of an allow list that the manager has fixed. */
function fixedEntries(name: SettingName, live: ManagerSettingsWire): string[] {
  const { fixedBy } = settingOf(name);
  return distinct((fixedBy && live[fixedBy]) ?? []);
}

function distinct(entries: readonly string[]): string[] {
  return [...new Set(entries.map(spelling))];
}

/** Managers may hold entries that are not networks, such as host names. These are compared as text. */
function spelling(entry: string): string {
  return canonicalEntry(entry) ?? entry.trim().toLowerCase();
}

export function differingSettings(wanted: ManagerSettingsPatch, live: ManagerSettingsPatch): SettingName[] {
  return settingNames.filter((name) => wanted[name] !== undefined && !sameSetting(wanted[name], live[name]));
}

type Value = ManagerSettingsPatch[SettingName];

function sameSetting(a: Value, b: Value): boolean {
  if (!Array.isArray(a) || !Array.isArray(b)) return a === b;
  const other = new Set<string>(b);
  return a.length === other.size && a.every((entry) => other.has(entry));
}

/** Returns the declared fields with the live values of those that differ. Lists keep the order and the spelling of their entries. */
export function acceptedSettings(
  written: Properties,
  spec: Declared & { absentPorts?: readonly number[] | undefined },
  { settings, ports }: { settings: ManagerSettingsWire; ports: readonly number[] | null },
): Properties {
  const live = liveSettings(settings);
  const differing = differingSettings(wantedSettings(spec, settings), live);
  const accepted = differing.map((name) => {
    return [name, acceptedValue(spec[name], live[name], fixedEntries(name, settings))];
  });
  const isIgnored = spec.ignoreChanges?.includes('absentPorts');
  const absentPorts = isIgnored ? spec.absentPorts : spec.absentPorts?.filter((port) => !ports?.includes(port));
  return { ...written, ...Object.fromEntries(accepted), ...(absentPorts && { absentPorts }) };
}

function acceptedValue(declared: Value, live: Value, fixed: readonly string[]): Value {
  if (!Array.isArray(declared) || !Array.isArray(live)) return live;
  const present = new Set([...live, ...fixed]);
  const stay = declared.filter((entry) => present.has(spelling(entry)));
  const known = new Set(stay.map(spelling));
  return [...stay, ...live.filter((entry) => !known.has(entry))];
}

export function pick(settings: ManagerSettingsPatch, names: readonly SettingName[]): ManagerSettingsPatch {
  return Object.fromEntries(names.filter((name) => settings[name] !== undefined).map((name) => [name, settings[name]]));
}

/** Returns equal values for equal settings: fields and the entries of lists in one order. */
export function inOrder(settings: ManagerSettingsPatch): unknown[] {
  const sorted = (value: Value) => (Array.isArray(value) ? [...new Set(value)].toSorted() : (value ?? null));
  return settingNames.map((name) => sorted(settings[name]));
}

/** Converts lists to sets, for a comparison property by property. */
export function asProperties(settings: ManagerSettingsPatch): object {
  const entries = Object.entries(settings).map(([name, value]) => [name, Array.isArray(value) ? asSet(value) : value]);
  return Object.fromEntries(entries);
}
