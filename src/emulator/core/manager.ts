/** A local proxy manager (F): its general settings under the specification's names, and the ports that it runs. */

/** The settings object, every field of it ("Local proxy manager settings"). */
export interface ManagerSettings {
  customer: string;
  zone: string;
  password: string;
  www_whitelist_ips: string[];
  whitelist_ips: string[];
  fixed_whitelist_ips: string[];
  read_only: boolean;
  config: string;
  test_url: string;
  logs: number;
  log: string;
  har_limit: number;
  request_stats: boolean;
  dropin: boolean;
  pending_ips: string[];
  pending_www_ips: string[];
  zagent: boolean;
  sync_config: boolean;
}

const isSettingName: Record<keyof ManagerSettings, true> = {
  customer: true,
  zone: true,
  password: true,
  www_whitelist_ips: true,
  whitelist_ips: true,
  fixed_whitelist_ips: true,
  read_only: true,
  config: true,
  test_url: true,
  logs: true,
  log: true,
  har_limit: true,
  request_stats: true,
  dropin: true,
  pending_ips: true,
  pending_www_ips: true,
  zagent: true,
  sync_config: true,
};

/** Names of the fields of the settings object. */
export const settingNames = Object.keys(isSettingName) as (keyof ManagerSettings)[];

export class Manager {
  readonly #silentlyDrops: ReadonlySet<string>;
  readonly #ports: Set<number>;
  #settings: ManagerSettings;

  constructor(settings: ManagerSettings, ports: readonly number[], silentlyDrops: readonly string[]) {
    this.#settings = structuredClone(settings);
    this.#ports = new Set(ports);
    this.#silentlyDrops = new Set(silentlyDrops);
  }

  settings(): ManagerSettings {
    return structuredClone(this.#settings);
  }

  /** Sets fields as they are given: for changes behind the tool's back. */
  set(patch: Partial<ManagerSettings>): void {
    this.#settings = { ...this.#settings, ...structuredClone(patch) };
  }

  /** Sets fields as a client asks (F1), without the allowlist entries that this manager drops; returns what changed. */
  update(patch: Partial<ManagerSettings>): Partial<ManagerSettings> {
    const before = this.#settings;
    this.set(Object.fromEntries(Object.entries(patch).map(([name, value]) => [name, this.#withoutDropped(value)])));
    return Object.fromEntries(
      Object.entries(this.settings()).filter(
        ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name as keyof ManagerSettings]),
      ),
    );
  }

  ports(): number[] {
    return [...this.#ports].sort((a, b) => a - b);
  }

  hasPort(port: number): boolean {
    return this.#ports.has(port);
  }

  setPorts(ports: readonly number[]): void {
    this.#ports.clear();
    for (const port of ports) this.#ports.add(port);
  }

  /** Deletes what exists of these ports (F2) and returns it. */
  deletePorts(ports: readonly number[]): number[] {
    return [...new Set(ports)].filter((port) => this.#ports.delete(port));
  }

  #withoutDropped(value: unknown): unknown {
    return Array.isArray(value) ? value.filter((entry) => !this.#silentlyDrops.has(entry)) : value;
  }
}
