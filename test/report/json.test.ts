import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { hasChanges } from '../../src/engine/plan/plan.ts';
import { countsByName } from '../../src/kinds/shownCalls.ts';
import { accountsSchema, applySchema, planSchema } from '../../src/report/json/schema.ts';
import { planSummary } from '../../src/report/model/report.ts';
import { allocationId, anyApplyResult, anyPlan, resource } from './samples.ts';
import { applyJson, planJson } from './texts.ts';

const meta = { origin: 'https://api.example.com', version: '0.1.0', createdAt: '2026-07-01T10:00:00.000Z' };

describe('a plan as JSON', () => {
  it('holds problems with their places, and no absolute path', () => {
    const place = { file: '/home/somebody/infra/webdata.yaml', line: 7, column: 3 };
    const problem = {
      code: 'x',
      found: 'y',
      path: ['zones', 0],
      place,
      also: [{ path: ['a'], place: { ...place, file: 'C:\\infra\\webdata.yaml' }, what: 'is the other' }],
    };
    const document = planSchema().parse(
      JSON.parse(planJson({ resources: [resource(allocationId, [], [], [problem])] }, meta)),
    );
    expect(document.resources[0]?.problems).toEqual([
      {
        code: 'x',
        docs: expect.stringContaining('/errors'),
        found: 'y',
        path: ['zones', 0],
        place: { file: 'webdata.yaml', line: 7, column: 3 },
        also: [{ path: ['a'], place: { file: 'webdata.yaml', line: 7, column: 3 }, what: 'is the other' }],
      },
    ]);
  });

  it('is what its schema says, and its totals are those of the plan', () => {
    fc.assert(
      fc.property(anyPlan, (plan) => {
        const document = JSON.parse(planJson(plan, meta));
        expect(planSchema().parse(document)).toEqual(document);
        const { totals, tally, ...summary } = planSummary(plan);
        expect(document.summary).toEqual({ ...countsByName(totals), ...tally, ...summary });
        expect(document.resources.some(({ calls }: { calls: unknown[] }) => calls.length > 0)).toBe(hasChanges(plan));
      }),
    );
  });
});

describe('a result as JSON', () => {
  it('is what its schema says, and its totals add up', () => {
    fc.assert(
      fc.property(anyApplyResult, (result) => {
        const document = JSON.parse(applyJson(result, meta));
        expect(applySchema().parse(document)).toEqual(document);
        const { calls, made, refused, unknown, notSent } = document.summary;
        expect(made + refused + unknown + notSent).toBe(calls);
        expect(calls).toBe(result.resources.flatMap(({ made: its, notMade }) => [...its, ...notMade]).length);
      }),
    );
  });
});

it('has schemas that can be published', () => {
  for (const schema of [planSchema(), applySchema(), accountsSchema()]) {
    expect(z.toJSONSchema(schema)).toMatchObject({ type: 'object', description: expect.any(String) });
  }
});
