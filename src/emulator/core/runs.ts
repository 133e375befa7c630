/** Jobs of collectors and datasets. A job is building until its time, then ready, then expired. */
import { randomBytes } from 'node:crypto';
import type { z } from 'zod';
import type { maxConcurrentSchema, Source, SourceRow } from '../jobs/runSchemas.ts';
import { Refusal } from './refusal.ts';

export interface Job {
  /** `j_…` of a collector, `s_…` of a dataset. */
  readonly id: string;
  /** Id of the collector or dataset. */
  readonly of: string;
  /** Name for people. */
  readonly name?: string | undefined;
  readonly inputs: readonly SourceRow[];
  /** Times are in milliseconds since the epoch. */
  readonly triggeredAt: number;
  readyAt: number;
  readonly expiresAt: number;
  isCancelled: boolean;
  readonly source: Source;
}

export type JobState = 'building' | 'ready' | 'expired' | 'cancelled' | 'failed';

interface RunPlan extends Pick<Job, 'of' | 'source' | 'name' | 'inputs'> {
  prefix: 'j' | 's';
  /** Cancels the active jobs of the same collector. */
  cancelsRunning?: boolean;
  maxSeconds?: number | undefined;
}

/** Retention of results ("Limits" in the specification). */
const retentionMs = 16 * 24 * 60 * 60 * 1000;

export class Runs {
  readonly #clock: () => Date;
  readonly #limits: z.output<typeof maxConcurrentSchema>;
  readonly #runs = new Map<string, Job>();

  constructor(clock: () => Date, limits: z.output<typeof maxConcurrentSchema>) {
    this.#clock = clock;
    this.#limits = limits;
  }

  /** Starts a job. @throws Refusal if it would exceed the limits */
  start(plan: RunPlan): Job {
    const active = [...this.#runs.values()].filter((run) => this.#now() < run.readyAt);
    const replaced = plan.cancelsRunning ? active.filter(({ of }) => of === plan.of) : [];
    this.#checkLimits(
      plan,
      active.filter((run) => !replaced.includes(run)),
    );
    for (const run of replaced) this.cancel(run);
    const started = newRun(plan, this.#now());
    this.#runs.set(started.id, started);
    return started;
  }

  find(id: string): Job | undefined {
    return this.#runs.get(id);
  }

  /** Returns all jobs, oldest first. */
  all(): Job[] {
    return [...this.#runs.values()];
  }

  stateOf({ readyAt, expiresAt, isCancelled, source }: Job): JobState {
    const now = this.#now();
    if (isCancelled) return 'cancelled';
    if (now >= expiresAt) return 'expired';
    if (now < readyAt) return 'building';
    return source.fails === undefined ? 'ready' : 'failed';
  }

  /** Returns the state word of a building job: each of `words` covers an equal part of the time since its trigger. */
  progressOf({ triggeredAt, readyAt }: Job, words: readonly string[]): string {
    const part = (this.#now() - triggeredAt) / Math.max(1, readyAt - triggeredAt);
    return words[Math.min(words.length - 1, Math.floor(part * words.length))] ?? '';
  }

  /** Returns true if this much time has passed since the trigger of a job. */
  isKnown({ triggeredAt }: Job, unknownSeconds: number): boolean {
    return this.#now() >= triggeredAt + unknownSeconds * 1000;
  }

  /** Makes a building job ready now. */
  finish(run: Job): void {
    run.readyAt = Math.min(run.readyAt, this.#now());
  }

  cancel(run: Job): void {
    run.isCancelled = true;
    run.readyAt = this.#now();
  }

  #checkLimits({ of, prefix }: RunPlan, active: readonly Job[]): void {
    const { account = Number.POSITIVE_INFINITY, collector = Number.POSITIVE_INFINITY } = this.#limits;
    if (active.length >= account) throw new Refusal('too-many-runs', `the account has ${account} active`);
    if (prefix === 'j' && active.filter((run) => run.of === of).length >= collector) {
      throw new Refusal('too-many-runs', `${of} has ${collector} active`);
    }
  }

  #now(): number {
    return this.#clock().getTime();
  }
}

function newRun({ prefix, of, source, name, maxSeconds, inputs }: RunPlan, triggeredAt: number): Job {
  const readyAt = triggeredAt + Math.min(source.seconds, maxSeconds ?? source.seconds) * 1000;
  return {
    id: `${prefix}_${randomBytes(8).toString('hex')}`,
    of,
    source,
    ...(name !== undefined && { name }),
    inputs,
    triggeredAt,
    readyAt,
    expiresAt: readyAt + retentionMs,
    isCancelled: false,
  };
}
