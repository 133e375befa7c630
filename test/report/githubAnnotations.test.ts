import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { githubFormat } from '../../src/report/github.ts';
import {
  allocationId,
  anyApplyResult,
  anyPlan,
  migrate,
  planReport,
  portsCall,
  resource,
  runReport,
  settingsCall,
  settingsId,
} from './samples.ts';

const plain = { color: false };
const linesOf = (...args: Parameters<typeof planReport>) =>
  githubFormat
    .one(planReport(...args), plain)
    .trimEnd()
    .split('\n');

describe('the annotations of GitHub', () => {
  it('escape what would end a message or a property', () => {
    const place = { file: 'infra/a,b:c%.yaml', line: 7, column: 3 };
    const problem = { code: 'x', found: '100 % of it: one, two', fix: 'do this', place };
    expect(linesOf({ resources: [] }, { problems: [problem] })).toEqual([
      '::error file=infra/a%2Cb%3Ac%25.yaml,line=7,col=3,title=webdata%3A x::100 %25 of it: one, two%0Afix: do this',
      '::notice title=webdata plan::Plan: 1 problem blocks this plan.',
    ]);
  });

  it('name a file without its folders where its path is absolute', () => {
    const place = { file: '/home/somebody/infra/webdata.yaml', line: 1, column: 1 };
    const [error] = linesOf({ resources: [] }, { problems: [{ code: 'x', found: 'y', place }] });
    expect(error).toContain('file=webdata.yaml,');
  });

  it('never let text from outside start a command of its own', () => {
    const evil = 'x\n::error::forged\r\n::stop-commands::token';
    const plan = {
      resources: [resource({ ...allocationId, name: evil }, [migrate(evil, evil, ['192.0.2.1'])], [], [])],
    };
    const lines = linesOf(plan, { mode: 'drift', problems: [{ code: 'x', found: evil, fix: evil }] });
    expect(lines.map((line) => line.split(' ')[0])).toEqual(['::error', '::warning', '::notice']);
  });

  it('are ten of a level at most, of which the last says how many more there are', () => {
    const problems = Array.from({ length: 25 }, (_, index) => ({ code: 'x', found: `problem ${index}` }));
    const lines = linesOf({ resources: [] }, { problems });
    expect(lines).toHaveLength(11);
    expect(lines[8]).toBe('::error title=webdata%3A x::problem 8');
    expect(lines[9]).toBe('::error title=webdata::and 16 more: see the output of this step');
    expect(linesOf({ resources: [] }, { problems: problems.slice(0, 10) })[9]).toContain('problem 9');
  });

  it('warn of drift once a resource, and of a plan not at all', () => {
    const place = { file: 'webdata.yaml', line: 5, column: 3 };
    const calls = Array.from({ length: 9 }, (_, index) => migrate(`z${index}`, 'checkout', [`192.0.2.${index}`]));
    const causes = Array.from({ length: 9 }, (_, index) => ({
      ...{ path: [`key${index}`], kind: 'change' as const, cause: 'drift' as const },
    }));
    const plan = { resources: [{ ...resource(allocationId, calls), place, causes }] };
    const [warning, ...others] = linesOf(plan, { mode: 'drift' });
    expect(warning).toMatch(
      /^::warning file=webdata\.yaml,line=5,col=3,title=webdata drift%3A zoneIpAllocations\/static::/,
    );
    expect(warning).toMatch(/::Drift: 9 IPs are not where they are declared\.%0Akey0%0A.*key5%0A… and 3 more$/);
    expect(others).toHaveLength(1);
    expect(linesOf(plan)).toEqual(['::notice title=webdata plan::Plan: 9 IPs move in 9 calls (may incur charges).']);
  });

  it('say what is live and what is declared, with and without a baseline', () => {
    const causes = [{ path: ['logs'], kind: 'change' as const, cause: 'drift' as const }];
    const plan = { resources: [{ ...resource(settingsId, [settingsCall, portsCall]), causes }] };
    for (const baseline of [false, true]) {
      const [warning = ''] = linesOf(plan, { mode: 'drift', baseline });
      expect(warning.split('%0A').slice(1, 6)).toEqual([
        'logs: 1000 live, 500 declared',
        'whitelistIps: 10.0.0.9, live but not declared',
        'whitelistIps: 10.0.0.0/8, declared but not live',
        'port: 24010, live but declared absent',
        'port: 24011, live but declared absent',
      ]);
    }
  });

  it('warn of unmanaged IPs only where these are drift', () => {
    const note = { code: 'unmanaged' as const, text: 'pricing holds 1 unmanaged IP', ips: ['192.0.2.9'] };
    const plan = { resources: [resource(allocationId, [], [note])] };
    expect(linesOf(plan, { mode: 'drift' })).toHaveLength(1);
    expect(linesOf(plan, { mode: 'drift', strict: true })[0]).toMatch(/^::warning .*Drift: 1 IP is unmanaged\.$/);
  });

  it('are whole commands, a line each, whatever is in the report', () => {
    const reports = fc.oneof(
      fc
        .tuple(anyPlan, fc.constantFrom('plan' as const, 'drift' as const))
        .map(([plan, mode]) => planReport(plan, { mode })),
      anyApplyResult.map((result) => runReport(result)),
    );
    const command =
      /^::(error|warning|notice) ((file=[^:,]*,line=\d+,col=\d+,)?title=[^:,]+)::[^\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]*$/u;
    fc.assert(
      fc.property(reports, (report) => {
        for (const line of githubFormat.one(report, plain).trimEnd().split('\n')) expect(line).toMatch(command);
      }),
    );
  });
});
