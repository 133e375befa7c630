/** One tick, fired by a process that another scheduler started: the ledger decides whether it is this one that sends it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { claimWaiting, type Limits } from './ledger/claiming.ts';
import { claimTick } from './ledger/externalTick.ts';
import { settle } from './ledger/outcomes.ts';
import { createRegistry } from './ledger/registry.ts';
import type { Run } from './model.ts';
import type { Sealer } from './secrets.ts';
import type { Database } from './store/database.ts';
import { type Firing, fire } from './worker/fire.ts';
import { firingOver } from './worker/firingOver.ts';

export interface TickOptions extends Omit<Firing, 'delivery'> {
  database: Database;
  sealer: Sealer;
  limits: Limits;
  signal?: AbortSignal;
}

export interface FiredTick {
  run: Run;
  /** Whether this process made the run; false where the tick had one already. */
  isNew: boolean;
}

const lookAgainMs = 500;

/** Until the run is no longer waiting: it is triggered, or can't be, or is not known to be. Undefined where nothing was due. @throws ProblemError */
export async function fireTick(
  owner: string,
  name: string,
  tick: number | 'now',
  options: TickOptions,
): Promise<FiredTick | undefined> {
  const { database, limits, sealer, signal } = options;
  const claimed = await claimTick(database, owner, name, tick);
  if (claimed === undefined) return undefined;
  const registry = createRegistry({ database, sealer, policy: () => [] });
  const firing = firingOver(options);
  let { run } = await registry.run(claimed.run.id);
  while (run.state === 'waiting' || run.state === 'triggering') {
    const claimedAt = performance.now();
    const [claim] = await claimWaiting(database, 1, limits, run.id);
    if (claim === undefined) await sleep(lookAgainMs, undefined, { signal });
    else await settle(database, [{ claim, outcome: await fire(claim, claimedAt, firing) }]);
    ({ run } = await registry.run(claimed.run.id));
  }
  return { run, isNew: claimed.isNew };
}
