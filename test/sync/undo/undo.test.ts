/** Undoing runs: what is planned, what is refused, and what is sent, on an emulator. */
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Problem } from '../../../src/diagnostics/problem.ts';
import { type AccountInput, type Emulator, startEmulator } from '../../../src/emulator/index.ts';
import { type Config, configOf } from '../../../src/sync/config/config.ts';
import { planAll } from '../../../src/sync/plan/planner.ts';
import { applyPlanned } from '../../../src/sync/run/apply.ts';
import { beginRun, type JournaledCall, type Run } from '../../../src/sync/run/journal.ts';
import { openSession } from '../../../src/sync/session.ts';
import { canBeUndone, hasEffect, kindOf, planUndo, undoOf } from '../../../src/sync/undo/undo.ts';
import { applyUndo } from '../../../src/sync/undo/undoApply.ts';
import { readYaml } from '../../../src/yaml/source.ts';
import {
  allocationId,
  journaled,
  migrate,
  portsCall,
  refusal,
  registerCall,
  run as sampleRun,
  seen,
  settingsCall,
  settingsId,
  timeout,
  unregisterCall,
} from '../../report/samples.ts';

const account: AccountInput = {
  id: 'hl_undo',
  zones: {
    pricing: { ips: { us: ['192.0.2.10-192.0.2.14'] } },
    checkout: { ips: { us: ['192.0.2.20-192.0.2.21'] } },
  },
  manager: { settings: { logs: 1000, request_stats: false }, ports: [24_001, 24_002] },
};

const service = 'service: { profile: { settleSeconds: 0 } }\n';
const moving =
  'zoneIpAllocations: { static: { zones: { checkout: { ips: [192.0.2.10, 192.0.2.11] } }, sources: [pricing] } }\n';
const settings = 'managerSettings: { local: { logs: 500, requestStats: true } }\n';
const header = { command: 'apply', origin: 'https://api.example.com', version: '1' } as const;

interface Scene {
  emulator: Emulator;
  config(yaml: string): Config;
  /** Applies a declaration, and returns its run. */
  apply(yaml: string): Promise<Run>;
  /** Plans the undo of a run under a declaration. */
  undone(run: Run, yaml?: string, settleMs?: number, runs?: readonly Run[]): ReturnType<typeof planUndo>;
}

async function scene(): Promise<Scene> {
  const emulator = await startEmulator(account, { port: 0, managerPort: 0 });
  onTestFinished(() => emulator.close());
  const env = {
    WEBDATA_API_URL: emulator.apiUrl,
    WEBDATA_API_KEY: emulator.keys.ops,
    WEBDATA_MANAGER_URL: emulator.managerUrl,
  };
  const config = (yaml: string) => configOf(readYaml(service + yaml, 'w.yaml'), { env });
  const sessionOf = (its: Config) => {
    const session = openSession(its, { retry: { retries: 0 } });
    onTestFinished(() => session.close());
    return session;
  };
  return {
    emulator,
    config,
    async apply(yaml) {
      const its = config(yaml);
      const session = sessionOf(its);
      const writer = await beginRun(undefined, header);
      const { resources } = await applyPlanned(await planAll(its, session), its, session, writer);
      expect(resources.flatMap(({ problems }) => problems)).toEqual([]);
      await writer.end('done');
      return writer.run;
    },
    undone(run, yaml = '', settleMs = 0, runs = [run]) {
      const its = config(yaml);
      return planUndo(run, runs, its, sessionOf(its), settleMs);
    },
  };
}

const shown = (problems: readonly Problem[]) => problems.map(({ code, found }) => `${code}: ${found}`);

describe('the plan of an undo', () => {
  it('has the opposite of each call, the last one first', async () => {
    const { apply, undone, emulator } = await scene();
    const run = await apply(moving + settings);
    emulator.clearRequests();
    const { plan, resources, recent } = await undone(run);
    expect(new Set(plan.resources.map(({ name }) => name))).toEqual(new Set(['static', 'local']));
    const planOf = (name: string) => plan.resources.find((each) => each.name === name);
    expect(planOf('static')).toEqual({
      ...allocationId,
      changes: [],
      calls: [migrate('checkout', 'pricing', ['192.0.2.10', '192.0.2.11'])],
      notes: [],
      problems: [],
    });
    expect(planOf('local')).toMatchObject({
      ...settingsId,
      changes: [
        { path: ['logs'], kind: 'change', before: 500, after: 1000 },
        { path: ['requestStats'], kind: 'change', before: true, after: false },
      ],
      calls: [
        {
          type: 'updateSettings',
          settings: { logs: 1000, requestStats: false },
          before: { logs: 500, requestStats: true },
        },
      ],
      problems: [],
    });
    expect(resources.map(({ plan: { name }, done }) => [name, done.map(({ call }) => call.type)]).toSorted()).toEqual([
      ['local', ['updateSettings']],
      ['static', ['migrate']],
    ]);
    expect(recent).toEqual([]);
    expect(emulator.requests().filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  it('is empty for a resource that is back already', async () => {
    const { apply, undone } = await scene();
    const run = await apply(settings);
    await apply('managerSettings: { local: { logs: 1000, requestStats: false } }\n');
    expect((await undone(run)).plan.resources).toEqual([
      { ...settingsId, changes: [], calls: [], notes: [], problems: [] },
    ]);
  });

  it('names what has changed since', async () => {
    const { apply, undone } = await scene();
    const run = await apply(settings);
    await apply('managerSettings: { local: { logs: 7 } }\n');
    const [resource] = (await undone(run)).plan.resources;
    expect(resource?.problems).toEqual([
      {
        code: 'changed-since',
        path: ['logs'],
        found: 'logs is 7 now, but the run left it at 500',
        allowed: 'undoing changes that are still as the run left them',
        fix: 'declare what it should be and apply',
      },
    ]);
  });

  it('notes what cannot be undone, and has no call for it', async () => {
    const { apply, undone } = await scene();
    const run = await apply('managerSettings: { local: { logs: 500, absentPorts: [24001] } }\n');
    const [resource] = (await undone(run)).plan.resources;
    expect(resource?.notes).toEqual([{ code: 'left-as-is', text: 'deleted ports cannot be restored: 24001' }]);
    expect(resource?.calls.map(({ type }) => type)).toEqual(['updateSettings']);
  });

  it('of several calls that moved an IP on takes it back step by step', async () => {
    const { apply, undone } = await scene();
    const first = await apply(moving);
    const second = await apply(
      'zoneIpAllocations: { static: { zones: { pricing: { ips: [192.0.2.10] } }, sources: [checkout] } }\n',
    );
    const both = sampleRun(
      'aaaa1111',
      [...first.calls, ...second.calls].map((call, seq) => ({ ...call, seq })),
    );
    const { plan } = await undone(both);
    expect(plan.resources.map(({ calls }) => calls)).toEqual([
      [migrate('pricing', 'checkout', ['192.0.2.10']), migrate('checkout', 'pricing', ['192.0.2.10', '192.0.2.11'])],
    ]);
  });

  it('reports a service that cannot be read', async () => {
    const { apply, undone, emulator } = await scene();
    const run = await apply(settings);
    await emulator.close();
    const [resource] = (await undone(run)).plan.resources;
    expect(resource?.problems).toMatchObject([{ code: 'unreachable', affects: [] }]);
  });

  it('knows calls of the settle time as recent, by their read-back', async () => {
    const { undone } = await scene();
    const now = Date.now();
    const ago = (ms: number) => new Date(now - ms).toISOString();
    const move = migrate('pricing', 'checkout', ['192.0.2.10']);
    const sent = (ms: number, more: Partial<JournaledCall>) => ({
      ...journaled(allocationId, move, more),
      sentAt: ago(ms),
    });
    const late = sent(60_000, { seen: { ...seen(move), at: ago(1000) } });
    const early = sent(60_000, { seen: { ...seen(move), at: ago(50_000) } });
    const unread = sent(1000, { answered: { at: ago(1000), count: 1 } });
    const refused = sent(1000, { failed: refusal });
    const runs = [sampleRun('aaaa', [late, early]), sampleRun('bbbb', [unread, refused])];
    const { recent, resources } = await undone(sampleRun('cccc', []), '', 20_000, runs);
    expect(recent).toEqual([late, unread]);
    expect(resources).toEqual([]);
  });
});

describe('a guard of the declaration', () => {
  const zones = 'zones: { checkout: { ips: [192.0.2.10, 192.0.2.11] } }, sources: [pricing]';
  const own = (more: string) => `zoneIpAllocations: { static: { ${zones}, ${more} } }\n`;
  const other = (more: string, name = 'other') => `zoneIpAllocations: { ${name}: { ${more} } }\n`;
  const protectedIp = '192.0.2.10 is protected, and would move from checkout to pricing';

  it.each<[string, string, string[]]>([
    ['of the resource holds', own('protect: [192.0.2.10]'), [`protected: ${protectedIp}`]],
    ['on the number of moves of the resource holds', own('maxMoves: 1'), [expect.stringMatching(/^too-many-moves: /)]],
    ['on target zones does not hold', other('zones: { checkout: { count: 4 } }', 'static'), []],
    [
      'of others holds if the resource is no longer declared',
      other('zones: { checkout: { ips: [192.0.2.10] } }, protect: [192.0.2.10]'),
      [`protected: ${protectedIp}`],
    ],
    ['on the number of moves of others does not hold', other('zones: { checkout: { count: 4 } }, maxMoves: 1'), []],
    ['of another kind does not hold', settings, []],
  ])('%s', async (_, yaml, problems) => {
    const { apply, undone } = await scene();
    const run = await apply(moving);
    const [resource] = (await undone(run, yaml)).plan.resources;
    expect(shown(resource?.problems ?? [])).toEqual(problems);
  });

  it('has its location in the declaration', async () => {
    const { apply, undone } = await scene();
    const run = await apply(moving);
    const [resource] = (await undone(run, own('protect: [192.0.2.10]'))).plan.resources;
    expect(resource?.problems).toMatchObject([
      { path: expect.arrayContaining(['zoneIpAllocations', 'static']), place: { file: 'w.yaml', line: 2 } },
    ]);
  });

  it('that cannot be checked refuses the undo', async () => {
    const { apply, undone } = await scene();
    const run = await apply(moving);
    const missing = other('zones: { nowhere: { count: 1 } }');
    const [resource] = (await undone(run, missing)).plan.resources;
    expect(resource?.problems.length).toBeGreaterThan(0);
    expect(resource?.problems[0]?.path?.slice(0, 2)).toEqual(['zoneIpAllocations', 'other']);
  });

  it('holds for what is left to undo', async () => {
    const { apply, undone, emulator } = await scene();
    const run = await apply(moving);
    await apply('zoneIpAllocations: { static: { zones: { pricing: { ips: [192.0.2.10] } }, sources: [checkout] } }\n');
    const [resource] = (await undone(run, own('protect: [192.0.2.11]'))).plan.resources;
    expect(emulator.ips('pricing')).toContain('192.0.2.10');
    expect(shown(resource?.problems ?? [])).toEqual([
      'protected: 192.0.2.11 is protected, and would move from checkout to pricing',
    ]);
  });
});

describe('an undo', () => {
  async function undo(
    its: Scene,
    run: Run,
    { yaml = '', signal }: { yaml?: string; signal?: AbortSignal } = {},
    between = async () => {},
  ) {
    const config = its.config(yaml);
    const session = openSession(config, { retry: { retries: 0 }, signal });
    onTestFinished(() => session.close());
    const planned = await planUndo(run, [run], config, session, 0);
    await between();
    const writer = await beginRun(undefined, { ...header, command: 'undo', undoes: run.id });
    const result = await applyUndo(planned, config, session, writer);
    expect(result.plan).toBe(planned.plan);
    const outcomes = result.resources.map(({ name, outcome, made, notMade, problems }) => ({
      name,
      outcome,
      made: made.map(({ call }) => call.type),
      notMade: notMade.map(({ type }) => type),
      problems: shown(problems),
    }));
    return { outcomes: outcomes.toSorted((a, b) => (a.name < b.name ? -1 : 1)), run: writer.run };
  }
  const done = (name: string, ...made: string[]) => ({ name, outcome: 'done', made, notMade: [], problems: [] });

  it('sends the calls and reads them back', async () => {
    const its = await scene();
    const run = await its.apply(moving + settings);
    const undone = await undo(its, run);
    expect(undone.outcomes).toEqual([done('local', 'updateSettings'), done('static', 'migrate')]);
    expect(undone.run.calls.map(({ resource, seen }) => [resource.name, seen !== undefined])).toEqual(
      expect.arrayContaining([
        ['local', true],
        ['static', true],
      ]),
    );
    expect(its.emulator.ips('pricing')).toEqual(expect.arrayContaining(['192.0.2.10', '192.0.2.11']));
    expect((await undo(its, run)).outcomes).toEqual([
      { name: 'local', outcome: 'nothing', made: [], notMade: [], problems: [] },
      { name: 'static', outcome: 'nothing', made: [], notMade: [], problems: [] },
    ]);
  });

  it('sends calls with a common IP one by one, and others together', async () => {
    const its = await scene();
    const first = await its.apply(moving);
    const second = await its.apply(
      'zoneIpAllocations: { static: { zones: { pricing: { ips: [192.0.2.10, 192.0.2.21] } }, sources: [checkout] } }\n',
    );
    const calls = [...first.calls, ...second.calls].map((call, seq) => ({ ...call, seq }));
    expect((await undo(its, sampleRun('aaaa1111', calls))).outcomes).toEqual([
      done('static', ...calls.map(() => 'migrate')),
    ]);
    expect(its.emulator.ips('checkout').toSorted()).toEqual(['192.0.2.20', '192.0.2.21']);
  });

  it('fails for a resource that has changed since the plan, and goes on with the others', async () => {
    const its = await scene();
    const run = await its.apply(moving + settings);
    const between = async () => void (await its.apply('managerSettings: { local: { logs: 7 } }\n'));
    const { outcomes } = await undo(its, run, {}, between);
    expect(outcomes).toEqual([
      {
        name: 'local',
        outcome: 'failed',
        made: [],
        notMade: ['updateSettings'],
        problems: ['changed-since: logs is 7 now, but the run left it at 500'],
      },
      done('static', 'migrate'),
    ]);
  });

  it('checks the guards again before it sends', async () => {
    const its = await scene();
    const run = await its.apply(moving);
    const yaml = 'zoneIpAllocations: { static: { zones: { checkout: { count: 2, keepAtLeast: 2 } } } }\n';
    const between = async () =>
      void (await its.apply(
        'zoneIpAllocations: { static: { zones: { pricing: { ips: [192.0.2.20] } }, sources: [checkout] } }\n',
      ));
    const { outcomes } = await undo(its, run, { yaml }, between);
    expect(outcomes).toMatchObject([{ outcome: 'failed', made: [], notMade: ['migrate'] }]);
    expect(outcomes[0]?.problems).toEqual([expect.stringMatching(/^below-floor: checkout would be left with 1 IP/)]);
    expect(its.emulator.ips('checkout')).toContain('192.0.2.10');
  });

  it('sends nothing once the run was aborted', async () => {
    const its = await scene();
    const run = await its.apply(moving + settings);
    const controller = new AbortController();
    const { outcomes } = await undo(its, run, { signal: controller.signal }, async () => controller.abort());
    expect(outcomes.map(({ outcome, made }) => [outcome, made]).toSorted()).toEqual([
      ['failed', []],
      ['skipped', []],
    ]);
    expect(outcomes.find(({ outcome }) => outcome === 'failed')?.problems).toEqual(['interrupted: interrupted']);
    expect(outcomes.flatMap(({ notMade }) => notMade).toSorted()).toEqual(['migrate', 'updateSettings']);
  });
});

describe('a call', () => {
  const move = migrate('pricing', 'checkout', ['192.0.2.10', '192.0.2.11']);
  const at = '2026-07-01T10:00:00.000Z';
  const moved = (more: Partial<JournaledCall>) => journaled(allocationId, move, more);

  it.each<[string, JournaledCall, boolean, boolean]>([
    ['that was read back', moved({ answered: { at }, seen: seen(move) }), true, true],
    ['that moved a part', moved({ seen: seen(move, { notMoved: ['192.0.2.11'] }) }), true, true],
    ['that moved nothing', moved({ seen: seen(move, { notMoved: ['192.0.2.10', '192.0.2.11'] }) }), false, false],
    ['to move that was lost', moved({ failed: timeout }), false, false],
    ['to move that was refused', moved({ failed: refusal }), false, false],
    ['on settings that was lost', journaled(settingsId, settingsCall, { failed: timeout }), true, true],
    ['on settings that was refused', journaled(settingsId, settingsCall, { failed: refusal }), false, false],
    ['that deleted ports', journaled(settingsId, portsCall, { answered: { at } }), true, false],
    ['that changed a registration', journaled(settingsId, registerCall, { answered: { at } }), true, false],
    [
      'that registered',
      journaled(settingsId, { ...registerCall, before: null } as never, { answered: { at } }),
      true,
      true,
    ],
    ['that removed a registration', journaled(settingsId, unregisterCall, { answered: { at } }), true, false],
  ])('%s has an effect: %o', (_, sent, effect, undoable) => {
    expect([hasEffect(sent), canBeUndone(sent)]).toEqual([effect, undoable]);
  });

  it('of a type that undoes nothing is a bug', () => {
    expect(() => undoOf(portsCall)).toThrow(new TypeError('a call of type deletePorts undoes nothing'));
    expect(undoOf(settingsCall).remaining).toBeTypeOf('function');
  });

  it('of a kind of another version is refused', () => {
    expect(kindOf('managerSettings').name).toBe('ManagerSettings');
    expect(() => kindOf('dnsRecords')).toThrow(
      expect.objectContaining({
        problems: [
          {
            code: 'unknown-kind',
            found: 'the run changed `dnsRecords`, a kind of resource that this version does not know',
            fix: 'undo it with the version that made the run',
          },
        ],
      }),
    );
  });
});
