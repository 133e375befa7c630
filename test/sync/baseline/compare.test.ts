/** Why each difference of a plan exists: what the baseline keeps is compared as if it were declared. */
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ProblemError } from '../../../src/diagnostics/problem.ts';
import { propertyChanges } from '../../../src/kinds/changes.ts';
import type { AccountBaseline } from '../../../src/sync/baseline/baseline.ts';
import { keptSpec, withCauses } from '../../../src/sync/baseline/compare.ts';
import type { Declared, Planned } from '../../../src/sync/plan/planned.ts';
import type { Session } from '../../../src/sync/sessionViews.ts';

type Values = Record<string, unknown>;

/** A kind whose spec is the live state that it wants. `lost` is a value whose live state cannot be read. */
function kindOver(live: Values, more: object = {}) {
  return {
    spec: z.record(z.string(), z.number()),
    guards: {},
    observe: async (spec: Values) => {
      if (spec.lost === 1) throw new ProblemError([{ code: 'unknown-zone', found: 'the zone does not exist' }]);
      if (spec.lost === 2) throw new TypeError('a defect');
      return live;
    },
    diff: (spec: Values, state: Values) => ({ changes: propertyChanges(state, spec) }),
    ...more,
  };
}

interface Given {
  declared: Values;
  live: Values;
  /** The spec in the baseline; without it, the baseline has no entry. */
  kept?: unknown;
  isComplete?: boolean;
  kind?: object;
  plan?: object;
  intent?: Planned['intent'];
  /** Another resource of the same kind, as it is declared and as it was applied. */
  other?: [declared: Values, kept: Values];
}

const banner = (name: string) => ({ kind: 'Banner', collection: 'banners', name });
const entry = (name: string, spec: unknown) => ({ ...banner(name), spec, at: '2026-07-01T10:00:00Z' });

async function caused(
  { declared: spec, live, kept, isComplete = false, kind = {}, plan = {}, intent = 'update', other }: Given,
  hasBaseline = true,
) {
  const definition = kindOver(live, kind);
  const declared = [
    { ...banner('a'), definition, spec },
    ...(other ? [{ ...banner('b'), definition, spec: other[0] }] : []),
  ] as unknown as Declared[];
  const seen: (readonly Declared[])[] = [];
  const planning = {
    withDeclared: (known: readonly Declared[]) => {
      seen.push(known);
      return { contextFor: () => ({}) };
    },
  } as unknown as Session;
  const changes = propertyChanges(live, spec);
  const planned = {
    declared: declared[0],
    intent,
    state: live,
    plan: { ...banner('a'), changes, calls: [{ type: 'set' }], notes: [], problems: [], ...plan },
  } as unknown as Planned;
  const baseline: AccountBaseline = {
    account: 'acme',
    complete: isComplete,
    resources: [...(kept === undefined ? [] : [entry('a', kept)]), ...(other ? [entry('b', other[1])] : [])],
  };
  const [result] = await withCauses([planned], declared, hasBaseline ? baseline : undefined, planning);
  const causes = result?.plan.causes;
  return causes?.map(({ path, cause, baseline: applied }) =>
    [path.join('.'), cause, ...(applied === undefined ? [] : [applied])].join(' '),
  );
}

describe('a difference', () => {
  it.each<[string, Given, string[]]>([
    [
      'is drift where the declaration is as it was applied',
      { declared: { x: 1 }, live: { x: 2 }, kept: { x: 1 } },
      ['x drift'],
    ],
    [
      'is pending where the live state is as it was applied',
      { declared: { x: 1 }, live: { x: 2 }, kept: { x: 2 } },
      ['x pending'],
    ],
    ['is both where all three differ', { declared: { x: 1 }, live: { x: 2 }, kept: { x: 3 } }, ['x both 3']],
    [
      'has its own cause',
      { declared: { x: 1, y: 1 }, live: { x: 2, y: 2 }, kept: { x: 1, y: 2 } },
      ['x drift', 'y pending'],
    ],
    ['is drift if nothing is known of the resource', { declared: { x: 1 }, live: { x: 2 } }, ['x drift']],
    [
      'is pending if the resource was never applied',
      { declared: { x: 1 }, live: { x: 2 }, isComplete: true },
      ['x pending'],
    ],
    [
      'is drift if this version cannot read what was applied',
      { declared: { x: 1 }, live: { x: 2 }, kept: 'x' },
      ['x drift'],
    ],
    [
      'is drift if what was applied can no longer be read',
      { declared: { x: 1 }, live: { x: 2 }, kept: { x: 2, lost: 1 } },
      ['x drift'],
    ],
    [
      'is pending although another resource is as it was applied',
      { declared: { x: 1 }, live: { x: 2 }, kept: { x: 2 }, other: [{ x: 7 }, { x: 7 }] },
      ['x pending'],
    ],
    [
      'is that of its resource, whatever the others are',
      { declared: { x: 1 }, live: { x: 2 }, kept: { x: 1 }, other: [{ x: 7 }, { x: 8 }] },
      ['x drift'],
    ],
  ])('%s', async (_, given, expected) => {
    expect(await caused(given)).toEqual(expected);
  });

  it('is drift without any baseline', async () => {
    expect(await caused({ declared: { x: 1 }, live: { x: 2 }, kept: { x: 2 } }, false)).toEqual(['x drift']);
  });

  it('of a call that changes no property is one of the whole resource', async () => {
    expect(await caused({ declared: { x: 1 }, live: { x: 1 } })).toEqual([' drift']);
    expect(await caused({ declared: { x: 1 }, live: { x: 1 }, isComplete: true })).toEqual([' pending']);
  });

  it('does not hide a defect', async () => {
    const given = { declared: { x: 1 }, live: { x: 2 }, kept: { x: 2, lost: 2 } };
    await expect(caused(given)).rejects.toThrow('a defect');
  });

  it('is in the terms of the declaration, for a kind that has some', async () => {
    const differences = ({ x }: Values, state: Values) =>
      x === state.x ? [] : [{ path: ['count'], kind: 'change', before: state.x, after: x }];
    const kind = { differences };
    expect(await caused({ declared: { x: 1 }, live: { x: 2 }, kept: { x: 3 }, kind })).toEqual(['count both 3']);
    expect(await caused({ declared: { x: 1 }, live: { x: 2 }, kept: { x: 2 }, kind })).toEqual(['count pending']);
  });

  it('is found by a kind that keeps another form of its spec', async () => {
    const differences = (kept: Values, _spec: unknown, state: Values) => propertyChanges(state, { x: kept.sealed });
    const kind = { baseline: { differences, keep: () => undefined } };
    expect(await caused({ declared: { x: 1 }, live: { x: 2 }, kept: { sealed: 1 }, kind })).toEqual(['x drift']);
    expect(await caused({ declared: { x: 1 }, live: { x: 2 }, kept: { sealed: 2 }, kind })).toEqual(['x pending']);
  });
});

describe('no causes have', () => {
  const given = { declared: { x: 1 }, live: { x: 2 }, kept: { x: 1 } };
  it.each<[string, Partial<Given>]>([
    ['plans without calls', { plan: { calls: [] } }],
    ['plans of a removal', { intent: 'delete' }],
    ['plans with problems', { plan: { problems: [{ code: 'unknown-zone', found: '' }] } }],
  ])('%s', async (_, more) => {
    expect(await caused({ ...given, ...more })).toBeUndefined();
  });

  it('and plans with broken guards have them', async () => {
    const problems = [{ code: 'too-many-moves', found: '' }];
    expect(await caused({ ...given, plan: { problems } })).toEqual(['x drift']);
  });
});

it('a baseline keeps the spec as JSON, or the form of its kind', () => {
  const resource = (kind: object) =>
    ({ declared: { spec: { x: 1, y: undefined }, definition: kind }, state: { z: 2 } }) as unknown as Planned;
  expect(keptSpec(resource({}))).toStrictEqual({ x: 1 });
  const keep = (spec: Values, state: Values) => ({ spec: spec.x, state: state.z });
  expect(keptSpec(resource({ baseline: { keep } }))).toEqual({ spec: 1, state: 2 });
});
