/** A trigger service with its worker, beside an emulator: what happens to a run that is fired. */
import type { TestContext } from 'vitest';
import type { FaultInput } from '../../src/emulator/core/faults.ts';
import { type Emulator, startEmulator } from '../../src/emulator/index.ts';
import type { RunState, ScheduledRun } from '../../src/triggers/api/runs.ts';
import type { TriggersClient } from '../../src/triggers/api/triggersClient.ts';
import { createTriggersClient } from '../../src/triggers/client.ts';
import { scheduleSpec } from '../../src/triggers/declared/scheduleSpec.ts';
import { pollMs } from '../../src/triggers/ledger/polling.ts';
import { startTriggerService, type TriggerServiceOptions } from '../../src/triggers/service.ts';
import type { Database } from '../../src/triggers/store/database.ts';
import { openStore } from '../../src/triggers/store/open.ts';
import { eventually } from '../eventually.ts';
import { moveClock } from './moveClock.ts';

export interface FiringSetting {
  emulator: Emulator;
  triggers: TriggersClient;
  database: Database;
  lines: string[];
  fire(spec?: object): Promise<ScheduledRun>;
  /** Waits until a run is in one of the states. The clock passes over its pauses before the next attempt and the next poll. */
  until(id: string, ...states: RunState[]): Promise<ScheduledRun>;
  /** Moves the clock of all servers on the store on. */
  pass(ms: number): Promise<void>;
  history(id: string): Promise<string[]>;
  /** As Prometheus is told: how many attempts left a run in each state. */
  outcomes(): Promise<string[]>;
  /** Another server on the same store. */
  another(options?: Partial<TriggerServiceOptions>): Promise<void>;
}

/** Longer than any pause that no answer asks for. */
const longestPauseMs = pollMs + 1000;

export type End = Pick<TestContext, 'onTestFinished'>;

export async function firingSetting(
  store: string,
  { onTestFinished }: End,
  options: Partial<TriggerServiceOptions> = {},
): Promise<FiringSetting> {
  const emulator = await startEmulator({
    id: 'hl_1',
    collectors: { c_prices: { seconds: 0 }, c_slow: { seconds: 7200 } },
    datasets: { gd_people: { seconds: 0 } },
  });
  const lines: string[] = [];
  const usual: TriggerServiceOptions = {
    store,
    token: 'token',
    keys: [Buffer.alloc(32, 7).toString('base64')],
    secrets: {
      env: { HOOK_AUTHORIZATION: 'Bearer from-env' },
      bindings: [{ name: 'HOOK_*', destination: 'https://hooks.example.com' }],
    },
    allowPrivate: true,
    service: { url: emulator.apiUrl, apiKey: emulator.keys.admin },
    log: { write: (line) => void lines.push(line) },
  };
  const service = await startTriggerService({ ...usual, ...options });
  const triggers = createTriggersClient({ url: service.url, token: 'token' });
  const database = await openStore(store);
  onTestFinished(async () => {
    await triggers.close();
    await service.close();
    await database.close();
    await emulator.close();
  });
  let offset = 0;
  const pass = (ms: number) => {
    offset += ms;
    return moveClock(database, offset);
  };
  const until: FiringSetting['until'] = (id, ...states) => {
    let passedAt = 0;
    // `expect.poll` would have to know which of the tests that run side by side it is in.
    return eventually(async () => {
      const { run, events } = await triggers.run(id);
      if (states.includes(run.state)) return run;
      const isPaused = run.state === 'running' || (run.state === 'waiting' && events.length > 1);
      if (isPaused && events.length > passedAt) {
        passedAt = events.length;
        await pass(longestPauseMs);
      }
      throw new Error(`${run.state}: ${run.reason}`);
    });
  };
  return {
    emulator,
    triggers,
    database,
    lines,
    until,
    pass,
    async fire(spec = {}) {
      const yearly = { cron: '0 0 1 1 *', inputs: [{ url: 'https://a.example' }], collector: 'c_prices', ...spec };
      await triggers.putSchedule('acme', 'yearly', scheduleSpec().parse(yearly));
      return triggers.runNow('acme', 'yearly');
    },
    async another(more = {}) {
      const other = await startTriggerService({ ...usual, ...options, ...more });
      onTestFinished(() => other.close());
    },
    history: async (id) => (await triggers.run(id)).events.map(({ state }) => state),
    async outcomes() {
      const text = await (await fetch(`${service.url}/metrics`)).text();
      return [...text.matchAll(/^webdata_triggers_outcomes_total\{state="(\w+)"\} ([1-9]\d*)$/gm)].map(
        ([, state, count]) => `${state} ${count}`,
      );
    },
  };
}

/** The requests to trigger. */
export const sent = ({ emulator }: FiringSetting) =>
  emulator.requests().filter(({ route }) => route?.endsWith('trigger')).length;
/** The jobs that the service has. */
export const accepted = ({ emulator }: FiringSetting) => emulator.runs().length;

export const fault = (
  fault: FaultInput['fault'],
  occurrence: FaultInput['occurrence'] = 'all',
  route = 'dca/trigger',
): FaultInput => ({
  route,
  occurrence,
  fault,
});
