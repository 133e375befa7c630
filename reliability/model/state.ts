/** What the model knows: where each IP is, what is declared, and which runs moved what. It never asks the tool. */
import type { Declaration, Holdings } from './declaration.ts';

export interface MigrateCall {
  from: string;
  to: string;
  ips: readonly string[];
}

/** With the allocation that it is made for. */
export type OwnedCall = MigrateCall & { owner: string };

/** A run of the tool, as the account saw it. */
export interface ModelRun {
  calls: readonly OwnedCall[];
  done: boolean;
  undoes?: ModelRun;
}

/** A plan file, while it may still be applied. */
export interface KeptPlan {
  calls: string;
  declaration: string;
  applied: boolean;
}

export class AccountState implements Holdings {
  readonly where = new Map<string, string>();
  readonly country = new Map<string, string>();
  /** IPs that were taken away for a while, and from where. */
  readonly away = new Map<string, string>();
  declaration: Declaration = { allocations: {} };
  runs: ModelRun[] = [];
  kept: KeptPlan | undefined;
  #last = 0;

  get ips(): string[] {
    return [...this.where.keys()];
  }

  in(zone: string): string[] {
    return this.ips.filter((ip) => this.where.get(ip) === zone);
  }

  countryOf(ip: string): string {
    return this.country.get(ip) ?? '';
  }

  /** One of those that there are. */
  ip(index: number): string | undefined {
    return this.ips[index % Math.max(1, this.where.size)];
  }

  newIp(): string {
    this.#last += 1;
    return `192.0.${2 + Math.floor(this.#last / 250)}.${1 + (this.#last % 250)}`;
  }

  add(ip: string, zone: string, country: string): void {
    this.where.set(ip, zone);
    this.country.set(ip, country);
  }

  carryOut(calls: readonly MigrateCall[]): void {
    for (const { to, ips } of calls) for (const ip of ips) this.where.set(ip, to);
  }

  /** The last run that can be taken back, as the tool describes it: not undone, and no undo that failed. */
  get undoable(): ModelRun | undefined {
    const undone = new Set(this.runs.filter(({ done }) => done).map(({ undoes }) => undoes));
    return this.runs.findLast((run) => run.calls.length > 0 && !undone.has(run) && (!run.undoes || run.done));
  }
}
