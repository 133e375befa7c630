import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allocationId, migrate, resource, samplePlan } from './samples.ts';
import { planText } from './texts.ts';

const of = (...resources: ReturnType<typeof resource>[]) => ({ resources });

describe('the last line', () => {
  const lastLine = (mode: 'plan' | 'drift' | 'destroy' | 'undo', ...resources: ReturnType<typeof resource>[]) =>
    planText(of(...resources), { color: false, mode })
      .trimEnd()
      .split('\n')
      .at(-1);
  const modes = ['plan', 'drift', 'destroy', 'undo'] as const;
  const allModes = (...resources: ReturnType<typeof resource>[]) =>
    modes.map((mode) => lastLine(mode, ...resources)).join('\n');
  const unmanaged = {
    code: 'unmanaged' as const,
    text: 'pricing: 1 unmanaged IP is left there',
    ips: ['192.0.2.9'],
  };

  it('has its own words for each mode', () => {
    expect(allModes(...samplePlan.resources)).toMatchInlineSnapshot(`
      "Plan: 3 IPs move in 2 calls (may incur charges) · 3 settings change · 2 ports are deleted · 1 unmanaged IP left.
      Drift: 3 IPs are not where they are declared · 3 settings differ · 2 ports exist that must not · 1 IP is unmanaged.
      Destroy: 3 IPs are released in 2 calls (may incur charges) · 3 settings change · 2 ports are deleted · 1 unmanaged IP left.
      Undo: 3 IPs move back in 2 calls (may incur charges) · 3 settings change back · 2 ports are deleted · 1 unmanaged IP left."
    `);
  });

  it('also counts the moves where an IP moves twice', () => {
    const two = ['192.0.2.1', '192.0.2.2'];
    const calls = [migrate('a', 'parked', two), migrate('parked', 'b', ['192.0.2.1'])];
    expect(allModes(resource(allocationId, calls))).toMatchInlineSnapshot(`
      "Plan: 2 IPs move in 2 calls, 3 moves in all (may incur charges).
      Drift: 2 IPs are not where they are declared.
      Destroy: 2 IPs are released in 2 calls, 3 moves in all (may incur charges).
      Undo: 2 IPs move back in 2 calls, 3 moves in all (may incur charges)."
    `);
  });

  it('says that there is nothing to do', () => {
    expect(allModes(resource(allocationId, []))).toMatchInlineSnapshot(`
      "No changes. Live state is as declared.
      No drift.
      Nothing to destroy. Live state is unchanged.
      Nothing to undo."
    `);
  });

  it('says it beside IPs that nobody declared', () => {
    expect(allModes(resource(allocationId, [], [unmanaged]))).toMatchInlineSnapshot(`
      "No changes. Live state is as declared. 1 unmanaged IP left.
      No drift. 1 IP is unmanaged.
      Nothing to destroy. Live state is unchanged. 1 unmanaged IP left.
      Nothing to undo. 1 unmanaged IP left."
    `);
  });

  it('says that problems block the plan', () => {
    const problem = { code: 'no-spare', found: 'x' };
    expect(
      allModes(resource(allocationId, [], [unmanaged], [problem, { ...problem, found: 'y' }])),
    ).toMatchInlineSnapshot(`
      "Plan: 2 problems block this plan · otherwise 1 unmanaged IP left.
      Drift: 2 problems prevent a full check · otherwise 1 IP is unmanaged.
      Destroy: 2 problems block this plan · otherwise 1 unmanaged IP left.
      Undo: 2 problems block this plan · otherwise 1 unmanaged IP left."
    `);
  });

  it('counts unmanaged IPs as drift where that is asked for', () => {
    const plan = of(resource(allocationId, [], [unmanaged]));
    expect(planText(plan, { color: false, mode: 'drift', strict: true })).toMatch(/\n\nDrift: 1 IP is unmanaged\.\n$/);
  });

  it('is broken between words in a terminal, at its width', () => {
    const whole = planText(samplePlan, { color: false, mode: 'plan' }).trimEnd().split('\n').at(-1);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 200 }), (width) => {
        const text = planText(samplePlan, { color: false, mode: 'plan', width });
        const lines = text
          .slice(text.indexOf('\nPlan: ') + 1)
          .trimEnd()
          .split('\n');
        expect(lines.join(' ')).toBe(whole);
        expect(lines.filter((line) => line.length > Math.max(width, 40))).toEqual([]);
      }),
    );
  });
});
