/** How resources are planned: one after the other, again after those that failed, and with the lists that were fetched. */

import { describe, expect, it } from 'vitest';
import { ProblemError } from '../../../src/base/diagnostics/problem.ts';
import { readYaml } from '../../../src/base/yaml/source.ts';
import { ServiceError, type ServiceErrorCode } from '../../../src/client/errors.ts';
import { type Config, configOf } from '../../../src/engine/declaration/config.ts';
import { fingerprintsOf } from '../../../src/engine/plan/fingerprints.ts';
import type { Declared, Planned } from '../../../src/engine/plan/planned.ts';
import { concurrencyKeyOf, planAll, planOf, problemsOfError } from '../../../src/engine/plan/planner.ts';
import { openSession } from '../../../src/engine/run/session.ts';
import type { Session } from '../../../src/engine/run/sessionViews.ts';
import { accountView } from '../../../src/kinds/accountView.ts';
import type { AnyKind, Diff } from '../../../src/kinds/kind.ts';
import { managerSettings } from '../../../src/kinds/managerSettings/kind.ts';
import { zoneIpAllocation } from '../../../src/kinds/zoneIpAllocation/kind.ts';
import { migrate, portsCall } from '../../report/samples.ts';

const nothing: Diff = { changes: [], calls: [], notes: [], problems: [] };
const yaml = 'managerSettings:\n  r0: { url: "http://m:1", logs: 1 }\n  r1: { url: "http://m:2", logs: 1 }\n';
const declaration = configOf(readYaml(yaml, 'w.yaml'), { env: {} });
const session = openSession(declaration, {});

function serviceError(code: ServiceErrorCode): ServiceError {
  const request = { method: 'GET', url: 'http://m/api/settings' };
  return new ServiceError('refused', { code, effect: 'none', request, fix: 'ask an admin', transient: false });
}

const removing = (diff: AnyKind['diff']): AnyKind['removal'] => ({ diff, send: async () => undefined });

/** Resources `r0`, `r1`… of a kind that reads and compares as told. */
function setup(
  keys: readonly string[],
  { observe = async () => ({}), ...kind }: Partial<AnyKind> = {},
): { config: Config; observed: string[] } {
  const observed: string[] = [];
  const definition: AnyKind = {
    ...(managerSettings as AnyKind),
    concurrencyKey: (spec) => String(spec),
    diff: () => nothing,
    removal: removing(() => nothing),
    ...kind,
    observe: (spec, context) => {
      observed.push(context.name);
      return observe(spec, context);
    },
  };
  const declared = keys.map((spec, index): Declared => {
    return { kind: definition.name, collection: definition.collection, name: `r${index}`, definition, spec };
  });
  return { config: { ...declaration, declared }, observed };
}

const names = (planned: readonly Planned[]) => planned.map(({ plan }) => plan.name);

describe('resources', () => {
  it('are planned in the order of the declaration, those of one concurrency key together', async () => {
    const { config, observed } = setup(['a', 'b', 'a']);
    const planned = await planAll(config, session);
    expect(names(planned)).toEqual(['r0', 'r2', 'r1']);
    expect(observed.toSorted()).toEqual(['r0', 'r1', 'r2']);
    expect(planned.map(({ concurrencyKey, intent, state, unread }) => [concurrencyKey, intent, state, unread])).toEqual(
      [
        ['a', 'update', {}, undefined],
        ['a', 'update', {}, undefined],
        ['b', 'update', {}, undefined],
      ],
    );
    expect(planOf(planned).resources.map(({ name }) => name)).toEqual(['r0', 'r2', 'r1']);
  });

  it('may be selected', async () => {
    const { config, observed } = setup(['a', 'b', 'c']);
    expect(names(await planAll(config, session, { select: ({ name }) => name !== 'r1' }))).toEqual(['r0', 'r2']);
    expect(observed).not.toContain('r1');
  });

  it('have the location of their declaration, and so have their problems and zones', async () => {
    const problem = { code: 'count-not-met', found: 'too few', path: ['logs'] };
    const inventory = [
      { zone: 'z', path: ['logs'], countries: [] },
      { zone: 'unnamed', countries: [] },
    ];
    const { config } = setup(['a', 'b'], {
      diff: (spec) => (spec === 'a' ? { ...nothing, inventory } : { ...nothing, problems: [problem] }),
    });
    const [first, second] = await planAll(config, session);
    expect(first?.plan).toEqual({
      kind: 'ManagerSettings',
      collection: 'managerSettings',
      name: 'r0',
      place: { file: 'w.yaml', line: 2, column: 3 },
      ...nothing,
      inventory: [
        { ...inventory[0], place: { file: 'w.yaml', line: 2, column: 28 } },
        { ...inventory[1], place: undefined },
      ],
    });
    expect(second?.plan).toMatchObject({
      inventory: undefined,
      problems: [
        {
          ...problem,
          path: ['managerSettings', 'r1', 'logs'],
          place: { file: 'w.yaml', line: 3, column: 34 },
        },
      ],
    });
  });

  it('are removed by the plan of a destroy', async () => {
    const { config } = setup(['a'], { removal: removing(() => ({ ...nothing, calls: [portsCall] })) });
    const [removed] = await planAll(config, session, { intent: 'delete' });
    expect(removed).toMatchObject({ intent: 'delete', plan: { calls: [portsCall] } });
    expect((await planAll(config, session))[0]?.plan.calls).toEqual([]);
  });

  it('that cannot be read have a problem and no state', async () => {
    const { config } = setup(['a'], {
      observe: async () => {
        throw serviceError('unreachable');
      },
    });
    const [unread] = await planAll(config, session);
    expect(unread).toMatchObject({
      state: undefined,
      unread: { code: 'unreachable' },
      plan: {
        changes: [],
        calls: [],
        notes: [],
        problems: [{ code: 'unreachable', found: 'refused', fix: 'ask an admin' }],
      },
    });
    expect(unread && fingerprintsOf(unread)).toEqual({});
  });

  it('are not planned while lists of the declaration are missing', async () => {
    const { config } = setup(['a']);
    await expect(planAll({ ...config, skippedLists: 1 }, session)).rejects.toThrow(
      'the lists of the declaration were not fetched',
    );
  });

  it('are planned in the views that the caller brings, or in new ones', async () => {
    const seen: unknown[] = [];
    const { config } = setup(['a'], {
      observe: async (_, { view }) => {
        seen.push(view(accountView));
        return {};
      },
    });
    await planAll(config, session, { planning: session });
    await planAll(config, session);
    expect(seen[0]).toBe(session.view(accountView));
    expect(seen[1]).not.toBe(session.view(accountView));
  });
});

describe('a resource with a problem', () => {
  const problem = { code: 'count-not-met', found: 'too few' };
  /** Has a problem until the resources with these names were planned. */
  const waitingFor = (rule: Record<string, string>, error?: Error) => {
    const planned = new Set<string>();
    return {
      observe: async (_: unknown, { name }: { name: string }) => name,
      diff: (_: unknown, state: unknown): Diff => {
        const needed = rule[String(state)];
        if (needed !== undefined && !planned.has(needed)) {
          if (error) throw error;
          return { ...nothing, problems: [problem] };
        }
        planned.add(String(state));
        return nothing;
      },
    };
  };

  it('is planned again after the others, as often as that helps', async () => {
    const { config, observed } = setup(['a', 'a', 'a'], waitingFor({ r0: 'r1', r1: 'r2' }));
    const planned = await planAll(config, session);
    expect(names(planned)).toEqual(['r2', 'r1', 'r0']);
    expect(planned.flatMap(({ plan }) => plan.problems)).toEqual([]);
    expect(observed).toEqual(['r0', 'r1', 'r2', 'r0', 'r1', 'r0']);
  });

  it('keeps its problem if no other one helps', async () => {
    const { config, observed } = setup(['a', 'a'], waitingFor({ r0: 'nobody' }));
    const planned = await planAll(config, session);
    expect(planned.map(({ plan }) => [plan.name, plan.problems.length])).toEqual([
      ['r1', 0],
      ['r0', 1],
    ]);
    expect(observed).toEqual(['r0', 'r1', 'r0']);
  });

  it('is not planned again after the API key was refused', async () => {
    for (const [code, times] of [
      ['unauthorized', 2],
      ['refused', 3],
    ] as const) {
      const { config, observed } = setup(['a', 'a'], waitingFor({ r0: 'nobody' }, serviceError(code)));
      await planAll(config, session);
      expect(observed).toHaveLength(times);
    }
  });

  it('does not change the views for those after it, but its calls do once it has none', async () => {
    const calls = [migrate('pricing', 'checkout', ['192.0.2.1'])];
    const expected: unknown[] = [];
    const planning = {
      ...session,
      view: () => ({ ...session.view(accountView), expect: (call: unknown) => expected.push(call) }),
    } as unknown as Session;
    const { config } = setup(['a', 'a'], {
      observe: async (_, { name }) => name,
      diff: (_, name) => ({ ...nothing, calls, problems: name === 'r0' ? [problem] : [] }),
    });
    await planAll(config, session, { planning });
    expect(expected).toEqual(calls);
  });
});

describe('the concurrency key', () => {
  it('of a resource that has none, such as without a URL, is its own', () => {
    const [declared] = setup(['a']).config.declared;
    if (declared === undefined) throw new Error('nothing is declared');
    expect(concurrencyKeyOf(declared, session)).toBe('a');
    const definition: AnyKind = {
      ...declared.definition,
      concurrencyKey: () => {
        throw new ProblemError([{ code: 'no-manager-url', found: '' }]);
      },
    };
    expect(concurrencyKeyOf({ ...declared, definition }, session)).toBe('managerSettings r0');
  });
});

describe('a list that was fetched', () => {
  const list = (path: string, items: string[]) => ({
    path,
    items,
    source: 'https://lists.example.com/offices',
    fetchedAt: '2026-07-01T10:00:00.000Z',
  });

  it('is a note of its resource', async () => {
    const { config } = setup(['a', 'b'], {
      diff: () => ({ ...nothing, notes: [{ code: 'read-by-put', text: 'by PUT' }] }),
    });
    const lists = [
      list('managerSettings.r0.whitelistIps[1]', ['10.0.0.1', '10.0.0.2']),
      list('managerSettings.other.whitelistIps', []),
      list('zoneIpAllocations.r0.protect', []),
      list('managerSettings.r0.wwwWhitelistIps', ['10.0.0.1']),
    ];
    const [first, second] = await planAll({ ...config, lists }, session);
    const fetched = 'from https://lists.example.com/offices, fetched 2026-07-01T10:00:00Z';
    expect(first?.plan.notes).toEqual([
      { code: 'read-by-put', text: 'by PUT' },
      { code: 'list-fetched', text: `whitelistIps[1]: 2 lines ${fetched}`, path: ['whitelistIps', 1] },
      { code: 'list-fetched', text: `wwwWhitelistIps: 1 line ${fetched}`, path: ['wwwWhitelistIps'] },
    ]);
    expect(second?.plan.notes).toEqual([{ code: 'read-by-put', text: 'by PUT' }]);
  });
});

describe('an error', () => {
  it('that is expected becomes problems; a bug does not', () => {
    const problem = { code: 'a', found: 'b' };
    expect(problemsOfError(new ProblemError([problem, problem]))).toEqual([problem, problem]);
    expect(problemsOfError(serviceError('forbidden'))).toEqual([
      { code: 'forbidden', found: 'refused', fix: 'ask an admin', affects: [] },
    ]);
    expect(() => problemsOfError(new TypeError('a bug'))).toThrow('a bug');
  });
});

describe('fingerprints', () => {
  const planned = (state: unknown): Planned => {
    const id = { kind: zoneIpAllocation.name, collection: zoneIpAllocation.collection, name: 'r' };
    const definition: AnyKind = {
      ...(zoneIpAllocation as AnyKind),
      fingerprint: (its) => its as Record<string, unknown>,
    };
    return {
      declared: { ...id, definition, spec: {} },
      intent: 'update',
      plan: { ...id, ...nothing },
      state,
      concurrencyKey: '',
    };
  };

  it('are short hashes of each thing that a plan depends on', () => {
    expect(fingerprintsOf(planned({ 'zone a': [1, 2], 'zone b': [1, 2], 'zone c': [2, 1] }))).toEqual({
      'zone a': expect.stringMatching(/^[0-9a-f]{16}$/),
      'zone b': fingerprintsOf(planned({ x: [1, 2] })).x,
      'zone c': expect.not.stringMatching(fingerprintsOf(planned({ x: [1, 2] })).x ?? ''),
    });
    expect(fingerprintsOf(planned(undefined))).toEqual({});
  });
});
