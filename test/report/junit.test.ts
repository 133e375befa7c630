import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { validateXML } from 'xmllint-wasm';
import { junitFormat } from '../../src/report/junit.ts';
import type { Report } from '../../src/report/model/report.ts';
import { sampleReports } from './sampleReports.ts';
import {
  allocationId,
  anyApplyResult,
  anyPlan,
  migrate,
  planReport,
  resource,
  runReport,
  samplePlan,
  settingsId,
} from './samples.ts';

const schema = readFileSync(new URL('../schemas/junit.xsd', import.meta.url), 'utf8');
const plain = { color: false };

async function errorsIn(reports: readonly Report[]): Promise<unknown> {
  const xml = reports.map((report, index) => ({ fileName: `${index}.xml`, contents: junitFormat.one(report, plain) }));
  const { errors } = await validateXML({ xml, schema, initialMemoryPages: 1024, maxMemoryPages: 4096 });
  return errors;
}

const modes = fc.constantFrom('plan' as const, 'drift' as const, 'destroy' as const, 'undo' as const);
const anyReport: fc.Arbitrary<Report> = fc.oneof(
  fc.tuple(anyPlan, modes, fc.boolean()).map(([plan, mode, strict]) => planReport(plan, { mode, strict })),
  anyApplyResult.map((result) => runReport(result)),
);

describe('JUnit XML', () => {
  it('of every sample is what the schema says', async () => {
    expect(await errorsIn(Object.values(sampleReports))).toEqual([]);
  });

  it('is what the schema says, whatever is in the report', async () => {
    const batch = fc.array(anyReport, { minLength: 30, maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(batch, async (reports) => {
        expect(await errorsIn(reports)).toEqual([]);
      }),
      { numRuns: 5, endOnFailure: true },
    );
  });

  it('counts its cases right, in all and suite by suite', () => {
    const counted = (xml: string) => ({
      tests: xml.match(/<testcase /g)?.length ?? 0,
      failures: xml.match(/<failure /g)?.length ?? 0,
      errors: xml.match(/<error /g)?.length ?? 0,
      skipped: xml.match(/<skipped /g)?.length ?? 0,
    });
    const told = (tag: string) =>
      Object.fromEntries(
        [...tag.matchAll(/ (tests|failures|errors|skipped)="(\d+)"/g)].map(([, name, n]) => [name, Number(n)]),
      );
    fc.assert(
      fc.property(anyReport, (report) => {
        const xml = junitFormat.one(report, plain);
        expect(told(/<testsuites [^>]*>/.exec(xml)?.[0] ?? '')).toEqual(counted(xml));
        for (const [suite, tag = ''] of xml.matchAll(/(<testsuite [^>]*>).*?<\/testsuite>/gs)) {
          expect(told(tag)).toEqual(counted(suite));
        }
      }),
    );
  });

  it('has a passing case for each resource of a plan, that says in its output what would change', () => {
    const xml = junitFormat.one(planReport(samplePlan), plain);
    expect(xml).toContain('<testsuites name="webdata plan" tests="3" failures="0" errors="0" skipped="0" time="0">');
    expect(xml).toMatch(
      /name="static"[^>]*>\s*<system-out>zoneIpAllocations\.static\n {2}1\. {2}2 IPs {2}from pricing {3}to checkout/,
    );
    expect(xml).toContain('<system-out>No changes. Live state is as declared.</system-out>');
  });

  it('fails what has drifted, and unmanaged IPs where these are drift', () => {
    const note = { code: 'unmanaged' as const, text: 'pricing holds 1 unmanaged IP', ips: ['192.0.2.9'] };
    const plan = {
      resources: [
        resource(allocationId, [], [note]),
        resource({ ...allocationId, name: 'moved' }, [migrate('a', 'b', ['192.0.2.1'])]),
      ],
    };
    const failed = (strict: boolean) =>
      [
        ...junitFormat
          .one(planReport(plan, { mode: 'drift', strict }), plain)
          .matchAll(/<failure type="drift" message="(.*?)">/g),
      ].map(([, message]) => message);
    expect(failed(false)).toEqual(['Drift: 1 IP is not where it is declared.']);
    expect(failed(true)).toEqual(['Drift: 1 IP is unmanaged.', 'Drift: 1 IP is not where it is declared.']);
  });

  it('has a case of its own for problems of no resource, and none for each of many of one resource', () => {
    const place = { file: '/home/somebody/webdata.yaml', line: 3, column: 1 };
    const problems = [
      { code: 'unknown-key', found: 'zones, a key that is not known', place },
      { code: 'missing-key', found: 'name is missing' },
    ];
    const xml = junitFormat.one(
      planReport({ resources: [resource(settingsId, [], [], problems)] }, { problems }),
      plain,
    );
    expect(xml).toContain('<testcase classname="webdata" name="declaration" file="webdata.yaml" line="3" time="0">');
    expect(
      xml.match(/<error type="unknown-key" message="zones, a key that is not known \(and 1 more problem\)">/g),
    ).toHaveLength(2);
    expect(xml).not.toContain('/home');
  });

  it('holds nothing that XML can not hold, and takes no text for markup', () => {
    const evil = 'a\u0000\u001b\ud800\ufffe\uffff<b>&"\'</failure>]]>true';
    const problem = { code: 'x', found: evil };
    const xml = junitFormat.one(
      planReport({ resources: [resource({ ...allocationId, name: 'true' }, [], [], [problem])] }),
      plain,
    );
    expect(xml).toContain('name="true"');
    expect(xml).toContain(String.raw`a\u{0}\u{1b}\u{d800}\u{fffe}\u{ffff}&lt;b&gt;&amp;`);
    expect(xml.match(/<\/failure>|<b>/g)).toBe(null);
    expect(xml).not.toMatch(/[\ufffe\uffff]/);
  });
});
