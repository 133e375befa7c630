/** What holds for every report, whatever is in it. */

import { stripVTControlCharacters } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { summarize } from '../../src/engine/plan/plan.ts';
import { countsByName, movesOf } from '../../src/kinds/knownCalls.ts';
import { isDeletePortsCall } from '../../src/kinds/managerSettings/calls/managerCalls.ts';
import { historyJson } from '../../src/report/json/json.ts';
import { historyText } from '../../src/report/text/historyText.ts';
import { anyApplyResult, anyPlan, anyRuns } from './samples.ts';
import { applyJson, applyText, planJson, planText } from './texts.ts';

const meta = { origin: 'https://api.example.com', version: '0.1.0' };
const width = fc.integer({ min: 1, max: 200 });
const full = fc.boolean();
const mode = fc.constantFrom('plan' as const, 'drift' as const, 'destroy' as const, 'undo' as const);

const reports = fc.record({ plan: anyPlan, result: anyApplyResult, runs: anyRuns, width, full, mode });

type Drawn = typeof reports extends fc.Arbitrary<infer Value> ? Value : never;

const textsOf = ({ plan, result, runs, mode, ...options }: Drawn, color: boolean) => [
  planText(plan, { ...options, mode, color }),
  applyText(result, { ...options, color }),
  [...historyText(runs, { ...options, color })].join(''),
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

  it('lets no control character of the data through', () => {
    fc.assert(
      fc.property(reports, (drawn) => {
        expect(textsOf(drawn, false).filter((text) => unprintable.test(text))).toEqual([]);
      }),
    );
    fc.assert(
      fc.property(reports, ({ plan, result, runs }) => {
        const all = [planJson(plan, meta), applyJson(result, meta), [...historyJson(runs)].join('')];
        expect(all.filter((text) => unprintable.test(text))).toEqual([]);
      }),
    );
  });

  it('ends with one line break', () => {
    fc.assert(
      fc.property(reports, (drawn) => {
        for (const text of textsOf(drawn, false)) expect(text).toMatch(/[^\n]\n$/);
      }),
    );
  });

  it('gives the totals of the plan', () => {
    fc.assert(
      fc.property(anyPlan, (plan) => {
        const { totals, tally } = summarize(plan);
        const { ips, migrateCalls } = countsByName(totals);
        const line = planText(plan, { color: false, mode: 'plan' }).trimEnd().split('\n').at(-1) ?? '';
        const count = (pattern: RegExp) => Number(pattern.exec(line)?.[1] ?? 0);
        expect(count(/(\d+) IPs? moves? in/)).toBe(ips);
        expect(count(/in (\d+) calls?/)).toBe(migrateCalls);
        expect(count(/(\d+) to add/)).toBe(tally.add);
        expect(count(/(\d+) to change/)).toBe(tally.change);
        expect(count(/(\d+) to remove/)).toBe(tally.remove);
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
