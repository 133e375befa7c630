/**
 * Jobs of collectors and datasets. A job is queued or building until its time, then ready, then expired. The times of jobs that have not
 * begun depend on the jobs before them and are recomputed whenever one of those ends early.
 */
import { randomBytes } from 'node:crypto';
import type { Source, SourceRow } from '../jobs/runSchemas.ts';
import { Refusal } from './refusal.ts';

/** A job without its inputs, as plain data that the state file keeps. */
interface RunFacts {
  /** `j_…` of a collector, `s_…` of a dataset. */
  readonly id: string;
  /** Id of the collector or dataset. */
  readonly of: string;
  /** Name for people. */
  readonly name?: string | undefined;
  readonly isRealTime: boolean;
  /** Queues of the job: it begins when all earlier jobs in them have ended. */
  readonly lines: readonly string[];
  readonly waitsIn: readonly string[];
  readonly durationMs: number;
  /** Share of the rows that the job finishes within its maximum duration; 1 means all. */
  readonly share: number;
  /** Times are in milliseconds since the epoch. */
  readonly triggeredAt: number;
  startsAt: number;
  readyAt: number;
  expiresAt: number;
  isCancelled: boolean;
}

export interface Job extends RunFacts {
  readonly source: Source;
  /** Returns the inputs, from memory or from disk. */
  inputs(): Promise<readonly SourceRow[]>;
  /** Problem with its rows. */
  problem?: string;
}

export type JobState = 'building' | 'ready' | 'expired' | 'cancelled' | 'failed';

interface RunPlan extends Pick<Job, 'of' | 'source' | 'name'> {
  prefix: 'j' | 's';
  inputs: readonly SourceRow[];
  /** Starts after the active jobs of the same collector. */
  isQueued?: boolean;
  /** Starts after the jobs of the same queue, of any collector. */
  queue?: string | undefined;
  /** Cancels the jobs of the same collector that have begun, and starts instead of them. */
  cancelsRunning?: boolean;
  maxSeconds?: number | undefined;
  isRealTime?: boolean;
}

/** Maximum number of active jobs: in total, and per collector. */
interface RunLimits {
  account?: number | undefined;
  collector?: number | undefined;
}

const dayMs = 24 * 60 * 60 * 1000;

/** Retention times from "Limits" in the specification. */
const retentionMs = { batch: 16 * dayMs, realTime: 7 * dayMs };

export class Runs {
  readonly #clock: () => Date;
  readonly #limits: RunLimits;
  readonly #runs = new Map<string, Job>();
  /** Jobs that may still be active, in the order of their triggers. Only these jobs determine when waiting jobs begin. */
  readonly #open = new Set<Job>();

  constructor(clock: () => Date, limits: RunLimits, kept: readonly Job[]) {
    this.#clock = clock;
    this.#limits = limits;
    for (const run of kept) this.#add(run);
  }

  /** Starts a job. @throws Refusal if it would exceed the limits */
  start(plan: RunPlan): Job {
    const replaced = plan.cancelsRunning ? this.#underWay(this.#now()).filter(({ of }) => of === plan.of) : [];
    const waitsIn = replaced.length > 0 ? [] : waitsInOf(plan);
    const startsAt = this.#endOf(waitsIn);
    if (!plan.isRealTime) this.#checkLimits(plan, startsAt, replaced);
    for (const run of replaced) this.#cancel(run);
    const run = newRun(plan, waitsIn, this.#now());
    place(run, startsAt);
    this.#add(run);
    this.#moveUp();
    return run;
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

  /** Makes a building or queued job ready now. */
  finish(run: Job): void {
    run.startsAt = Math.min(run.startsAt, this.#now());
    run.readyAt = Math.min(run.readyAt, this.#now());
    this.#moveUp();
  }

  /** Makes the results of a job expire now. */
  expire(run: Job): void {
    this.finish(run);
    run.expiresAt = Math.min(run.expiresAt, this.#now());
  }

  /** Cancels a job, so that the jobs behind it move up. */
  cancel(run: Job): void {
    this.#cancel(run);
    this.#moveUp();
  }

  #add(run: Job): void {
    this.#runs.set(run.id, run);
    this.#open.add(run);
  }

  /** Returns the active jobs and removes ended ones, which never become active again. */
  #notEnded(): Job[] {
    const now = this.#now();
    for (const run of this.#open) if (run.readyAt <= now) this.#open.delete(run);
    return [...this.#open];
  }

  #cancel(run: Job): void {
    run.isCancelled = true;
    run.readyAt = this.#now();
  }

  /** Returns the time when all jobs in these queues have ended; now, if they have. */
  #endOf(lines: readonly string[]): number {
    const isBefore = (run: Job) => run.lines.some((line) => lines.includes(line));
    return this.#notEnded().reduce((end, run) => (isBefore(run) ? Math.max(end, run.readyAt) : end), this.#now());
  }

  /** Returns the batch jobs that are active at a time, now or later. */
  #underWay(at: number): Job[] {
    return this.#notEnded().filter((run) => !run.isRealTime && run.startsAt <= at && at < run.readyAt);
  }

  #checkLimits({ of, prefix }: RunPlan, startsAt: number, replaced: readonly Job[]): void {
    const others = this.#underWay(startsAt).filter((run) => !replaced.includes(run));
    const { account = Number.POSITIVE_INFINITY, collector = Number.POSITIVE_INFINITY } = this.#limits;
    if (others.length >= account) throw new Refusal('too-many-runs', `the account has ${account} active`);
    if (prefix === 'j' && others.filter((run) => run.of === of).length >= collector) {
      throw new Refusal('too-many-runs', `${of} has ${collector} active`);
    }
  }

  /** Recomputes the start of jobs that have not begun, in the order of their triggers. */
  #moveUp(): void {
    const now = this.#now();
    const ends = new Map<string, number>();
    const note = ({ lines, readyAt }: Job) => {
      for (const line of lines) ends.set(line, Math.max(readyAt, ends.get(line) ?? 0));
    };
    const open = this.#notEnded();
    for (const run of open) if (run.startsAt <= now) note(run);
    for (const run of open.filter(({ startsAt }) => startsAt > now)) {
      place(run, Math.max(now, ...run.waitsIn.map((line) => ends.get(line) ?? 0)));
      note(run);
    }
  }

  #now(): number {
    return this.#clock().getTime();
  }
}

function newRun(
  { prefix, of, source, name, queue, maxSeconds, inputs, isRealTime = false }: RunPlan,
  waitsIn: string[],
  triggeredAt: number,
): Job {
  const seconds = Math.min(source.seconds, maxSeconds ?? source.seconds);
  return {
    id: `${prefix}_${randomBytes(8).toString('hex')}`,
    of,
    source,
    ...(name !== undefined && { name }),
    isRealTime,
    lines: isRealTime ? [] : [lineOf(of), ...(queue === undefined ? [] : [queueLine(queue)])],
    waitsIn,
    durationMs: seconds * 1000,
    share: source.seconds === 0 ? 1 : seconds / source.seconds,
    triggeredAt,
    startsAt: 0,
    readyAt: 0,
    expiresAt: 0,
    isCancelled: false,
    inputs: async () => inputs,
  };
}

function place(run: Job, startsAt: number): void {
  run.startsAt = startsAt;
  run.readyAt = startsAt + run.durationMs;
  run.expiresAt = run.readyAt + retentionMs[run.isRealTime ? 'realTime' : 'batch'];
}

function waitsInOf({ of, isQueued, queue }: RunPlan): string[] {
  return [...(isQueued ? [lineOf(of)] : []), ...(queue === undefined ? [] : [queueLine(queue)])];
}

const lineOf = (of: string): string => `of ${of}`;

const queueLine = (queue: string): string => `queue ${queue}`;
