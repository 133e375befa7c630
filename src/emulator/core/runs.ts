/** Runs of collectors and datasets: building until their time has come, then ready, then expired. Kept in memory only. */

import { randomBytes } from 'node:crypto';
import type { Source } from '../runSchemas.ts';

export type Row = Record<string, unknown>;

export interface Run {
  /** `j_…` of a collector, `s_…` of a dataset. */
  readonly id: string;
  /** The collector or the dataset. */
  readonly of: string;
  readonly source: Source;
  readonly inputs: readonly Row[];
  /** Milliseconds since the epoch, as the other times. */
  readonly startsAt: number;
  readyAt: number;
  expiresAt: number;
}

export type RunState = 'building' | 'ready' | 'expired';

export interface RunPlan extends Pick<Run, 'of' | 'source' | 'inputs'> {
  prefix: 'j' | 's';
  /** Starts after the runs of the same collector that are under way. */
  queued: boolean;
}

/** "Batch result retention" in the specification. */
const retentionMs = 16 * 24 * 60 * 60 * 1000;

export class Runs {
  readonly #clock: () => Date;
  readonly #runs = new Map<string, Run>();

  constructor(clock: () => Date) {
    this.#clock = clock;
  }

  start({ prefix, queued, ...plan }: RunPlan): Run {
    const startsAt = queued ? this.#endOfQueue(plan.of) : this.#now();
    const readyAt = startsAt + plan.source.seconds * 1000;
    const id = `${prefix}_${randomBytes(8).toString('hex')}`;
    const run = { ...plan, id, startsAt, readyAt, expiresAt: readyAt + retentionMs };
    this.#runs.set(id, run);
    return run;
  }

  find(id: string): Run | undefined {
    return this.#runs.get(id);
  }

  /** Oldest first. */
  all(): Run[] {
    return [...this.#runs.values()];
  }

  stateOf({ readyAt, expiresAt }: Run): RunState {
    const now = this.#now();
    if (now >= expiresAt) return 'expired';
    return now >= readyAt ? 'ready' : 'building';
  }

  /** Makes a run that builds ready now. */
  finish(run: Run): void {
    run.readyAt = Math.min(run.readyAt, this.#now());
  }

  /** Lets the results of a run expire now. */
  expire(run: Run): void {
    this.finish(run);
    run.expiresAt = Math.min(run.expiresAt, this.#now());
  }

  #endOfQueue(of: string): number {
    const ends = this.all()
      .filter((run) => run.of === of)
      .map(({ readyAt }) => readyAt);
    return Math.max(this.#now(), ...ends);
  }

  #now(): number {
    return this.#clock().getTime();
  }
}

/** The rows of a run, one by one: each echoes its input. */
export function* rowsOf({ source, inputs }: Pick<Run, 'source' | 'inputs'>): Generator<Row> {
  const { rows, row, rowsPerInput } = source;
  const count = Array.isArray(rows) ? rows.length : (rows ?? inputs.length * rowsPerInput);
  for (let index = 0; index < count; index += 1) {
    const turn = rows === undefined ? Math.floor(index / rowsPerInput) : index % inputs.length;
    const input = inputs[turn] ?? {};
    const fields = Array.isArray(rows) ? rows[index] : (filled(row, { ...input, n: index + 1 }) as Row);
    yield { ...fields, input };
  }
}

/** Fields that the rows of a run have, for a table. */
export function columnsOf({ source: { rows, row } }: Pick<Run, 'source'>): string[] {
  const names = Array.isArray(rows) ? rows.flatMap((fields) => Object.keys(fields)) : Object.keys(row);
  return [...new Set([...names, 'input'])];
}

function filled(template: unknown, values: Row): unknown {
  if (typeof template === 'string')
    return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => `${values[name] ?? ''}`);
  if (Array.isArray(template)) return template.map((item) => filled(item, values));
  if (typeof template !== 'object' || template === null) return template;
  return Object.fromEntries(Object.entries(template).map(([key, item]) => [key, filled(item, values)]));
}
