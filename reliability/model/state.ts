/** The state of the model: the zone of each IP, the declaration, and the moves of each run. It never asks the tool. */
import type { Declaration, Holdings } from './declaration.ts';

export interface MigrateCall {
  from: string;
  to: string;
  ips: readonly string[];
}

/** A call with the allocation that requires it. */
export type OwnedCall = MigrateCall & { owner: string };

/** A run of the tool, from the view of the account. */
interface ModelRun {
  calls: readonly OwnedCall[];
  done: boolean;
  undoes?: ModelRun;
}

/** A plan file that may still be applied. */
interface KeptPlan {
  calls: string;
  declaration: string;
  applied: boolean;
}

export class AccountState implements Holdings {
  readonly where = new Map<string, string>();
  readonly country = new Map<string, string>();
  /** IPs that were removed for a while, and their zones. */
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

  /** Returns one of the existing IPs. */
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

  /** Returns the last run that the tool can undo: not undone yet, and not a failed undo. */
  get undoable(): ModelRun | undefined {
    const undone = new Set(this.runs.filter(({ done }) => done).map(({ undoes }) => undoes));
    return this.runs.findLast((run) => run.calls.length > 0 && !undone.has(run) && (!run.undoes || run.done));
  }
}
