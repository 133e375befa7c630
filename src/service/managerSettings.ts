/** The settings of a local proxy manager (specification, F1): one table of their names here, on the wire, and their shapes. */
import { z } from 'zod';
import { isSecretName } from './redact.ts';

const addresses = z.array(z.string());

/** Required is what is declared, compared or read back; of the rest only the shape is checked. `password` is left out: it is never kept. */
const fields = {
  /** The default zone. */
  zone: field('zone', z.string()),
  /** Who may open the admin UI in a browser. */
  wwwWhitelistIps: field('www_whitelist_ips', addresses),
  /** Who may use the proxies, by default. */
  whitelistIps: field('whitelist_ips', addresses),
  /** Only ever read. */
  fixedWhitelistIps: field('fixed_whitelist_ips', addresses),
  /** How many request logs are kept. */
  logs: field('logs', z.int()),
  /** Whether request statistics are kept. */
  requestStats: field('request_stats', z.boolean()),
  /** The account's customer identifier. */
  customer: field('customer', z.string().optional()),
  readOnly: field('read_only', z.boolean().optional()),
  /** The path of the manager's configuration file, on its machine. */
  config: field('config', z.string().optional()),
  /** The URL that the manager tests with. */
  testUrl: field('test_url', z.string().optional()),
  /** The log level. */
  log: field('log', z.string().optional()),
  harLimit: field('har_limit', z.int().optional()),
  dropin: field('dropin', z.boolean().optional()),
  pendingIps: field('pending_ips', addresses.optional()),
  pendingWwwIps: field('pending_www_ips', addresses.optional()),
  zagent: field('zagent', z.boolean().optional()),
  syncConfig: field('sync_config', z.boolean().optional()),
};

type Field = keyof typeof fields;

/** The settings as the manager holds them, without anything secret. What it says beyond these is kept under its own names. */
export type ManagerSettingsWire = { [Name in Field]: z.output<(typeof fields)[Name]['schema']> } & Record<
  string,
  unknown
>;

/** What can be set. A field left out is left as it is; an empty list empties it. */
export interface ManagerSettingsPatch {
  zone?: string | undefined;
  wwwWhitelistIps?: readonly string[] | undefined;
  whitelistIps?: readonly string[] | undefined;
  logs?: number | undefined;
  requestStats?: boolean | undefined;
}

/** Reads the settings object of an answer. */
export const settingsAnswer = z
  .looseObject(Object.fromEntries(Object.values(fields).map(({ wire, schema }) => [wire, schema])))
  .transform(fromWire);

/** The body of a PUT. */
export function toWire(patch: ManagerSettingsPatch): Record<string, unknown> {
  const { zone, wwwWhitelistIps, whitelistIps, logs, requestStats } = patch;
  const documented = { zone, wwwWhitelistIps, whitelistIps, logs, requestStats };
  const entries = Object.entries(documented).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries.map(([name, value]) => [fields[name as Field].wire, value]));
}

function fromWire(answer: Record<string, unknown>): ManagerSettingsWire {
  const nameOf = new Map<string, string>(Object.entries(fields).map(([name, { wire }]) => [wire, name]));
  const entries = Object.entries(answer).filter(([wire]) => nameOf.has(wire) || !isSecretName(wire));
  return Object.fromEntries(entries.map(([wire, value]) => [nameOf.get(wire) ?? wire, value])) as ManagerSettingsWire;
}

function field<Schema extends z.ZodType>(wire: string, schema: Schema) {
  return { wire, schema };
}
