/** Scenarios for the worker of the trigger service: it fires schedules, polls jobs, and sends alerts. */
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '../../src/client/client.ts';
import { createSealer } from '../../src/triggers/secrets/secrets.ts';
import { sendAlerts } from '../../src/triggers/worker/alerts.ts';
import { createEndpointGuard } from '../../src/triggers/worker/endpointGuard.ts';
import { askJob } from '../../src/triggers/worker/pollJob.ts';
import { startWorker } from '../../src/triggers/worker/worker.ts';
import { keepsNothing } from '../../test/triggers/keepsNothing.ts';
import { moveClock } from '../../test/triggers/moveClock.ts';
import { owner } from '../../test/triggers/serving.ts';
import { plain } from './commands.ts';
import { faultKinds } from './kinds.ts';
import type { RunOptions, Scenario } from './scenario.ts';
import type { CellWorld, Ended } from './world.ts';

const sealer = createSealer([Buffer.alloc(32, 1).toString('base64')]);
const common = { front: 'trigger', account: plain, writes: true, again: 'never' } as const;

/** Creates the client as the trigger service does: it sends nothing again by itself. */
function clientOf({ env }: CellWorld, { timeoutSeconds }: RunOptions) {
  const { WEBDATA_API_URL: url = '', WEBDATA_API_KEY: apiKey = '' } = env;
  return createClient({ url, apiKey, timeoutMs: timeoutSeconds * 1000, retry: { retries: 0 } });
}

const of = { collector: { collector: 'c_prices' }, dataset: { collector: undefined, dataset: 'gd_companies' } };

function firing(target: keyof typeof of): Scenario {
  return {
    ...common,
    name: `worker: fire (${target})`,
    ...(target === 'collector' && { repeatsAfter5xx: true }),
    takes: { [`${target} trigger`]: ['fields of other types'] },
    prepare: ({ backend }) => backend.serving.schedule('nightly', of[target]),
    run: fire,
  };
}

/** Fires once and waits until the scheduled run has ended or needs a person. */
async function fire(world: CellWorld, options: RunOptions): Promise<Ended> {
  const { registry, database } = world.backend.serving;
  const client = clientOf(world, options);
  const { id } = await registry.runNow(owner, 'nightly');
  const worker = startWorker({
    database,
    client,
    sealer,
    secrets: { env: {} },
    keeper: keepsNothing,
    limits: {},
    retention: { eventsMs: 1e9, runsMs: 1e9 },
    allowPrivate: true,
    log: { info: () => undefined, warn: () => undefined },
    stopMs: 100,
  });
  try {
    for (;;) {
      const { state, reason } = (await registry.run(id)).run;
      if (state === 'running' || state === 'finished') return { code: 0, stdout: 'accepted', stderr: '' };
      if (state === 'unknown' || state === 'failed') return { code: 1, stdout: state, stderr: reason ?? '' };
      await sleep(50);
    }
  } finally {
    await worker.stop();
    await client.close();
  }
}

const redirected = faultKinds.filter(({ play }) => play.as === 'redirect').map(({ name }) => name);

function polling(target: keyof typeof of): Scenario {
  return {
    ...common,
    name: `worker: poll (${target})`,
    asksAgain: ['collector dataset', 'snapshot download'],
    waits: 'after a trigger',
    // The job has a result: it is found in the other format, and its rows are not counted.
    takesOnce: { 'snapshot download': ['an HTML page', 'an HTML page before the effect', 'no HTTP', ...redirected] },
    async prepare(world) {
      const { serving } = world.backend;
      await serving.schedule('nightly', of[target]);
      const client = clientOf(world, { timeoutSeconds: 30, retries: 0 });
      const inputs = [{ url: 'https://shop.example.com/a' }];
      const collectionId =
        target === 'collector'
          ? (await client.collectors.trigger({ collector: 'c_prices', inputs })).collectionId
          : (await client.datasets.trigger({ datasetId: 'gd_companies', inputs })).snapshotId;
      await client.close();
      await serving.run('nightly', { to: 'running', text: 'accepted', set: { collection_id: collectionId } });
    },
    run: poll,
  };
}

/** Polls as the worker does: after a lost answer, again later. */
async function poll(world: CellWorld, options: RunOptions): Promise<Ended> {
  const client = clientOf(world, options);
  const [run] = await world.backend.serving.registry.runs({ limit: 1 });
  if (run === undefined) throw new Error('there is no run');
  try {
    const look = () =>
      askJob(
        { ...run, keep: undefined, isMissing: false },
        { client, keeper: keepsNothing, signal: AbortSignal.timeout(100_000) },
      );
    const first = await look();
    const last = first.status === 'no-answer' || first.status === 'building' ? await look() : first;
    if (last.status === 'building') return { code: 1, stdout: last.status, stderr: `is not ready: ${last.words}` };
    if ('text' in last) return { code: 1, stdout: last.status, stderr: last.text };
    return { code: 0, stdout: JSON.stringify(last), stderr: '' };
  } finally {
    await client.close();
  }
}

const alerting: Scenario = {
  ...common,
  name: 'worker: alert',
  home: ['alert'],
  neverRepeats: true,
  isPatient: true,
  message: /^r_ID: \S/,
  async prepare({ backend, gateways }) {
    const { serving } = backend;
    await serving.schedule('nightly', { alerts: { on: ['failed'], endpoint: `${gateways.receiver.url}/alert` } });
    await serving.run('nightly', { to: 'failed', text: 'refused' });
  },
  run: alert,
  /** Continues a minute later. */
  async again(world) {
    const { database, registry } = world.backend.serving;
    await moveClock(database, (await registry.now()) - Date.now() + 61_000);
    return alert(world);
  },
};

async function alert({ backend }: CellWorld): Promise<Ended> {
  const { database } = backend.serving;
  const guard = createEndpointGuard(true);
  const missed = await sendAlerts({ database, sealer, guard, signal: AbortSignal.timeout(100_000) });
  await guard.dispatcher.destroy();
  const [row] = await database.query<{ left: number }>('SELECT COUNT(*) AS left FROM alerts WHERE sent_at IS NULL');
  const stderr = missed.map(({ run, found }) => `${run}: ${found}\n`).join('');
  return { code: missed.length + (row?.left ?? 0) > 0 ? 1 : 0, stdout: '', stderr };
}

export const workerScenarios: readonly Scenario[] = [
  firing('collector'),
  firing('dataset'),
  polling('collector'),
  polling('dataset'),
  alerting,
];
