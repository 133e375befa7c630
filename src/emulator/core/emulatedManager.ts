/** A local proxy manager (F): its general settings under the specification's names, and its running ports. */
import { z } from 'zod';

const texts = z.array(z.string()).default([]);

/** Settings with the names and types of the specification ("Local proxy manager settings") and the emulator's defaults. */
export const settingsSchema = z.strictObject({
  customer: z.string().optional().describe('Account customer identifier; the account id if left out.'),
  zone: z.string().default('').describe('Default zone.'),
  password: z.string().default('').meta({ writeOnly: true }).describe('Zone password.'),
  www_whitelist_ips: texts.describe('IPs granted access to the admin UI.'),
  whitelist_ips: texts.describe('IPs granted access to all proxies.'),
  fixed_whitelist_ips: texts.describe('IPs that clients cannot change; the manager only returns them.'),
  read_only: z.boolean().default(false).describe('As the manager answers it.'),
  config: z.string().default('/home/manager/.manager.json').describe("Path of the manager's configuration file."),
  test_url: z.string().default('https://example.com/ip').describe('URL used for testing.'),
  logs: z.int().nonnegative().default(1000).describe('Number of request logs kept.'),
  log: z.string().default('notice').describe('Log level.'),
  har_limit: z.int().default(1024).describe('As the manager answers it.'),
  request_stats: z.boolean().default(true).describe('Enables request statistics.'),
  dropin: z.boolean().default(false).describe('As the manager answers it.'),
  pending_ips: texts.describe('As the manager answers it.'),
  pending_www_ips: texts.describe('As the manager answers it.'),
  zagent: z.boolean().default(false).describe('As the manager answers it.'),
  sync_config: z.boolean().default(false).describe('As the manager answers it.'),
});

/** The complete settings object. */
export type EmulatedSettings = Required<z.output<typeof settingsSchema>>;

/** Names of the fields of the settings object. */
export const settingFieldNames = Object.keys(settingsSchema.shape) as (keyof EmulatedSettings)[];

export class EmulatedManager {
  readonly #silentlyDrops: ReadonlySet<string>;
  readonly #ports: Set<number>;
  #settings: EmulatedSettings;

  constructor(settings: EmulatedSettings, ports: readonly number[], silentlyDrops: readonly string[]) {
    this.#settings = structuredClone(settings);
    this.#ports = new Set(ports);
    this.#silentlyDrops = new Set(silentlyDrops);
  }

  settings(): EmulatedSettings {
    return structuredClone(this.#settings);
  }

  get password(): EmulatedSettings['password'] {
    return this.#settings.password;
  }

  /** Sets fields without any rules, for changes that no client makes. */
  set(patch: Partial<EmulatedSettings>): void {
    this.#settings = { ...this.#settings, ...structuredClone(patch) };
  }

  /** Sets fields for a client (F1), without the allowlist entries that this manager drops, and returns the changes. */
  update(patch: Partial<EmulatedSettings>): Partial<EmulatedSettings> {
    const before = this.#settings;
    this.set(Object.fromEntries(Object.entries(patch).map(([name, value]) => [name, this.#withoutDropped(value)])));
    return Object.fromEntries(
      Object.entries(this.settings()).filter(
        ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name as keyof EmulatedSettings]),
      ),
    );
  }

  ports(): number[] {
    return [...this.#ports].sort((a, b) => a - b);
  }

  setPorts(ports: readonly number[]): void {
    this.#ports.clear();
    for (const port of ports) this.#ports.add(port);
  }

  /** Deletes the existing ones of these ports (F2) and returns them. */
  deletePorts(ports: readonly number[]): number[] {
    return [...new Set(ports)].filter((port) => this.#ports.delete(port));
  }

  #withoutDropped(value: unknown): unknown {
    return Array.isArray(value) ? value.filter((entry) => !this.#silentlyDrops.has(entry)) : value;
  }
}
