import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isMigrateCall } from '../../src/kinds/zoneIpAllocation/calls/migrateCall.ts';
import { markdownFormat } from '../../src/report/markdown/markdown.ts';
import type { Report } from '../../src/report/model/report.ts';
import { readMarkdown } from './markdownReader.ts';
import {
  addresses,
  allocationId,
  anyApplyResult,
  anyPlan,
  journaled,
  manager,
  migrate,
  planReport,
  resource,
  runReport,
  seen,
  settingsId,
} from './samples.ts';
import { manyMoves, sixPlans } from './sixPlans.ts';

const write = (report: Report) => markdownFormat.one(report, { color: false });
const limit = 65_536;

/** Ours, and the only marks that a report may have outside of code. */
const ours =
  /^#{3,4} |^( {2})?- |<\/?details>|<\/?summary>|<\/?sub>|\*\*fix:\*\*|(?<=^|\| )(---:?)(?= \||$)|(?<=\| )\+(?=\d)/g;

function structureIn(report: Report): string[] {
  const { lines } = readMarkdown(write(report));
  return lines
    .map((line) => line.replaceAll(ours, ''))
    .filter((line) => /[<>@#[\]*_~\\$`^=!{}&%+]|^\s*\d+[.)]|:\/\/|www\./.test(line));
}

const tableOf = (report: Report, firstHeader: RegExp) =>
  readMarkdown(write(report)).tables.find(([head]) => firstHeader.test(head?.join() ?? '')) ?? [];

describe('the Markdown of a plan', () => {
  it('is one line where there is nothing to tell', () => {
    expect(write(sixPlans.empty)).toBe('### webdata plan: Nothing is declared.\n');
    const drift = planReport({ resources: [resource(allocationId, [])] }, { mode: 'drift' });
    expect(write(drift)).toBe('### webdata drift: No drift.\n');
  });

  it('takes the calls of a pair together, and says why its IPs move', () => {
    const calls = [
      ...addresses(4).map((ip) => migrate('pricing', 'checkout', [ip])),
      migrate('checkout', 'parked', addresses(3, 4), 'surplus'),
      migrate('old', 'parked', addresses(2, 7), 'released'),
    ];
    const report = planReport({ resources: [resource(allocationId, calls)] });
    expect(write(report)).toContain(
      [
        'Each call may incur charges. 2 IPs are released: no longer declared. 3 IPs exceed a count.',
        '',
        '| From | To | IPs | Why | Countries |',
        '| --- | --- | ---: | --- | --- |',
        '| `pricing` | `checkout` | 4 | declared by address | us |',
        '| `checkout` | `parked` | 3 | exceeds a count | us |',
        '| `old` | `parked` | 2 | not declared | us |',
      ].join('\n'),
    );
  });

  it('shows what charges or deletes without unfolding', () => {
    const unfolded = write(sixPlans.small).replaceAll(/<details>.*?<\/details>/gs, '');
    for (const words of ['may incur charges', '1 IP exceeds a count', '- port          24010']) {
      expect(unfolded).toContain(words);
    }
  });

  it('says which of several allocations a move is of', () => {
    const other = { ...allocationId, name: 'mobile' };
    const report = planReport({
      resources: [
        resource(allocationId, [migrate('a', 'b', ['192.0.2.1'])]),
        resource(other, [migrate('c', 'd', ['192.0.2.2'])]),
      ],
    });
    expect(write(report)).toContain('| `zoneIpAllocations.mobile` | `c` | `d` | 1 | declared by address | us |');
  });

  it('names no folder of the machine', () => {
    const place = { file: '/home/somebody/infra/webdata.yaml', line: 3, column: 1 };
    const text = write(planReport({ resources: [] }, { problems: [{ code: 'x', found: 'y', place }] }));
    expect(text).toContain('- `webdata.yaml:3:1`: y');
    expect(text).not.toContain('/home');
  });
});

describe('text from outside', () => {
  it.each([
    ['a mention', 'ask @octocat now', 'ask `@octocat` now'],
    ['a reference', 'see #1, !2 and GH-3', 'see `#1`, `!2` and `GH-3`'],
    ['a commit', 'deadbeef1 1234567 12', '`deadbeef1` `1234567` 12'],
    ['a link', '[x](https://evil.example) www.evil.example', '`[x](https://evil.example`) `www.evil.example`'],
    ['HTML', '<img src=x> <!-- y -->', '`<img` `src=x>` `<!--` y `-->`'],
    ['emphasis', '**bold** snake_case a*b*', '`**bold**` `snake_case` `a*b*`'],
    ['emoji', ':tada: done:', '`:tada`: done:'],
    ['backticks', 'a ``b` c` `', 'a `` ` `` `b` c` `'],
    ['a list', '1. first', '`1`. first'],
    ['our own code', 'name it `spare`, or "a b".', 'name it `spare`, or "a b".'],
  ])('is no structure: %s', (_, found, shown) => {
    const text = write(planReport({ resources: [] }, { problems: [{ code: 'x', found }] }));
    expect(text.split('\n')[4]).toBe(`- ${shown}`);
  });

  it.each([
    ['a bar', 'a|b\\|c', '`a\\|b\\\\|c`'],
    ['backticks', 'a`b``', '``` a`b`` ```'],
    ['nothing', '', '`""`'],
    ['a line break', 'a\nb', '`a\\nb`'],
  ])('is a zone in one cell: %s', (_, zone, shown) => {
    const report = planReport({ resources: [resource(allocationId, [migrate(zone, 'x', ['192.0.2.1'])])] });
    expect(write(report)).toContain(`| ${shown} | \`x\` | 1 | `);
  });

  it('does not end a block of code', () => {
    const call = {
      type: 'updateSettings' as const,
      manager,
      before: { zone: 'a' },
      settings: { zone: '```', whitelistIps: ['````'] },
    };
    const text = write(planReport({ resources: [resource(settingsId, [call])] }));
    expect(text).toContain('`````diff\n@@ managerSettings.local');
  });

  it('makes no structure, whatever is in the report', () => {
    const modes = fc.constantFrom('plan' as const, 'drift' as const, 'destroy' as const, 'undo' as const);
    const evil = fc.stringMatching(/^[ -~]{0,24}$/);
    const problems = fc.array(fc.record({ code: fc.constant('x'), found: evil, allowed: evil, fix: evil }), {
      maxLength: 3,
    });
    const plans = fc
      .tuple(anyPlan, modes, problems)
      .map(([plan, mode, its]) => planReport(plan, { mode, problems: its }));
    const zones = fc.tuple(evil, evil).map(([from, to]) => {
      return planReport({ resources: [resource(allocationId, [migrate(from, to, ['192.0.2.1'])])] });
    });
    const reports = fc.oneof(
      plans,
      zones,
      anyApplyResult.map((result) => runReport(result)),
    );
    fc.assert(
      fc.property(reports, (report) => {
        expect(structureIn(report)).toEqual([]);
        for (const [head, ...rows] of readMarkdown(write(report)).tables) {
          for (const row of rows) expect(row).toHaveLength(head?.length ?? 0);
        }
      }),
      {
        numRuns: 500,
        examples: [
          [planReport({ resources: [] }, { problems: [{ code: 'x', found: '__proto__', fix: 'constructor' }] })],
        ],
      },
    );
  });
});

describe('the table of moves', () => {
  it('has a row for each pair of zones and reason', () => {
    fc.assert(
      fc.property(anyPlan, (plan) => {
        const report = planReport(plan);
        const pairs = plan.resources.map(({ calls }) => {
          const moves = calls.filter(isMigrateCall).flatMap((call) => call.moves.map((move) => ({ ...call, ...move })));
          return new Set(moves.map(({ from, to, reason }) => JSON.stringify([from, to, reason]))).size;
        });
        const total = pairs.reduce((sum, size) => sum + size, 0);
        expect(tableOf(report, /From/)).toHaveLength(total === 0 ? 0 : total + 2);
      }),
    );
  });
});

describe('Markdown that would be too long', () => {
  const length = (text: string) => Math.max(text.length, Buffer.byteLength(text));
  const numberOf = (text = '') => Number(text.replaceAll(',', ''));
  const manyPairs = (count: number, zone: (index: number) => string) =>
    planReport({
      resources: [
        resource(
          allocationId,
          addresses(count).map((ip, index) => migrate(zone(index), `to-${index}`, [ip])),
        ),
      ],
    });

  it('is cut, and says what is left out and where it is', () => {
    const text = write(manyMoves(50_000));
    expect(length(text)).toBeLessThan(limit);
    expect(text).toMatch(/^### webdata plan: 50,000 moves · 500 calls · may incur charges · no problems\n/);
    expect(text).toContain('| `old-499` | `new-499` | 100 | fills a count | us |');
    expect(text).toMatch(/\n… and [\d,]+ more IPs\.\n/);
    expect(text).toContain('The HTML and JSON reports have everything: `webdata plan --report html=plan.html`.');
  });

  it('accounts for every pair and every IP, those shown and those left out', () => {
    const report = manyPairs(50_000, (index) => `from-${index}`);
    const text = write(report);
    expect(length(text)).toBeLessThan(limit);
    const [, pairs, ips] = /\n… and ([\d,]+) more pairs \(([\d,]+) IPs\)\.\n/.exec(text) ?? [];
    const shown = tableOf(report, /From/).length - 2;
    expect(shown).toBeGreaterThan(100);
    expect([numberOf(pairs) + shown, numberOf(ips) + shown]).toEqual([50_000, 50_000]);
    const [, ipsLeft] = /\n… and ([\d,]+) more IPs\.\n/.exec(text) ?? [];
    expect(numberOf(ipsLeft) + (text.match(/^ {2}198\.\S+ us$/gm)?.length ?? 0)).toBe(50_000);
  });

  it.each([
    ['long names', (index: number) => `${'zone'.repeat(5_000)}${index}`],
    ['wide characters', (index: number) => `${'😀'.repeat(5_000)}${index}`],
    ['backticks', (index: number) => `${'`'.repeat(5_000)}${index}`],
    ['control characters', (index: number) => `${'\u001b'.repeat(5_000)}${index}`],
  ])('stays under the limit with zones of %s', (_, zone) => {
    const text = write(manyPairs(300, zone));
    expect(length(text)).toBeLessThan(limit);
    expect(text).toMatch(/more pairs \([\d,]+ IPs\)/);
  });

  it('stays under the limit with 10,000 problems beside moves and settings, and shows some of each', () => {
    const problems = Array.from({ length: 10_000 }, (_, index) => ({
      code: 'x',
      found: `${index}: ${'so@on '.repeat(200)}`,
      fix: 'try\u0007 again '.repeat(200),
      also: Array.from({ length: 6 }, () => ({ path: ['a'], what: 'as well '.repeat(100) })),
    }));
    const entries = addresses(5_000);
    const call = {
      type: 'updateSettings' as const,
      manager,
      before: { whitelistIps: [] },
      settings: { whitelistIps: entries },
    };
    const { resources } = manyPairs(5_000, (index) => `from-${index}`).plan;
    const text = write(planReport({ resources: [...resources, resource(settingsId, [call])] }, { problems }));
    expect(length(text)).toBeLessThan(limit);
    expect(text).toMatch(/^### webdata plan: 10,000 problems · 5,000 moves · .*\n/);
    expect(text).toMatch(/… and [\d,]+ more problems\./);
    expect(text).toMatch(/… and [\d,]+ more pairs \([\d,]+ IPs\)\./);
    expect(text).toMatch(/… and [\d,]+ more changes\./);
    expect(text.match(/^- 0: /m)).not.toBe(null);
  });

  it('stays under the limit for a run of 50,000 calls, and shows first what was not done', () => {
    const calls = addresses(50_000).map((ip, index) => migrate(`from-${index}`, 'checkout', [ip]));
    const made = calls.slice(0, 30_000).map((call) => journaled(allocationId, call, { seen: seen(call) }));
    const result = {
      plan: { resources: [] },
      resources: [{ ...allocationId, outcome: 'failed' as const, made, notMade: calls.slice(30_000), problems: [] }],
    };
    const text = write(runReport(result));
    expect(length(text)).toBeLessThan(limit);
    expect(text).toMatch(/^### webdata apply failed: 30,000 of 50,000 calls made, 20,000 not sent; 30,000 IPs moved/);
    expect(text.indexOf('not sent')).toBeLessThan(text.indexOf('#### Done'));
    expect(text).toContain('`webdata apply --report html=apply.html`');
  });
});

describe('the Markdown of a run', () => {
  it('says of calls of one pair that were done what they moved together', () => {
    const calls = addresses(6).map((ip) => migrate('pricing', 'checkout', [ip]));
    const made = calls.map((call) => journaled(allocationId, call, { seen: seen(call) }));
    const result = {
      plan: { resources: [] },
      resources: [{ ...allocationId, outcome: 'done' as const, made, notMade: [], problems: [] }],
    };
    const text = write(runReport(result));
    expect(text).toMatch(/^### webdata apply: 6 IPs moved in 6 calls\.\n/);
    expect(text).toContain('| `6 IPs in 6 calls from pricing to checkout` | done: ');
    expect(text).not.toContain('Not done');
  });

  it('is one line where nothing had to be done', () => {
    const result = {
      plan: { resources: [] },
      resources: [{ ...allocationId, outcome: 'nothing' as const, made: [], notMade: [], problems: [] }],
    };
    expect(write(runReport(result))).toBe('### webdata apply: nothing had to be done.\n');
  });

  it('names what was skipped before any call was planned', () => {
    const result = {
      plan: { resources: [] },
      resources: [{ ...settingsId, outcome: 'skipped' as const, made: [], notMade: [], problems: [] }],
    };
    expect(write(runReport(result))).toContain('| `managerSettings.local` |  | skipped: an earlier call failed |');
  });
});
