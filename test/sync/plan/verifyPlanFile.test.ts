/** A plan file is compared with a plan made now: each refusal, word for word. */
import { describe, expect, it } from 'vitest';
import { type Problem, ProblemError } from '../../../src/diagnostics/problem.ts';
import type { Call } from '../../../src/kinds/call.ts';
import { managerSettings } from '../../../src/kinds/managerSettings/kind.ts';
import { zoneIpAllocation } from '../../../src/kinds/zoneIpAllocation/kind.ts';
import { bareConfig } from '../../../src/sync/config/config.ts';
import { fingerprintsOf } from '../../../src/sync/plan/fingerprints.ts';
import type { PlanFile } from '../../../src/sync/plan/planFile.ts';
import type { Planned } from '../../../src/sync/plan/planned.ts';
import { comparePlanFile } from '../../../src/sync/plan/verifyPlanFile.ts';
import { addresses, migrate, portsCall, settingsCall } from '../../report/samples.ts';

type Resource = PlanFile['resources'][number];

const allocation: Resource = {
  collection: 'zoneIpAllocations',
  name: 'main',
  calls: [],
  fingerprints: { 'settings of M': 'other', 'ports of M': 'other' },
};
const settings: Resource = {
  collection: 'managerSettings',
  name: 'main',
  calls: [settingsCall],
  fingerprints: fingerprintsOf(planned([], { 'settings of M': 'then', 'ports of M': 'same' })),
};
const elsewhere: Resource = {
  ...settings,
  name: 'other',
  fingerprints: fingerprintsOf(planned([], { 'settings of M': 'now', 'ports of M': 'same' })),
};

function file(...resources: Resource[]): PlanFile {
  const meta = { id: 'p', createdAt: '', version: '1', origin: '' };
  return { format: 'webdata.planfile/1', ...meta, intent: 'update', declaration: {}, resources };
}

/** A plan that depends on these values. */
function planned(calls: Call[], dependencies: Record<string, string>, kind = managerSettings): Planned {
  const id = { kind: kind.name, collection: kind.collection, name: 'main' };
  const definition = { ...kind, guard: () => [], fingerprintInput: () => dependencies };
  return {
    declared: { ...id, definition, spec: {} },
    intent: 'update',
    plan: { ...id, calls, changes: [], notes: [], problems: [] },
    state: {},
    concurrencyKey: '',
  };
}

const now = { 'settings of M': 'now', 'ports of M': 'same' };
const config = bareConfig({ env: {} });

it('names what has changed by the fingerprints of the resource of that collection and that name', () => {
  const stale = () => comparePlanFile(file(allocation, elsewhere, settings), [planned([portsCall], now)], config);
  expect(stale).toThrow('the plan is out of date: settings of M changed since it was made');
});

it('takes the calls of the resource of that collection and that name', () => {
  const all = file(allocation, { ...elsewhere, calls: [portsCall] }, settings);
  const also = planned([portsCall], now);
  const other: Planned = { ...also, plan: { ...also.plan, name: 'other' } };
  expect(() => comparePlanFile(all, [planned([settingsCall], now), other], config)).not.toThrow();
});

it('says that the file was edited where no fingerprint has changed', () => {
  const edited = () =>
    comparePlanFile(
      file({ ...settings, fingerprints: fingerprintsOf(planned([], now)) }),
      [planned([portsCall], now)],
      config,
    );
  expect(edited).toThrow('the file was edited or made with other options');
});

it('refuses calls of a resource that is not planned any more, also beside one of the same name', () => {
  const gone = () => comparePlanFile(file(settings), [planned([], {}, zoneIpAllocation as never)], config);
  expect(gone).toThrow('the resource to remove no longer exists');
});

describe('a refusal', () => {
  const problemsOf = (action: () => void): readonly Problem[] => {
    try {
      action();
    } catch (error) {
      if (error instanceof ProblemError) return error.problems;
      throw error;
    }
    return [];
  };
  const outOfDate = (then: Call[], wanted: Call[], dependencies: Record<string, string> = now) =>
    problemsOf(() => comparePlanFile(file({ ...settings, calls: then }), [planned(wanted, dependencies)], config));
  const path = ['managerSettings', 'main'];
  const fix = 'plan again and review the changes';
  const notTheSame =
    'the plan is out of date: nothing that it depends on has changed, so the file was edited or made with other options';

  it('names the cause, a call that is no longer needed and a call that is needed now', () => {
    expect(outOfDate([settingsCall], [portsCall])).toEqual([
      {
        code: 'stale-plan',
        path,
        found: 'the plan is out of date: settings of M changed since it was made',
        allowed:
          'a plan whose calls are still the same; no longer needed: settings: logs 1000 → 500, whitelistIps -10.0.0.9, whitelistIps +10.0.0.0/8; needed now: ports: 24010, 24011',
        fix,
      },
    ]);
    expect(outOfDate([], [portsCall])).toMatchObject([
      { allowed: 'a plan whose calls are still the same; needed now: ports: 24010, 24011' },
    ]);
    expect(outOfDate([portsCall], [])).toMatchObject([
      { allowed: 'a plan whose calls are still the same; no longer needed: ports: 24010, 24011' },
    ]);
  });

  it('shows one call of each side, with at most three addresses', () => {
    const ips = addresses(6);
    const moves = [migrate('pricing', 'checkout', ips.slice(0, 3)), migrate('archive', 'checkout', ips.slice(0, 4))];
    expect(outOfDate(moves.slice(0, 1), moves.slice(1), {})).toMatchObject([
      {
        found: notTheSame,
        allowed: `a plan whose calls are still the same; no longer needed: pricing to checkout: ${ips.slice(0, 3).join(', ')}; needed now: archive to checkout: ${ips.slice(0, 3).join(', ')}, 1 more`,
      },
    ]);
    expect(outOfDate([portsCall, ...moves], [])).toMatchObject([
      {
        allowed: 'a plan whose calls are still the same; no longer needed: ports: 24010, 24011 (and 2 more calls)',
      },
    ]);
    expect(outOfDate([portsCall, settingsCall], [settingsCall])).toMatchObject([
      { allowed: 'a plan whose calls are still the same; no longer needed: ports: 24010, 24011' },
    ]);
  });

  it('names at most three causes', () => {
    const named = (count: number) =>
      outOfDate(
        [],
        [portsCall],
        Object.fromEntries(Array.from({ length: count }, (_, index) => [`zone ${index}`, ''])),
      );
    expect(named(3)).toMatchObject([
      { found: 'the plan is out of date: zone 0, zone 1, zone 2 changed since it was made' },
    ]);
    expect(named(5)).toMatchObject([
      { found: 'the plan is out of date: zone 0, zone 1, zone 2, 2 more changed since it was made' },
    ]);
  });

  it('names calls that would be new for a resource that the file does not have', () => {
    expect(problemsOf(() => comparePlanFile(file(), [planned([portsCall], {})], config))).toMatchObject([
      { path, found: notTheSame, allowed: expect.stringContaining('needed now: ports: 24010, 24011') },
    ]);
    expect(problemsOf(() => comparePlanFile(file(), [planned([], now)], config))).toEqual([]);
  });

  it('names a resource that no longer exists, but not one without calls', () => {
    const gone = problemsOf(() =>
      comparePlanFile(
        file({ ...allocation, name: 'empty' }, settings, elsewhere),
        [planned([settingsCall], now)],
        config,
      ),
    );
    expect(gone).toEqual([
      {
        code: 'stale-plan',
        path: ['managerSettings', 'other'],
        found: 'the plan is out of date: the resource to remove no longer exists',
        allowed:
          'a plan whose calls are still the same; no longer needed: settings: logs 1000 → 500, whitelistIps -10.0.0.9, whitelistIps +10.0.0.0/8',
        fix,
      },
    ]);
  });

  it('names problems of the plan and broken guards before calls are compared', () => {
    const problem = { code: 'count-not-met', found: 'too few' };
    const guard = { code: 'self-lockout', found: 'locks out', path: ['whitelistIps'] };
    const guarded = planned([portsCall], now);
    const definition = {
      ...guarded.declared.definition,
      guard: (_: unknown, state: unknown, calls: readonly Call[]) => (state && calls.length > 0 ? [guard] : []),
    };
    const both: Planned = {
      ...guarded,
      declared: { ...guarded.declared, definition },
      plan: { ...guarded.plan, problems: [problem] },
    };
    expect(problemsOf(() => comparePlanFile(file(settings), [both], config))).toEqual([
      problem,
      { ...guard, path: [...path, 'whitelistIps'] },
    ]);
    // Without a live state, no guard can be checked.
    const unread = { ...both, state: undefined };
    expect(problemsOf(() => comparePlanFile(file(settings), [unread], config))).toEqual([problem]);
    // The guards are checked with the calls of the file.
    const without = { ...both, plan: guarded.plan };
    expect(problemsOf(() => comparePlanFile(file({ ...settings, calls: [] }), [without], config))).toMatchObject([
      { code: 'stale-plan' },
    ]);
  });
});
