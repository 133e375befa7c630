/**
 * Keeps the state across restarts. The state file is an account in JSON with the current values, plus its jobs and deliveries. Only its
 * owner may read it, because it contains keys and passwords.
 */
import { existsSync } from 'node:fs';
import { z } from 'zod';
import { type Problem, ProblemError } from '../../base/diagnostics/problem.ts';
import { readTextFile } from '../../base/files/textFile.ts';
import { writeWholeFile } from '../../base/files/wholeFile.ts';
import { type Account, accountSchema } from '../account/account.ts';
import { parseOrThrow } from '../account/accountFile.ts';
import type { Job, JobFacts } from '../core/runs.ts';
import { type World, worldAccount } from '../core/world.ts';
import { type DeliveryRecord, deliverySchema } from '../jobs/deliveries.ts';
import { sourceOf } from '../jobs/runSchemas.ts';

export interface Restored {
  account: Account;
  runs: readonly Job[];
  deliveries: readonly DeliveryRecord[];
}

/**
 * Returns the state to start from. An existing state file determines everything that a running emulator changes: users, keys, zones, and
 * the manager's settings and ports. The account file determines the rest.
 */
export async function restore(account: Account, file: string | undefined): Promise<Restored> {
  if (file === undefined || !existsSync(file)) return { account, runs: [], deliveries: [] };
  const { account: state, kept } = await readState(file);
  if (state.id !== account.id) throw new ProblemError([foreignState(file, state.id, account.id)]);
  const { users, apiKeys, zones } = state;
  const { ports, settings } = state.manager;
  const restored = { ...account, users, apiKeys, zones, manager: { ...account.manager, ports, settings } };
  return {
    account: restored,
    runs: restoredJobs(kept, account),
    deliveries: kept.deliveries,
  };
}

const factsSchema = z.strictObject({
  id: z.string().regex(/^[js]_\w+$/),
  of: z.string(),
  name: z.string().optional(),
  inputs: z.array(z.record(z.string(), z.unknown())),
  triggeredAt: z.number(),
  readyAt: z.number(),
  expiresAt: z.number(),
  isCancelled: z.boolean(),
}) satisfies z.ZodType<JobFacts>;

const keptSchema = z.strictObject({
  runs: z.array(factsSchema).default([]),
  deliveries: z.array(deliverySchema).default([]),
});

type Kept = z.output<typeof keptSchema>;

function keptOf({ runs, deliveries }: World): Kept {
  return {
    runs: runs.all().map(({ source: _, ...facts }) => ({ ...facts, inputs: [...facts.inputs] })),
    deliveries: [...deliveries.all()],
  };
}

/** Restores the jobs. The account file defines collectors, so a job of a removed collector is dropped. */
function restoredJobs({ runs }: Kept, { collectors, datasets }: Account): Job[] {
  return runs.flatMap((facts) => {
    const source = sourceOf(facts.id.startsWith('j') ? collectors : datasets, facts.of);
    return source === undefined ? [] : [{ ...facts, source }];
  });
}

async function readState(file: string): Promise<{ account: Account; kept: Kept }> {
  const text = await readTextFile(file);
  try {
    const { runs, deliveries, ...account } = parseOrThrow(z.looseObject({}), JSON.parse(text));
    return {
      account: parseOrThrow(accountSchema, account),
      kept: parseOrThrow(keptSchema, { runs, deliveries }),
    };
  } catch (error) {
    if (error instanceof ProblemError) throw new ProblemError(error.problems.map((problem) => inState(file, problem)));
    if (error instanceof SyntaxError) throw new ProblemError([inState(file, notJson)]);
    throw error;
  }
}

const notJson: Problem = { code: 'invalid-state', found: 'no JSON', allowed: 'a state file written by the emulator' };

/** Rewrites a problem of a state file. State files are not written by hand, so the fix is not to correct one. */
function inState(file: string, problem: Problem): Problem {
  return {
    ...problem,
    found: `${problem.found} in the state file ${file}`,
    fix: 'delete that file to start again from the account file',
  };
}

function foreignState(file: string, found: string, wanted: string): Problem {
  return {
    code: 'foreign-state',
    found: `${file} holds the state of account ${found}`,
    allowed: `the state of ${wanted}`,
    fix: 'use another state file, or delete this one to start again from the account file',
  };
}

export class StateFile {
  readonly #file: string | undefined;
  readonly #world: World;
  #writing: Promise<void> = Promise.resolve();
  #next: Promise<void> | null = null;

  /** Without a file, keeps nothing. */
  constructor(file: string | undefined, world: World) {
    this.#file = file;
    this.#world = world;
  }

  /** Resolves when all changes so far are on disk. Calls during one write share the next one. */
  save(): Promise<void> {
    this.#next ??= this.#writing
      .catch(() => undefined)
      .then(() => {
        this.#next = null;
        this.#writing = this.#write();
        return this.#writing;
      });
    return this.#next;
  }

  async #write(): Promise<void> {
    if (this.#file === undefined) return;
    const state = { ...worldAccount(this.#world), ...keptOf(this.#world) };
    await writeWholeFile(this.#file, `${JSON.stringify(state)}\n`, { mode: 0o600 });
  }
}
