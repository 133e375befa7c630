/** Scenarios for the handlers of the Pulumi provider, of each kind, as the engine calls them. */
import { Worker } from 'node:worker_threads';
import { plain } from './commands.ts';
import type { Answered, Asked } from './pulumiThread.ts';
import { optionalCalls, readBackCalls, type Scenario } from './scenario.ts';
import type { CellWorld, Ended } from './world.ts';

type Inputs = Readonly<Record<string, unknown>>;

interface Resource {
  kind: string;
  inputs: Inputs;
  /** The inputs of an update. */
  changed: Inputs;
}

const owner = 'acme';
const inputs = [{ url: 'https://shop.example.com/a' }];
const zones = { sources: ['pricing'], spare: 'parked', onDelete: 'release' };

const resources: readonly Resource[] = [
  {
    kind: 'ZoneIpAllocation',
    inputs: { zones: { checkout: { ips: ['192.0.2.10'] } }, ...zones },
    changed: { zones: { checkout: { ips: ['192.0.2.10', '192.0.2.11'] } }, ...zones },
  },
  {
    kind: 'ManagerSettings',
    inputs: { logs: 500, absentPorts: [24010] },
    changed: { logs: 600, absentPorts: [24001, 24010] },
  },
  {
    kind: 'WebhookDelivery',
    inputs: { owner, name: 'results', endpoint: 'https://hooks.example.com/a' },
    changed: { owner, name: 'results', endpoint: 'https://hooks.example.com/b' },
  },
  {
    kind: 'CollectorSchedule',
    inputs: { owner, name: 'nightly', collector: 'c_prices', cron: '0 3 1 1 *', inputs },
    changed: { owner, name: 'nightly', collector: 'c_prices', cron: '0 4 1 1 *', inputs },
  },
];

interface Created {
  id: string;
  outs: Inputs;
}

export const pulumiScenarios: readonly Scenario[] = resources.flatMap(scenariosOf);

function scenariosOf({ kind, inputs, changed }: Resource): Scenario[] {
  const made = new WeakMap<CellWorld, Created>();
  const olds = (world: CellWorld): Created => made.get(world) ?? { id: '', outs: {} };
  const create = async (world: CellWorld) => {
    const { value } = await ask(world, kind, 'create', [inputs]);
    made.set(world, value as Created);
  };
  const common = {
    front: 'Pulumi handler',
    account: plain,
    copesWith: optionalCalls,
    readsBack: readBackCalls,
    isPatient: true,
  } as const;
  const scenario = (
    handler: Asked['handler'],
    given: (world: CellWorld) => readonly unknown[],
    more: Partial<Scenario> = {},
  ): Scenario => ({
    ...common,
    writes: true,
    ...more,
    name: `${kind} ${handler}`,
    run: async (world) => endedOf(await ask(world, kind, handler, given(world))),
  });
  return [
    scenario('check', () => [{}, inputs], { writes: false, brief: true }),
    scenario('create', () => [inputs]),
    scenario('diff', (world) => [olds(world).id, olds(world).outs, changed], {
      prepare: create,
      again: 'never',
      leavesIt: true,
      brief: true,
    }),
    scenario('read', (world) => [olds(world).id, olds(world).outs], {
      prepare: create,
      again: 'never',
      brief: true,
      // A zone that no longer exists is drift.
      copesWith: { ...common.copesWith, 'zone ips': [404] },
    }),
    scenario('update', (world) => [olds(world).id, olds(world).outs, changed], { prepare: create }),
    scenario('delete', (world) => [olds(world).id, olds(world).outs], { prepare: create }),
  ];
}

/** Ends as the engine would: a problem that `check` finds is a failure too. */
function endedOf({ value, failure }: Answered): Ended {
  const found = (value as { failures?: { reason: string }[] } | null)?.failures ?? [];
  const said = failure ?? found.map(({ reason }) => reason).join('\n');
  return { code: said === '' ? 0 : 1, stdout: JSON.stringify(value ?? null), stderr: said };
}

/** Each run leaves a copy of the modules in the memory of its thread, so after this many runs another thread takes over. */
const runsOfThread = 200;

/** A worker thread, which ends with this process, or when it is retired and has answered everything. */
class PulumiThread {
  readonly #worker = new Worker(new URL('./pulumiThread.ts', import.meta.url), { stdout: true });
  readonly #waiting = new Map<number, (answer: Answered) => void>();
  #isRetired = false;

  constructor() {
    this.#worker.unref();
    this.#worker.on('message', (answer: Answered) => {
      this.#waiting.get(answer.id)?.(answer);
      this.#waiting.delete(answer.id);
      this.#endIfDone();
    });
  }

  ask(asked: Asked): Promise<Answered> {
    return new Promise((done) => {
      this.#waiting.set(asked.id, done);
      this.#worker.postMessage(asked);
    });
  }

  retire(): void {
    this.#isRetired = true;
    this.#endIfDone();
  }

  #endIfDone(): void {
    if (this.#isRetired && this.#waiting.size === 0) void this.#worker.terminate();
  }
}

let thread: PulumiThread | undefined;
let count = 0;

function ask(
  { env }: CellWorld,
  kind: string,
  handler: Asked['handler'],
  given: readonly unknown[],
): Promise<Answered> {
  count += 1;
  const config: Record<string, string> = {
    'webdata:apiUrl': env.WEBDATA_API_URL ?? '',
    'webdata:apiKey': env.WEBDATA_API_KEY ?? '',
    'webdata:managerUrl': env.WEBDATA_MANAGER_URL ?? '',
    'webdata:triggersUrl': env.WEBDATA_TRIGGERS_URL ?? '',
    'webdata:triggersToken': env.WEBDATA_TRIGGERS_TOKEN ?? '',
    'webdata:profile': JSON.stringify({ settleSeconds: 1 }),
  };
  const asked: Asked = { id: count, kind, config, handler, given };
  if (count % runsOfThread === 0) {
    thread?.retire();
    thread = undefined;
  }
  thread ??= new PulumiThread();
  return thread.ask(asked);
}
