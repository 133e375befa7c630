/** The totals of a plan, and the part of it that is drift. */
import { describe, expect, it } from 'vitest';
import type { CausedChange } from '../../../src/engine/baseline/causes.ts';
import {
  driftIn,
  hasChanges,
  isGuardProblem,
  type Plan,
  problemsOf,
  type ResourcePlan,
  summarize,
} from '../../../src/engine/plan/plan.ts';
import type { Call } from '../../../src/kinds/call.ts';
import {
  allocationId,
  migrate,
  portsCall,
  registerCall,
  resource,
  samplePlan,
  scheduleId,
  settingsCall,
  settingsId,
  unregisterCall,
} from '../../report/samples.ts';

const planOf = (...resources: ResourcePlan[]): Plan => ({ resources });
const outside = { code: 'unreachable', found: 'the service does not answer', affects: [] };

describe('the summary', () => {
  const totalsOf = (plan: Plan) =>
    Object.fromEntries(summarize(plan).totals.map(({ total, count, calls }) => [total.name, [count, calls]]));

  it('counts changes by the types of calls, and what is added, changed and removed', () => {
    expect(totalsOf(samplePlan)).toEqual({
      ips: [3, 2],
      migrateCalls: [2, 2],
      settings: [3, 1],
      ports: [2, 1],
      registrations: [0, 0],
      removals: [0, 0],
    });
    expect(summarize(samplePlan)).toMatchObject({ tally: { add: 1, change: 1, remove: 3 }, unmanagedIps: 1 });
    expect(summarize(planOf())).toMatchObject({
      tally: { add: 0, change: 0, remove: 0 },
      schedulesAmiss: 0,
      unmanagedIps: 0,
      problems: 0,
    });
  });

  it('counts a schedule once, however many notes show that it is unhealthy', () => {
    const overdue = { code: 'overdue', text: '' };
    const unknown = { code: 'run-unknown', text: '' };
    const fires = { code: 'fires', text: '' };
    const plan = planOf(
      resource(scheduleId, [], [overdue, unknown, fires]),
      resource(scheduleId, [], [fires]),
      resource(scheduleId, [], [unknown]),
    );
    expect(summarize(plan).schedulesAmiss).toBe(2);
  });

  it('counts unmanaged IPs, and no IPs of other notes', () => {
    const notes = [
      { code: 'unmanaged', text: '', ips: ['192.0.2.1', '192.0.2.2'] },
      { code: 'unmanaged', text: '' },
      { code: 'geolocation-disagrees', text: '', ips: ['192.0.2.3'] },
    ];
    expect(summarize(planOf(resource(allocationId, [], notes))).unmanagedIps).toBe(2);
  });

  it('counts problems of one cause once', () => {
    const own = { code: 'below-floor', found: 'too few' };
    const plan = planOf(resource(allocationId, [], [], [outside, own]), resource(settingsId, [], [], [outside, own]));
    expect(summarize(plan).problems).toBe(3);
    expect(problemsOf(plan)).toEqual([outside, own, outside, own]);
  });
});

it('a plan has changes if a resource has calls', () => {
  expect(hasChanges(planOf())).toBe(false);
  expect(hasChanges(planOf(resource(allocationId, []), resource(settingsId, [])))).toBe(false);
  expect(hasChanges(planOf(resource(allocationId, []), resource(settingsId, [portsCall])))).toBe(true);
});

it.each([
  ['protected', true],
  ['below-floor', true],
  ['too-many-moves', true],
  ['self-lockout', true],
  ['count-not-met', false],
  ['unreachable', false],
])('%s is a broken guard: %s', (code, isGuard) => {
  expect(isGuardProblem({ code, found: '' })).toBe(isGuard);
});

describe('drift', () => {
  const guard = { code: 'too-many-moves', found: 'too many' };
  const unseenPorts = { ...portsCall, observed: false };
  const driftOf = (plan: ResourcePlan) => driftIn(planOf(plan)).resources[0];

  it('is a plan without broken guards, since nothing is sent', () => {
    const calls = [migrate('pricing', 'checkout', ['192.0.2.1'])];
    expect(driftOf(resource(allocationId, calls, [], [guard, outside]))).toEqual(
      resource(allocationId, calls, [], [outside]),
    );
  });

  it('has no calls whose need cannot be seen, nor their changes', () => {
    expect(driftOf(resource<Call>(settingsId, [settingsCall, unseenPorts]))).toEqual(
      resource(settingsId, [settingsCall]),
    );
    expect(driftOf(resource<Call>(settingsId, [settingsCall, portsCall]))).toEqual(
      resource<Call>(settingsId, [settingsCall, portsCall]),
    );
    expect(driftOf(resource<Call>(scheduleId, [registerCall, unregisterCall]))).toEqual(
      resource<Call>(scheduleId, [registerCall, unregisterCall]),
    );
  });

  it('has the causes of what can be seen, and none if nothing can', () => {
    const cause = (path: string, isObserved?: boolean) =>
      ({
        path: [path],
        kind: 'change',
        cause: 'drift',
        ...(isObserved !== undefined && { isObserved }),
      }) as never as CausedChange;
    const causes = [cause('a'), cause('b', true), cause('c', false)];
    expect(driftOf({ ...resource(settingsId, [settingsCall]), causes })?.causes).toEqual(causes.slice(0, 2));
    expect(driftOf({ ...resource(settingsId, [unseenPorts]), causes })?.causes).toEqual([]);
    expect(driftOf(resource(settingsId, [settingsCall]))).not.toHaveProperty('causes');
  });
});
