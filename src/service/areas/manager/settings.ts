/** The settings of a local proxy manager (specification, F1): one table of their names here, on the wire, and how they are read. */
import { z } from 'zod';
import type { Problem } from '../../../diagnostics/problem.ts';
import { zodProblems } from '../../../diagnostics/zodProblems.ts';
import { isMapValue } from '../../../values/plain.ts';
import {
  below,
  count,
  flag,
  isEmptyValue,
  type Place,
  type Reader,
  reportedError,
  ShapeFault,
  text,
} from '../../reading/readers.ts';
import { isSecretName } from '../../redact.ts';

/** Addresses and networks: a list, also of objects with an `ip`, or a text with commas. Null is an empty list. */
const addresses: Reader<string[]> = (value, at) => {
  if (isEmptyValue(value)) return [];
  if (typeof value === 'string') return value.split(',').map((entry) => entry.trim());
  if (!Array.isArray(value)) throw new ShapeFault(at.path, 'a list of addresses', value);
  return value.map((entry, index) => text(isMapValue(entry) ? entry.ip : entry, below(at, index)));
};

/** `password` is left out: it is never kept. */
const fields = {
  /** The default zone. */
  zone: field('zone', text),
  /** Who may open the admin UI in a browser. */
  wwwWhitelistIps: field('www_whitelist_ips', addresses),
  /** Who may use the proxies, by default. */
  whitelistIps: field('whitelist_ips', addresses),
  /** Only ever read. */
  fixedWhitelistIps: field('fixed_whitelist_ips', addresses),
  /** How many request logs are kept. */
  logs: field('logs', count),
  /** Whether request statistics are kept. */
  requestStats: field('request_stats', flag),
  /** The account's customer identifier. */
  customer: field('customer', text),
  readOnly: field('read_only', flag),
  /** The path of the manager's configuration file, on its machine. */
  config: field('config', text),
  /** The URL that the manager tests with. */
  testUrl: field('test_url', text),
  /** The log level. */
  log: field('log', text),
  harLimit: field('har_limit', count),
  dropin: field('dropin', flag),
  pendingIps: field('pending_ips', addresses),
  pendingWwwIps: field('pending_www_ips', addresses),
  zagent: field('zagent', flag),
  syncConfig: field('sync_config', flag),
};

type Field = keyof typeof fields;

/**
 * The settings as the manager holds them, without anything secret. A field that the manager does not show is missing, and one that it
 * has not set is null. What it says beyond these is kept under its own names.
 */
export type ManagerSettingsWire = { [Name in Field]?: ReturnType<(typeof fields)[Name]['read']> | null } & {
  /** Settings of a form that cannot be read, by their names on the wire. */
  unreadable?: Readonly<Record<string, unknown>>;
  [unknown: string]: unknown;
};

/** What can be set. A field left out is left as it is; an empty list empties it. */
export interface ManagerSettingsPatch {
  zone?: string | undefined;
  wwwWhitelistIps?: readonly string[] | undefined;
  whitelistIps?: readonly string[] | undefined;
  logs?: number | undefined;
  requestStats?: boolean | undefined;
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

function settingsOrNothing(value: unknown, at: Place): ManagerSettingsWire | undefined {
  if (!isMapValue(value)) return undefined;
  const known = Object.entries(fields).filter(([, { wire }]) => Object.hasOwn(value, wire));
  if (known.length === 0) return undefined;
  const wires = new Set(known.map(([, { wire }]) => wire));
  const settings = Object.fromEntries(
    Object.entries(value).filter(([wire]) => !wires.has(wire) && !isSecretName(wire)),
  );
  const unreadable: Record<string, unknown> = {};
  for (const [name, { wire, read }] of known) {
    const setting = settingIn(value[wire], read, below(at, wire));
    if (setting === undefined) unreadable[wire] = value[wire];
    else settings[name] = setting;
  }
  return Object.keys(unreadable).length === 0 ? settings : { ...settings, unreadable };
}

/** Null is a setting that the manager has not set: of a list, an empty one. Undefined is one that cannot be read. */
function settingIn(value: unknown, read: Reader<unknown>, at: Place): unknown {
  if (value === null && read !== addresses) return null;
  try {
    return read(value, at);
  } catch (error) {
    if (!(error instanceof ShapeFault)) throw error;
    at.misfits.add(error.path, error.found, error.expected);
    return undefined;
  }
}

/** Returns the name of a setting on the wire. */
export function wireName(name: keyof ManagerSettingsPatch): string {
  return fields[name].wire;
}

/** Returns the problems of a patch. Callers without types can pass any. */
export function patchProblems(patch: ManagerSettingsPatch): Problem[] {
  const result = patchSchema.safeParse(patch);
  return result.success ? [] : zodProblems(result.error, patch, { schema: patchSchema });
}

const entries = z.array(z.string().min(1));

const patchSchema = z.strictObject({
  zone: z.string().min(1).optional(),
  wwwWhitelistIps: entries.optional(),
  whitelistIps: entries.optional(),
  logs: z.int().min(0).optional(),
  requestStats: z.boolean().optional(),
});

/** The body of a PUT. */
export function toWire(patch: ManagerSettingsPatch): Record<string, unknown> {
  const { zone, wwwWhitelistIps, whitelistIps, logs, requestStats } = patch;
  const documented = { zone, wwwWhitelistIps, whitelistIps, logs, requestStats };
  const entries = Object.entries(documented).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries.map(([name, value]) => [fields[name as Field].wire, value]));
}

function field<T>(wire: string, read: Reader<T>) {
  return { wire, read };
}
