/** Which resources a run has settled, so that the baseline knows them. */
import { describe, expect, it } from 'vitest';
import { settledByApply, settledByUndo } from '../../../src/sync/baseline/settled.ts';
import type { Planned } from '../../../src/sync/plan/planned.ts';
import type { ApplyResult, ResourceResult } from '../../../src/sync/run/outcome.ts';
import { allocationId, migrate, scheduleId } from '../../report/samples.ts';

const spec = { zones: { checkout: { count: 1 } } };

function planned(
  id: typeof allocationId,
  more: { intent?: Planned['intent']; spec?: unknown; calls?: number; problems?: number } = {},
) {
  const calls = Array.from({ length: more.calls ?? 0 }, () => migrate('pricing', 'checkout', ['192.0.2.1']));
  const problems = Array.from({ length: more.problems ?? 0 }, () => ({ code: 'a', found: 'b' }));
  return {
    declared: { ...id, definition: {}, spec: 'spec' in more ? more.spec : spec },
    intent: more.intent ?? 'update',
    plan: { ...id, changes: [], calls, notes: [], problems },
  } as unknown as Planned;
}

const resultOf = (id: typeof allocationId, outcome: ResourceResult['outcome']): ApplyResult => ({
  plan: { resources: [] },
  resources: [{ ...id, outcome, made: [], notMade: [], problems: [] }],
});

describe('an apply', () => {
  it('settles what is done and what had nothing to do', () => {
    const settled = (outcome: ResourceResult['outcome']) =>
      settledByApply([planned(allocationId)], resultOf(allocationId, outcome)).map(({ is, resource }) => [
        is,
        resource,
      ]);
    expect(settled('done')).toEqual([['applied', allocationId]]);
    expect(settled('nothing')).toEqual([['applied', allocationId]]);
    expect(settled('failed')).toEqual([]);
    expect(settled('skipped')).toEqual([]);
    expect(settledByApply([planned(allocationId)], resultOf(scheduleId, 'done'))).toEqual([]);
  });

  it('tells resources apart by collection and name', () => {
    const other = { ...allocationId, name: 'other' };
    const both = [planned(allocationId), planned(other), planned({ ...scheduleId, name: allocationId.name })];
    const settled = settledByApply(both, resultOf(allocationId, 'done'));
    expect(settled).toEqual([{ resource: allocationId, is: 'applied', spec, sent: true }]);
  });

  it('does not settle a resource whose spec is not complete', () => {
    const incomplete = planned(allocationId);
    const definition = { baseline: { keep: () => undefined } };
    const declared = { ...incomplete.declared, definition } as unknown as Planned['declared'];
    expect(settledByApply([{ ...incomplete, declared }], resultOf(allocationId, 'done'))).toEqual([]);
  });

  it('knows whether calls were sent', () => {
    const sent = (outcome: ResourceResult['outcome']) =>
      settledByApply([planned(allocationId)], resultOf(allocationId, outcome))[0];
    expect(sent('done')).toMatchObject({ sent: true, spec });
    expect(sent('nothing')).toMatchObject({ sent: false, spec });
  });

  it('settles without a run what needs no call and has no problem', () => {
    const settled = (more: object) => settledByApply([planned(allocationId, more)], undefined).map(({ is }) => is);
    expect(settled({})).toEqual(['applied']);
    expect(settled({ calls: 1 })).toEqual([]);
    expect(settled({ problems: 1 })).toEqual([]);
  });
});

describe('a removal', () => {
  const settled = (more: object, outcome: ResourceResult['outcome']) =>
    settledByApply([planned(scheduleId, { intent: 'delete', ...more })], resultOf(scheduleId, outcome)).map(
      ({ is }) => is,
    );

  it('settles a declared resource, and an undeclared one only if it was removed', () => {
    expect(settled({}, 'done')).toEqual(['removed']);
    expect(settled({}, 'failed')).toEqual([]);
    expect(settled({}, 'nothing')).toEqual(['removed']);
    expect(settled({ spec: undefined, calls: 1 }, 'done')).toEqual(['removed']);
    expect(settled({ spec: undefined }, 'nothing')).toEqual([]);
  });
});

it('an undo settles the resources whose calls were undone', () => {
  expect(settledByUndo(resultOf(allocationId, 'done'), 'run')).toEqual([
    { resource: allocationId, is: 'undone', run: 'run' },
  ]);
  expect(settledByUndo(resultOf(allocationId, 'failed'), 'run')).toEqual([]);
});
