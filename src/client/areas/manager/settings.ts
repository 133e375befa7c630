/** The settings of a local proxy manager (specification, F1). */
import { z } from 'zod';
import type { Problem } from '../../../base/diagnostics/problem.ts';
import { valueProblems } from '../../../base/diagnostics/zodProblems.ts';
import { once } from '../../../base/values/once.ts';
import { isMapValue } from '../../../base/values/plain.ts';
import { isSecretName } from '../../../base/values/secretName.ts';
import {
  below,
  count,
  flag,
  isEmptyValue,
  type Reader,
  reportedError,
  ShapeFault,
  text,
  type ValuePlace,
} from '../../reading/readers.ts';

/** Reads addresses and networks: a list, a list of objects with an `ip`, or a text with commas. Null is read as an empty list. */
const addresses: Reader<string[]> = (value, at) => {
  if (isEmptyValue(value)) return [];
  if (typeof value === 'string') return value.split(',').map((entry) => entry.trim());
  if (!Array.isArray(value)) throw new ShapeFault(at.path, 'a list of addresses', value);
  return value.map((entry, index) => text(isMapValue(entry) ? entry.ip : entry, below(at, index)));
};

/** For each type of setting: its reader, the schema of values that a manager can hold, and the schema of values that can be set. */
const settingTypes = {
  text: { read: text, held: z.string(), settable: z.string().min(1) },
  count: { read: count, held: z.int(), settable: z.int().min(0) },
  flag: { read: flag, held: z.boolean(), settable: z.boolean() },
  addresses: { read: addresses, held: z.array(z.string()), settable: z.array(z.string().min(1)) },
};

type SettingType = keyof typeof settingTypes;

interface ReadOnlySetting {
  /** Name in the manager's API. */
  wire: string;
  type: SettingType;
}

/** Settings that are never sent. `password` is left out: it is never kept. */
const readOnlySettings = {
  /** Entries of `whitelistIps` that no client can change. */
  fixedWhitelistIps: { wire: 'fixed_whitelist_ips', type: 'addresses' },
  /** The account's customer identifier. */
  customer: { wire: 'customer', type: 'text' },
  readOnly: { wire: 'read_only', type: 'flag' },
  /** The path of the manager's configuration file, on its machine. */
  config: { wire: 'config', type: 'text' },
  /** The URL that the manager tests with. */
  testUrl: { wire: 'test_url', type: 'text' },
  /** The log level. */
  log: { wire: 'log', type: 'text' },
  harLimit: { wire: 'har_limit', type: 'count' },
  dropin: { wire: 'dropin', type: 'flag' },
  pendingIps: { wire: 'pending_ips', type: 'addresses' },
  pendingWwwIps: { wire: 'pending_www_ips', type: 'addresses' },
  zagent: { wire: 'zagent', type: 'flag' },
  syncConfig: { wire: 'sync_config', type: 'flag' },
} as const satisfies Record<string, ReadOnlySetting>;

/** A setting that can be declared and sent. */
interface Setting extends ReadOnlySetting {
  description: string;
  example: unknown;
  /** Name of the read-only list of entries that no client can change: they count as present and are never sent. */
  fixedBy?: 'fixedWhitelistIps';
}

/**
 * The settings that can be set. The client, the declaration, the diff, the call, the JSON Schema, the documentation and the Pulumi
 * inputs all follow from this table: a new setting is one entry here.
 */
const settableSettings = {
  /** The default zone. */
  zone: { wire: 'zone', type: 'text', description: 'The default zone.', example: 'checkout' },
  /** Addresses and networks that may open the admin UI in a browser. */
  wwwWhitelistIps: {
    wire: 'www_whitelist_ips',
    type: 'addresses',
    description: 'Addresses and networks that may open the admin UI in a browser.',
    example: ['10.0.0.5'],
  },
  /** Addresses and networks that may use the proxies by default. */
  whitelistIps: {
    wire: 'whitelist_ips',
    type: 'addresses',
    description: 'Addresses and networks that may use the proxies by default.',
    example: ['10.0.0.0/8'],
    fixedBy: 'fixedWhitelistIps',
  },
  /** The number of request logs that are kept. */
  logs: { wire: 'logs', type: 'count', description: 'The number of request logs that are kept.', example: 1000 },
  /** True if request statistics are kept. */
  requestStats: {
    wire: 'request_stats',
    type: 'flag',
    description: 'True if request statistics are kept.',
    example: true,
  },
} as const satisfies Record<string, Setting>;

export type SettingName = keyof typeof settableSettings;

/** The settings that can be set, in the order in which they are shown. */
export const settingNames = Object.keys(settableSettings) as SettingName[];

/** Returns the definition of a setting. */
export function settingOf(name: SettingName): Setting {
  return settableSettings[name];
}

/** All settings that are read, by the names of the client. */
export const knownSettings = { ...settableSettings, ...readOnlySettings };
type KnownSettings = typeof knownSettings;

type Read<T extends SettingType> = ReturnType<(typeof settingTypes)[T]['read']>;

/**
 * The settings as the manager holds them, without anything secret. A setting that the manager does not show is missing, and one that it
 * has not set is null. Settings that are not known here are kept under their own names.
 */
export type ManagerSettingsWire = { [Name in keyof KnownSettings]?: Read<KnownSettings[Name]['type']> | null } & {
  /** Settings of a form that cannot be read, by their names on the wire. */
  unreadable?: Readonly<Record<string, unknown>>;
  [unknown: string]: unknown;
};

/** Settings to send. A setting that is left out stays unchanged; an empty list clears the setting. */
export type ManagerSettingsPatch = {
  [Name in keyof typeof settableSettings]?: Readonly<Read<KnownSettings[Name]['type']>> | undefined;
};

/** Schemas of the settings as fields of an object, each optional and described. */
type SettingSchemas = {
  [Name in SettingName]: z.ZodOptional<z.ZodType<NonNullable<ManagerSettingsPatch[Name]>>>;
};

/** Returns a schema for each setting: by default one of all values that a manager can hold. */
export function settingSchemas(
  schemaOf: (setting: Setting) => z.ZodType = ({ type }) => settingTypes[type].held,
): SettingSchemas {
  const schemas = settingNames.map((name) => {
    const setting = settingOf(name);
    const schema = schemaOf(setting).optional().describe(setting.description);
    return [name, schema.meta({ examples: [setting.example] })];
  });
  return Object.fromEntries(schemas);
}

/** Returns the schema of the values that can be set. */
export function settableSchema({ type }: Setting): z.ZodType {
  return settingTypes[type].settable;
}

/** Reads the settings object of an answer. @throws ShapeFault for one that has none of the settings */
export const settingsAnswer: Reader<ManagerSettingsWire> = (value, at) => {
  const settings = settingsOrNothing(value, at);
  if (settings !== undefined) return settings;
  throw new ShapeFault(at.path, 'the settings of a manager', value);
};

/** Reads the answer to an update. The update took effect unless the answer is an error. */
export const updateAnswer: Reader<ManagerSettingsWire> = (value, at) => {
  if (reportedError(value) !== undefined) throw new ShapeFault(at.path, 'the settings of a manager', value);
  const settings = settingsOrNothing(value, at);
  if (settings === undefined) at.misfits.add(at.path, value, 'the settings of a manager');
  return settings ?? {};
};

function settingsOrNothing(value: unknown, at: ValuePlace): ManagerSettingsWire | undefined {
  if (!isMapValue(value)) return undefined;
  const known = Object.entries(knownSettings).filter(([, { wire }]) => Object.hasOwn(value, wire));
  if (known.length === 0) return undefined;
  const wires = new Set<string>(known.map(([, { wire }]) => wire));
  const settings = Object.fromEntries(
    Object.entries(value).filter(([wire]) => !wires.has(wire) && !isSecretName(wire)),
  );
  const unreadable: Record<string, unknown> = {};
  for (const [name, { wire, type }] of known) {
    const setting = settingIn(value[wire], settingTypes[type].read, below(at, wire));
    if (setting === undefined) unreadable[wire] = value[wire];
    else settings[name] = setting;
  }
  return Object.keys(unreadable).length === 0 ? settings : { ...settings, unreadable };
}

/**
 * Reads one setting. Null means that the setting is not set, or that a list is empty. Returns undefined for a setting that
 * cannot be read.
 */
function settingIn(value: unknown, read: Reader<unknown>, at: ValuePlace): unknown {
  if (value === null && read !== addresses) return null;
  try {
    return read(value, at);
  } catch (error) {
    if (!(error instanceof ShapeFault)) throw error;
    at.misfits.add(error.path, error.found, error.expected);
    return undefined;
  }
}

const patchSchema = once(() => z.strictObject(settingSchemas(settableSchema)));

/** Returns the problems of a patch. Callers without types can pass any. */
export function patchProblems(patch: ManagerSettingsPatch): Problem[] {
  return valueProblems(patchSchema(), patch);
}

/** Returns the body of a PUT. */
export function toWire(patch: ManagerSettingsPatch): Record<string, unknown> {
  const names = settingNames.filter((name) => patch[name] !== undefined);
  return Object.fromEntries(names.map((name) => [settingOf(name).wire, patch[name]]));
}
