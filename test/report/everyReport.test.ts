/** What holds for every report, whatever is in it. */

import { stripVTControlCharacters } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { movesOf } from '../../src/kinds/knownCalls.ts';
import { isDeletePortsCall } from '../../src/kinds/managerSettings/calls/managerCalls.ts';
import { formatNames, loadFormat } from '../../src/report/formats.ts';
import { anyApplyResult, anyPlan, planReport, runReport } from './samples.ts';
import { applyText, planText } from './texts.ts';

const width = fc.integer({ min: 1, max: 200 });
const full = fc.boolean();
const mode = fc.constantFrom('plan' as const, 'drift' as const, 'destroy' as const, 'undo' as const);

const reports = fc.record({ plan: anyPlan, result: anyApplyResult, width, full, mode });

type Drawn = typeof reports extends fc.Arbitrary<infer Value> ? Value : never;

const textsOf = ({ plan, result, mode, ...options }: Drawn, color: boolean) => [
  planText(plan, { ...options, mode, color }),
  applyText(result, { ...options, color }),
];

const unprintable = /(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

describe('every report', () => {
  it('says the same without colours', () => {
    fc.assert(
      fc.property(reports, (drawn) => {
        expect(textsOf(drawn, true).map(stripVTControlCharacters)).toEqual(textsOf(drawn, false));
      }),
    );
  });

  it.each(
    formatNames,
  )('lets no control character of the data through, and ends with one line break, as %s', async (format) => {
    const write = await loadFormat(format);
    fc.assert(
      fc.property(reports, ({ plan, result, mode, width, full }) => {
        for (const report of [planReport(plan, { mode }), runReport(result)]) {
          const text = write(report, { color: false, width, full });
          expect(text).not.toMatch(unprintable);
          expect(text).toMatch(/[^\n]\n$/);
        }
      }),
    );
  });

  it('shows every port, and with `full` every IP', () => {
    fc.assert(
      fc.property(anyPlan, (plan) => {
        const text = planText(plan, { color: false, mode: 'plan', full: true });
        for (const { calls } of plan.resources) {
          for (const call of calls) {
            for (const { ip } of movesOf(call)) expect(text).toContain(ip);
            if (isDeletePortsCall(call))
              for (const port of call.ports) expect(text).toMatch(new RegExp(`- port +${port}\\n`));
          }
        }
      }),
    );
  });
});
