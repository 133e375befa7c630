/** A trigger service on a store of its own, without a worker: tests say what becomes of its runs. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ScheduledRun } from '../../src/triggers/api/runs.ts';
import { deliverySpec } from '../../src/triggers/declared/deliverySpec.ts';
import { scheduleSpec } from '../../src/triggers/declared/scheduleSpec.ts';
import { ledgerNow } from '../../src/triggers/ledger/now.ts';
import { makeTransition, type Transition } from '../../src/triggers/ledger/transition.ts';
import { createSealer } from '../../src/triggers/secrets/secrets.ts';
import { createTriggerServer, startListening, type TriggerServerOptions } from '../../src/triggers/server/server.ts';
import type { Database } from '../../src/triggers/store/database.ts';
import { openStore } from '../../src/triggers/store/open.ts';
import { createScheduleRegistry, type ScheduleRegistry } from './registry.ts';

export const token = 'token-of-the-tests-0123456789';

export interface Serving extends AsyncDisposable {
  url: string;
  registry: ScheduleRegistry;
  database: Database;
  /** What was logged, a line each. */
  lines: string[];
  /** With the token. */
  call(method: string, path: string, body?: unknown): Promise<{ status: number; body: unknown }>;
  /** Registers a schedule that ticks once a year, and changes nothing else. */
  schedule(name: string, spec?: Record<string, unknown>): Promise<void>;
  /** A run of a schedule, brought into a state. */
  run(name: string, to?: Omit<Transition, 'run' | 'from' | 'at'>): Promise<ScheduledRun>;
  /** The server goes away and comes back at the same place; the store stays. */
  stop(): Promise<void>;
  start(): Promise<void>;
  change(run: ScheduledRun, to: Omit<Transition, 'run' | 'from' | 'at'>): Promise<void>;
}

export const owner = 'acme';

/** `keys` encrypt secrets; without one, none can be registered. */
export async function openServing(
  options: Partial<TriggerServerOptions> = {},
  keys: readonly string[] = [Buffer.alloc(32, 1).toString('base64')],
): Promise<Serving> {
  const folder = await mkdtemp(join(tmpdir(), 'webdata-serving-'));
  const database = await openStore(join(folder, 'store.db'));
  const sealer = createSealer(keys);
  const registry = createScheduleRegistry({ database, sealer, policy: () => [] });
  const lines: string[] = [];
  const log = { write: (line: string) => void lines.push(line) };
  const create = () => createTriggerServer({ database, operations: registry.operations, token, log, ...options });
  let server = create();
  const url = await startListening(server, '127.0.0.1', 0);

  const change = async (run: ScheduledRun, to: Omit<Transition, 'run' | 'from' | 'at'>) => {
    const from = [(await registry.run(run.id)).run.state];
    await database.transaction(async (queries) => {
      const at = await ledgerNow(queries);
      await makeTransition(queries, { run: run.id, from, at, ...to });
    });
  };
  return {
    url,
    registry,
    database,
    lines,
    change,
    async call(method, path, body) {
      const json =
        body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
      const headers = { ...json.headers, authorization: `Bearer ${token}` };
      const response = await fetch(url + path, { method, ...json, headers });
      const text = await response.text();
      return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
    },
    async schedule(name, spec = {}) {
      await registry.putSchedule(owner, name, yearly(spec));
    },
    async run(name, to) {
      const run = await registry.runNow(owner, name);
      if (to) await change(run, to);
      return (await registry.run(run.id)).run;
    },
    stop: () => server.close(),
    async start() {
      server = create();
      await startListening(server, '127.0.0.1', Number(new URL(url).port));
    },
    async [Symbol.asyncDispose]() {
      await server.close();
      await database.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export function yearly(spec: Record<string, unknown> = {}) {
  const inputs = [{ url: 'https://shop.example.com/a' }];
  return scheduleSpec().parse({ collector: 'c_prices', cron: '0 3 1 1 *', inputs, ...spec });
}

export function webhook(spec: Record<string, unknown> = {}) {
  return deliverySpec().parse({ endpoint: 'https://hooks.example.com/webdata', ...spec });
}
