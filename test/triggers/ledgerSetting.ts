/** A ledger of a test's own, and what a worker does to it, a step at a time. */
import type { TestContext } from 'vitest';
import { scheduleSpec } from '../../src/triggers/declared/scheduleSpec.ts';
import { type ActiveRunLimits, type Claim, claimWaiting } from '../../src/triggers/ledger/claiming.ts';
import { recordOutcomes, type TriggerOutcome } from '../../src/triggers/ledger/outcomes.ts';
import { tickDue } from '../../src/triggers/ledger/ticking.ts';
import { createSealer } from '../../src/triggers/secrets/secrets.ts';
import type { Database } from '../../src/triggers/store/database.ts';
import { openStore } from '../../src/triggers/store/open.ts';
import { moveClock } from './moveClock.ts';
import { createScheduleRegistry, type ScheduleRegistry } from './registry.ts';
import type { NewStore } from './stores.ts';

export interface LedgerSetting {
  store: string;
  database: Database;
  registry: ScheduleRegistry;
  /** Registers a schedule of acme that ticks each minute. */
  put(name: string, spec?: object): Promise<void>;
  /** The clock goes on, and what is due becomes runs. */
  pass(seconds: number): Promise<void>;
  claim(limits?: ActiveRunLimits): Promise<Claim[]>;
  /** Of one run that waits. */
  claimOne(): Promise<Claim>;
  settle(claim: Claim, outcome: TriggerOutcome): Promise<unknown>;
  /** The oldest tick first. */
  states(): Promise<string[]>;
}

export async function ledgerSetting(
  newStore: NewStore,
  { onTestFinished }: Pick<TestContext, 'onTestFinished'>,
  keys: readonly string[] = [],
): Promise<LedgerSetting> {
  const store = await newStore();
  const database = await openStore(store);
  onTestFinished(() => database.close());
  const registry = createScheduleRegistry({ database, sealer: createSealer(keys), policy: () => [] });
  // Back to the last whole hour: real time goes on during a test, and the next minute or hour has another tick.
  let offset = -(Date.now() % 3_600_000);
  await moveClock(database, offset);
  const claim = (limits: ActiveRunLimits = {}) => claimWaiting(database, 10, limits);
  return {
    store,
    database,
    registry,
    claim,
    async put(name, spec = {}) {
      const often = { collector: 'c_prices', every: '1m', inputs: [{ url: 'https://a.example' }], ...spec };
      await registry.putSchedule('acme', name, scheduleSpec().parse(often));
    },
    async pass(seconds) {
      offset += seconds * 1000;
      await moveClock(database, offset);
      await tickDue(database);
    },
    async claimOne() {
      const [found] = await claim();
      if (found === undefined) throw new Error('nothing waits');
      return found;
    },
    settle: (claimed, outcome) => recordOutcomes(database, [{ claim: claimed, outcome }]),
    states: async () => (await registry.runs({})).reverse().map(({ state }) => state),
  };
}

export const accepted = (collectionId: string): TriggerOutcome => ({ status: 'accepted', collectionId });

/** A tick a year, so that a test that runs at midnight gets none of its own. */
export const yearly = { every: undefined, cron: '0 0 1 1 *', timeZone: 'UTC' };

/** Claims a run that was started by hand. */
export async function claimed({ put, registry, claimOne }: LedgerSetting, spec: object = yearly): Promise<Claim> {
  await put('often', spec);
  await registry.runNow('acme', 'often');
  return claimOne();
}

/** Returns the reasons of all alerts, the oldest first. */
export async function alertsIn({ database }: LedgerSetting): Promise<string[]> {
  const rows = await database.query<{ why: string }>('SELECT why FROM alerts ORDER BY id');
  return rows.map(({ why }) => why);
}

export async function eventsOf({ registry }: LedgerSetting, id: string): Promise<string[]> {
  return (await registry.run(id)).events.map(({ state, text }) => `${state}: ${text}`);
}
