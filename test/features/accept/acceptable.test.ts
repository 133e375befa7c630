/** Which resources `drift --accept` may change: never those with changes that are declared and not applied yet. */

import { describe, expect, it } from 'vitest';
import type { DeclarationBaseline } from '../../../src/engine/baseline/baseline.ts';
import type { Cause } from '../../../src/engine/baseline/causes.ts';
import type { ResourcePlan } from '../../../src/engine/plan/plan.ts';
import { acceptabilityOf } from '../../../src/features/accept/acceptable.ts';
import { driftComparison } from '../../../src/kinds/seam/comparison.ts';
import { kindProviding } from '../../kinds/offers.ts';
import { allocationId } from '../../report/samples.ts';

const muted = { reason: 'known', owner: 'network', until: '2030-01-01' };
const change = (cause: Cause, isMuted = false) => ({
  path: ['a'],
  kind: 'change' as const,
  cause,
  ...(isMuted && { muted }),
});
const drift = change('drift');

const plan = (more: Partial<ResourcePlan> = {}): ResourcePlan => ({
  ...allocationId,
  changes: [],
  calls: [],
  notes: [],
  problems: [],
  ...more,
});

const spec = { zones: {} };
const at = '2026-07-01T10:00:00.000Z';

function baseline(entrySpec: unknown = spec, complete = true): DeclarationBaseline {
  return { places: ['webdata.yaml'], complete, resources: [{ ...allocationId, spec: entrySpec, at }] };
}

const empty = (complete: boolean): DeclarationBaseline => ({ places: ['webdata.yaml'], complete, resources: [] });

function acceptable(
  more: Partial<ResourcePlan>,
  known: DeclarationBaseline | undefined = baseline(),
  isNamed = false,
  definition: object = {},
) {
  const resource = { definition, spec } as Parameters<typeof acceptabilityOf>[0];
  const { problem, ...rest } = acceptabilityOf(resource, plan(more), known, isNamed);
  return { ...rest, code: problem?.code };
}

const yes = { isAccepted: true, mayRemove: true, code: undefined };
const no = { isAccepted: false, mayRemove: false, code: undefined };

describe('a resource is', () => {
  it.each([
    ['accepted if all its differences are drift', [drift, drift], yes],
    ['accepted if it has none', [], yes],
    ['left alone if its differences wait to be applied', [change('pending')], no],
    ['left alone if all its drift is muted', [change('drift', true)], no],
    ['refused if only some differences are drift', [drift, change('pending')], { ...no, code: 'changes-pending' }],
    ['refused if a difference is both', [change('both')], { ...no, code: 'changes-pending' }],
    ['refused if only some drift is muted', [drift, change('drift', true)], { ...no, code: 'drift-muted' }],
    [
      'refused for what waits, if other drift is muted',
      [drift, change('pending'), change('drift', true)],
      { ...no, code: 'changes-pending' },
    ],
  ] as const)('%s', (_, causes, expected) => {
    expect(acceptable({ causes })).toEqual(expected);
  });

  it('accepted whatever its differences are if the user names it', () => {
    expect(acceptable({ causes: [change('both')] }, undefined, true)).toEqual(yes);
  });

  it('refused while the service may still carry out a move, even if the user names it', () => {
    const problems = [{ code: 'accepted-unseen', found: 'run 01234567 moved 1 IP' }];
    expect(acceptable({ problems }, baseline(), true)).toEqual({ ...no, code: 'accepted-unseen' });
  });

  it('not removed if it is not known whether it was ever applied', () => {
    expect(acceptable({ causes: [drift] }, empty(true))).toEqual({ ...yes, mayRemove: false });
    expect(acceptable({}, empty(false))).toEqual({ ...yes, mayRemove: false });
  });
});

describe('a resource with problems, which has no causes, is', () => {
  const problems = [{ code: 'below-floor', found: 'checkout would be left with 1 IP' }];

  it('accepted if its declaration is the applied one', () => {
    expect(acceptable({ problems })).toEqual(yes);
  });

  it('refused if its declaration has changed since', () => {
    expect(acceptable({ problems }, baseline({ zones: { a: {} } }))).toEqual({ ...no, code: 'changes-pending' });
    expect(acceptable({ causes: [drift] }, baseline({ zones: { a: {} } }))).toEqual(yes);
  });

  it('not compared if the baseline keeps another form of it', () => {
    expect(
      acceptable({ problems }, baseline({ zones: { a: {} } }), false, kindProviding(driftComparison, { baseline: {} })),
    ).toEqual(yes);
  });

  it('refused if it is new, as far as that is known', () => {
    expect(acceptable({ problems }, empty(true))).toEqual({ ...no, code: 'changes-pending' });
    expect(acceptable({ problems }, empty(false))).toEqual({ ...yes, mayRemove: false });
  });
});

it('without a baseline, drift is accepted and nothing is removed', () => {
  const resource = { definition: {}, spec } as Parameters<typeof acceptabilityOf>[0];
  expect(acceptabilityOf(resource, plan({ causes: [drift] }), undefined, false)).toEqual({
    isAccepted: true,
    mayRemove: false,
  });
});
