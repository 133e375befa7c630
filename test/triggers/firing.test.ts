/** What becomes of a trigger, whatever the service answers: sent again only where that is safe or asked for, and the truth told about the rest. */
import { expect, it, type TestContext, vi } from 'vitest';
import type { FaultInput } from '../../src/emulator/faults.ts';
import { type Emulator, startEmulator } from '../../src/emulator/index.ts';
import { createTriggersClient, type TriggersClient } from '../../src/triggers/client.ts';
import { deliverySpec } from '../../src/triggers/deliverySpec.ts';
import { moveClock } from '../../src/triggers/ledger/now.ts';
import type { Run, RunState } from '../../src/triggers/model.ts';
import { scheduleSpec } from '../../src/triggers/scheduleSpec.ts';
import { startTriggerService, type TriggerServiceOptions } from '../../src/triggers/service.ts';
import type { Database } from '../../src/triggers/store/database.ts';
import { openStore } from '../../src/triggers/store/open.ts';
import { describeStores } from './stores.ts';

interface Setting {
  emulator: Emulator;
  triggers: TriggersClient;
  database: Database;
  lines: string[];
  fire(spec?: object): Promise<Run>;
  until(id: string, ...states: RunState[]): Promise<Run>;
  history(id: string): Promise<string[]>;
  /** As Prometheus is told: how many attempts left a run in each state. */
  outcomes(): Promise<string[]>;
}

type End = Pick<TestContext, 'onTestFinished'>;

const patience = { timeout: 30_000, interval: 50 };

async function setting(
  store: string,
  { onTestFinished }: End,
  options: Partial<TriggerServiceOptions> = {},
): Promise<Setting> {
  const emulator = await startEmulator({
    id: 'hl_1',
    collectors: { c_prices: { seconds: 0 } },
    datasets: { gd_people: { seconds: 0 } },
  });
  const lines: string[] = [];
  const service = await startTriggerService({
    store,
    token: 'token',
    keys: [Buffer.alloc(32, 7).toString('base64')],
    secrets: { env: { HOOK_AUTHORIZATION: 'Bearer from-env' }, allowedEnv: ['HOOK_*'] },
    allowPrivate: true,
    service: { url: emulator.apiUrl, apiKey: emulator.keys.admin },
    log: { write: (line) => void lines.push(line) },
    ...options,
  });
  const triggers = createTriggersClient({ url: service.url, token: 'token' });
  const database = await openStore(store);
  onTestFinished(async () => {
    await triggers.close();
    await service.close();
    await database.close();
    await emulator.close();
  });
  // `expect.poll` would have to know which of the tests that run side by side it is in.
  const until: Setting['until'] = (id, ...states) =>
    vi.waitFor(async () => {
      const { run } = await triggers.run(id);
      if (!states.includes(run.state)) throw new Error(`${run.state}: ${run.reason}`);
      return run;
    }, patience);
  return {
    emulator,
    triggers,
    database,
    lines,
    until,
    async fire(spec = {}) {
      const yearly = { cron: '0 0 1 1 *', inputs: [{ url: 'https://a.example' }], collector: 'c_prices', ...spec };
      await triggers.putSchedule('acme', 'yearly', scheduleSpec.parse(yearly));
      return triggers.runNow('acme', 'yearly');
    },
    history: async (id) => (await triggers.run(id)).events.map(({ state }) => state),
    async outcomes() {
      const text = await (await fetch(`${service.url}/metrics`)).text();
      return [...text.matchAll(/^webdata_triggers_outcomes_total\{state="(\w+)"\} (\d+)$/gm)].map(
        ([, state, count]) => `${state} ${count}`,
      );
    },
  };
}

const sent = ({ emulator }: Setting) => emulator.requests().filter(({ route }) => route?.endsWith('trigger')).length;
const accepted = ({ emulator }: Setting) => emulator.runs().length;

const fault = (fault: FaultInput['fault'], occurrence: FaultInput['occurrence'] = 'all'): FaultInput => ({
  route: 'dca/trigger',
  occurrence,
  fault,
});

describeStores('a trigger', (newStore) => {
  const cases: [what: string, faults: FaultInput[], spec: object, state: RunState, requests: number, runs: number][] = [
    ['that is accepted', [], {}, 'finished', 1, 1],
    ['of a dataset', [], { collector: undefined, dataset: 'gd_people' }, 'finished', 1, 1],
    ['that is answered 503 once', [fault({ kind: 'status', status: 503 }, 1)], {}, 'finished', 2, 1],
    [
      'that is answered 503, where nothing may be sent twice',
      [fault({ kind: 'status', status: 503 }, 1)],
      { retryOn5xx: false },
      'unknown',
      1,
      0,
    ],
    [
      'that was accepted and answered 503, where nothing may be sent twice',
      [fault({ kind: 'status', status: 503, when: 'after' }, 1)],
      { retryOn5xx: false },
      'unknown',
      1,
      1,
    ],
    [
      'that was accepted and answered 503, where it may',
      [fault({ kind: 'status', status: 503, when: 'after' }, 1)],
      {},
      'finished',
      2,
      2,
    ],
    ['whose connection is cut before it has its effect', [fault({ kind: 'drop-before' })], {}, 'unknown', 1, 0],
    ['whose connection is cut after it has had its effect', [fault({ kind: 'drop-after' })], {}, 'unknown', 1, 1],
    ['that is answered by a page', [fault({ kind: 'html', when: 'after' })], {}, 'unknown', 1, 1],
    ['that is refused: 401', [fault({ kind: 'status', status: 401 })], {}, 'failed', 1, 0],
    ['that is refused: 404', [], { collector: 'c_none' }, 'failed', 1, 0],
    ['that is refused: 422', [], { inputs: [{ nonsense: 1 }] }, 'failed', 1, 0],
  ];

  it.concurrent.for(cases)('%s', async ([, faults, spec, state, requests, runs], end) => {
    const each = await setting(await newStore(), end);
    for (const one of faults) each.emulator.addFault(one);
    const { id } = await each.fire(spec);
    const run = await each.until(id, state);
    expect({ requests: sent(each), runs: accepted(each), state: run.state }).toEqual({ requests, runs, state });
    if (state === 'finished') expect(run).toMatchObject({ rows: 1, collectionId: expect.stringMatching(/^[js]_/) });
    else expect(run.reason).toMatch(/\S/);
  });

  it.concurrent('that is answered 429 waits for as long as the service asks, and holds up no other', async (end) => {
    const each = await setting(await newStore(), end);
    each.emulator.addFault(fault({ kind: 'status', status: 429, retryAfter: 300 }, 1));
    const refused = await each.fire({ overlap: 'allow' });
    await vi.waitFor(async () => {
      expect((await each.triggers.run(refused.id)).run.reason).toMatch(/was answered 429.*; again in 60 s$/);
    }, patience);
    const other = await each.fire({ overlap: 'allow' });
    await each.until(other.id, 'finished');
    expect(await each.history(refused.id)).toEqual(['waiting', 'triggering', 'waiting']);
    await moveClock(each.database, 61_000);
    await each.until(refused.id, 'finished');
    expect(sent(each)).toBe(3);
  });

  it.concurrent('that is answered 5xx again and again is given up after 1, 2 and 4 seconds', async (end) => {
    const each = await setting(await newStore(), end, { openMetrics: true });
    each.emulator.addFault(fault({ kind: 'status', status: 500 }));
    const { id } = await each.fire();
    let offset = 0;
    for (const seconds of [1, 2, 4]) {
      await vi.waitFor(async () => {
        expect((await each.triggers.run(id)).run.reason).toMatch(`again in ${seconds} s`);
      }, patience);
      // Much longer, so that nothing is left to wait for.
      offset += 60_000;
      await moveClock(each.database, offset);
    }
    const run = await each.until(id, 'failed');
    expect(sent(each)).toBe(4);
    expect(run).toMatchObject({ attempts: 4, reason: expect.stringMatching('500') });
    expect(await each.outcomes()).toEqual(['waiting 3', 'failed 1']);
  });

  it.concurrent('that finds no service is sent again, as nothing has arrived', async (end) => {
    const each = await setting(await newStore(), end, { service: { url: 'http://127.0.0.1:9', apiKey: 'k' } });
    const { id } = await each.fire();
    await vi.waitFor(
      async () => expect(await each.history(id)).toEqual(expect.arrayContaining(['waiting', 'triggering', 'waiting'])),
      patience,
    );
    expect((await each.triggers.run(id)).run.collectionId).toBeNull();
  });
});

describeStores('a run of which nobody knows whether it was triggered', (newStore) => {
  it.concurrent('is sent by nobody again, until a person says what became of it', async (end) => {
    const each = await setting(await newStore(), end);
    each.emulator.addFault(fault({ kind: 'drop-after' }, [1, 2, 3]));
    const ids = await Promise.all([1, 2, 3].map(async () => (await each.fire({ overlap: 'allow' })).id));
    for (const id of ids) await each.until(id, 'unknown');
    await moveClock(each.database, 3_600_000);
    const [first = '', second = '', third = ''] = ids;
    const [real] = each.emulator.runs();
    await each.triggers.resolve(first, { as: 'triggered', collectionId: real?.id ?? '' });
    await each.triggers.resolve(second, { as: 'lost' });
    expect(await each.until(first, 'finished')).toMatchObject({ rows: 1, collectionId: real?.id });
    expect(sent(each)).toBe(3);
    await each.triggers.resolve(third, { as: 'resend' });
    await each.until(third, 'finished');
    expect(sent(each)).toBe(4);
    await expect(each.triggers.resolve(third, { as: 'lost' })).rejects.toThrow(`the run ${third} is finished`);
  });

  it.concurrent('takes an answer that comes after its lease ran out', async (end) => {
    const each = await setting(await newStore(), end);
    each.emulator.addFault(fault({ kind: 'delay', ms: 2500 }));
    const { id } = await each.fire();
    await each.until(id, 'triggering');
    await moveClock(each.database, 120_000);
    await each.until(id, 'unknown');
    await each.until(id, 'finished');
    expect(await each.history(id)).toEqual(['waiting', 'triggering', 'unknown', 'running', 'finished']);
    expect(sent(each)).toBe(1);
  });
});

describeStores('the secrets of a delivery', (newStore) => {
  it.concurrent('go out with the trigger, and stand nowhere else', async (end) => {
    const store = await newStore();
    const each = await setting(store, end);
    const canary = 'Bearer c4nary/+=secret';
    const endpoint = 'https://hooks.example.com/in?token=t0kencanary';
    await each.triggers.putDelivery('acme', 'results', deliverySpec.parse({ endpoint, authorization: canary }));
    const { id } = await each.fire({ collector: undefined, dataset: 'gd_people', delivery: 'results' });
    await each.until(id, 'finished');
    const shown = JSON.stringify([
      await each.triggers.records('acme'),
      await each.triggers.run(id),
      await each.triggers.schedules(),
    ]);
    const tables = await Promise.all(
      ['deliveries', 'schedules', 'runs', 'events', 'alerts'].map((table) =>
        each.database.query(`SELECT * FROM ${table}`),
      ),
    );
    const everything = [shown, JSON.stringify(tables), ...each.lines].join('\n');
    for (const secret of ['c4nary', 't0kencanary', encodeURIComponent(canary)])
      expect(everything).not.toContain(secret);
    // It was really sent: the emulator calls the endpoint with it, were it one of its targets.
    expect(each.emulator.deliveries()).toMatchObject([{ url: 'https://hooks.example.com/in', state: 'withheld' }]);
  });

  it.concurrent('are looked up when they are named, and a name that is not allowed is refused', async (end) => {
    const each = await setting(await newStore(), end);
    const put = (env: string) =>
      each.triggers.putDelivery(
        'acme',
        'results',
        deliverySpec.parse({ endpoint: 'https://hooks.example.com', authorization: { env } }),
      );
    await expect(put('AWS_SECRET_ACCESS_KEY')).rejects.toThrow('the variable AWS_SECRET_ACCESS_KEY may not be used');
    await put('HOOK_MISSING');
    const missing = await each.fire({ delivery: 'results' });
    expect(await each.until(missing.id, 'failed')).toMatchObject({
      reason: expect.stringContaining('HOOK_MISSING is not set'),
    });
    expect(sent(each)).toBe(0);
    await put('HOOK_AUTHORIZATION');
    const { id } = await each.fire({ delivery: 'results' });
    await each.until(id, 'finished');
  });

  it.concurrent('are refused without a key to encrypt them with, unless they are named', async (end) => {
    const each = await setting(await newStore(), end, { keys: [] });
    const literal = deliverySpec.parse({ endpoint: 'https://hooks.example.com', authorization: 'Bearer literal' });
    await expect(each.triggers.putDelivery('acme', 'results', literal)).rejects.toThrow(
      'there is no key to encrypt it with',
    );
    expect((await each.triggers.records('acme')).deliveries).toEqual([]);
  });
});
