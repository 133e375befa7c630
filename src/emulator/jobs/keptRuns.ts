/**
 * Jobs and deliveries across restarts. The state file holds them. Inputs may be large, so those of each job are a separate file in a
 * folder next to it, written once and read when rows are made. An expired or cancelled job needs none.
 */
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { makeFolder } from '../../base/files/folders.ts';
import { readTextFile } from '../../base/files/textFile.ts';
import { writeWholeFile } from '../../base/files/wholeFile.ts';
import type { Account } from '../account/account.ts';
import { Refusal } from '../core/refusal.ts';
import type { Job, Runs } from '../core/runs.ts';
import type { World } from '../core/world.ts';
import { deliverySchema } from './deliveries.ts';
import { type SourceRow, sourceOf } from './runSchemas.ts';

const factsSchema = z.strictObject({
  id: z.string().regex(/^[js]_\w+$/),
  of: z.string(),
  name: z.string().optional(),
  isRealTime: z.boolean(),
  lines: z.array(z.string()),
  waitsIn: z.array(z.string()),
  durationMs: z.number(),
  share: z.number(),
  triggeredAt: z.number().default(0),
  startsAt: z.number(),
  readyAt: z.number(),
  expiresAt: z.number(),
  isCancelled: z.boolean(),
});

export const keptSchema = z.strictObject({
  runs: z.array(factsSchema).default([]),
  deliveries: z.array(deliverySchema).default([]),
});

export type Kept = z.output<typeof keptSchema>;

/** Returns the jobs and deliveries for the state file. */
export function keptOf({ runs, deliveries }: World): Kept {
  return {
    runs: runs.all().map(({ source: _, inputs: __, problem: ___, ...facts }) => ({
      ...facts,
      lines: [...facts.lines],
      waitsIn: [...facts.waitsIn],
    })),
    deliveries: [...deliveries.all()],
  };
}

/** Restores the jobs. The account file defines collectors, so a job of a removed collector is dropped. */
export function restoredJobs({ runs }: Kept, { collectors, datasets }: Account, file: string): Job[] {
  return runs.flatMap((facts) => {
    const source = sourceOf(facts.id.startsWith('j') ? collectors : datasets, facts.of);
    const kept = inputsFile(file, facts.id);
    return source === undefined ? [] : [{ ...facts, source, inputs: () => readInputs(kept) }];
  });
}

export class KeptInputs {
  readonly #file: string;
  readonly #runs: Runs;
  /** Jobs whose inputs are on disk; at first those of an earlier start. */
  readonly #kept: Set<string>;
  #hasLooked = false;

  constructor(file: string, runs: Runs) {
    this.#file = file;
    this.#runs = runs;
    this.#kept = new Set(runs.all().map(({ id }) => id));
  }

  /** Writes the inputs that are not on disk yet. */
  async write(): Promise<void> {
    for (const run of this.#runs.all()) {
      if (this.#kept.has(run.id) || !this.#needsInputs(run)) continue;
      const kept = inputsFile(this.#file, run.id);
      await makeFolder(folderOf(this.#file), 0o700);
      await writeWholeFile(kept, JSON.stringify(await run.inputs()), { mode: 0o600 });
      this.#kept.add(run.id);
      // Frees the memory of the inputs.
      run.inputs = () => readInputs(kept);
    }
  }

  /** Deletes inputs that no job needs, after the state file has been written. */
  async clean(): Promise<void> {
    if (!this.#hasLooked) for (const id of await this.#onDisk()) this.#kept.add(id);
    this.#hasLooked = true;
    for (const id of this.#kept) {
      const run = this.#runs.find(id);
      if (run !== undefined && this.#needsInputs(run)) continue;
      await rm(inputsFile(this.#file, id), { force: true });
      this.#kept.delete(id);
    }
  }

  #needsInputs(run: Job): boolean {
    return /^(building|ready)$/.test(this.#runs.stateOf(run));
  }

  /** Returns all files, including incomplete ones of an earlier start. */
  async #onDisk(): Promise<string[]> {
    const names = await readdir(folderOf(this.#file)).catch(() => []);
    return names.flatMap((name) => /^([js]_\w+)\.json$/.exec(name)?.[1] ?? []);
  }
}

const folderOf = (file: string): string => `${file}.inputs`;

const inputsFile = (file: string, id: string): string => join(folderOf(file), `${id}.json`);

async function readInputs(file: string): Promise<SourceRow[]> {
  try {
    return JSON.parse(await readTextFile(file)) as SourceRow[];
  } catch (error) {
    throw new Refusal(
      'invalid-request',
      `the inputs of the job cannot be read from ${file}: ${(error as Error).message}`,
    );
  }
}
