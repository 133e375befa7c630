/** The page as it is written, before any browser has seen it. */

import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { movesOf } from '../../../src/kinds/knownCalls.ts';
import { htmlFormat } from '../../../src/report/html/html.ts';
import { markup } from '../../../src/report/html/markup.ts';
import type { Report } from '../../../src/report/model/report.ts';
import { summaryOf } from '../../../src/report/model/summary.ts';
import { sampleReports } from '../sampleReports.ts';
import { addresses, allocationId, migrate, planReport, registrationPlan, resource, runReport } from '../samples.ts';
import { manyMoves, noPlan, sixPlans } from '../sixPlans.ts';
import { crossing, failedRun, hostile } from './reports.ts';

const pageOf = (report: Report, full = false) => htmlFormat.one(report, { color: false, full });

/** Without what is the same in every page. */
const bodyOf = (page: string) =>
  page
    .replace(/<style>[\s\S]*?<\/style>/, '<style></style>')
    .replace(/<script type="module">[\s\S]*?<\/script>/, '<script type="module"></script>')
    .replaceAll(/sha256-[\w+/=]+/g, 'sha256-…');

/** Without markup, one space for any. */
const textOf = (page: string) =>
  bodyOf(page)
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ');

const moveData = (page: string) =>
  JSON.parse(/<script type="application\/json" id="move-data">(.*?)<\/script>/.exec(page)?.[1] ?? 'null');

const tagsOf = (page: string) => [...bodyOf(page).matchAll(/<([a-z]\w*)/gi)].map(([, name]) => name);

it('shows what changes in the trigger service, property by property', () => {
  const text = textOf(pageOf(planReport(registrationPlan)));
  expect(text).toContain('Deliveries and schedules');
  expect(text).toContain('collectorSchedules.nightly http://127.0.0.1:22997 (acme)');
  expect(text).toMatch(/cron ~ changed 0 3 \* \* \* 0 \* \* \* \*/);
  expect(text).toMatch(/delivery − removed results/);
});

describe('markup', () => {
  it('escapes every value, and takes markup as it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const { markup: written } = markup`<b title="${text}">${[markup`<i>${text}</i>`]}</b>`;
        const value = `([^<>"']*)`;
        expect(written).toMatch(new RegExp(`^<b title="${value}"><i>${value}</i></b>$`));
      }),
    );
    expect(markup`<b>${'<&>"\''}${false}${undefined}${0}</b>`.markup).toBe('<b>&lt;&amp;&gt;&quot;&#39;0</b>');
  });
});

describe('the HTML report', () => {
  it('is the page that it was', async () => {
    await expect(bodyOf(pageOf(sixPlans.small))).toMatchFileSnapshot('golden/small.html.txt');
  });

  it('says the sentence of the text report first', () => {
    for (const report of [...Object.values(sixPlans), noPlan, failedRun]) {
      const heading = /<h1[^>]*>(.*)<\/h1>/.exec(pageOf(report))?.[1];
      expect(heading).toBe(markup`${summaryOf(report)}`.markup);
    }
    expect(textOf(pageOf(sixPlans.small))).toContain('https://api.example.com webdata 0.1.0 2026-07-01T10:00:00Z');
  });

  it('says in a word how it stands', () => {
    const badge = (report: Report) => /<span class="badge[^>]*>([^<]*)/.exec(pageOf(report))?.[1];
    const drift = planReport({ resources: [] }, { mode: 'drift' });
    expect(badge(sixPlans.empty)).toBe('no changes');
    expect(badge(sixPlans.small)).toBe('changes');
    expect(badge(sixPlans.errors)).toBe('blocked');
    expect(badge(sixPlans.drift)).toBe('drift');
    expect(badge(drift)).toBe('no drift');
    expect(badge(failedRun)).toBe('failed');
    expect(badge(runReport({ plan: { resources: [] }, resources: [] }))).toBe('done');
  });

  it('names no folder of the machine it was made on', () => {
    expect(pageOf(failedRun)).toContain('webdata.yaml:5:3');
    expect(pageOf(failedRun)).not.toContain('/home/someone');
  });

  it('tells what a run did and what it did not', () => {
    const text = textOf(pageOf(failedRun));
    expect(text).toContain('zoneIpAllocations.static 5 IPs from checkout to parked refused');
    expect(text).toContain('3 IPs from pricing to checkout partly: 2 of 3 IPs moved; 192.0.2.12 stayed in pricing');
    expect(text).toContain('managerSettings.local skipped: an earlier call failed');
    expect(text).toContain('research checkout 8 0 us not sent');
    expect(text).toContain('pricing checkout 3 2 us 2 moved, 1 stayed');
    expect(text).toContain('ports not sent: 24010, 24011');
  });

  it('lists every resource of a run with its state, also those without changes', () => {
    const {
      static: failed,
      quiet,
      local,
    } = Object.fromEntries(
      [
        ...pageOf(sampleReports['half-way'] as Report).matchAll(/<th scope="row"[^>]*>\w+\.(\w+)<\/th>(.*badge.*)/g),
      ].map(([, name, cells = '']) => [name, textOf(cells)]),
    );
    expect([failed, quiet, local]).toEqual([
      ' failed 3 1 ',
      ' no changes 0 0 ',
      ' skipped: an earlier call failed 0 2 ',
    ]);
  });

  it('counts what zones hold after a run by what is known to have moved', () => {
    const text = textOf(pageOf(failedRun));
    expect(text).toContain('Zone Country Before Known now As planned Change');
    expect(text).toContain('checkout us 31 33 32 +2');
    expect(text).toContain('parked us 0 0 1 no change');
  });

  it('folds the zones and countries that do not change', () => {
    const [, shown = '', folded = ''] =
      /id="allocation"([\s\S]*?)<details>([\s\S]*?)<\/details>/.exec(pageOf(sixPlans.small)) ?? [];
    expect(textOf(shown)).toContain('pricing all 16 14 −2 us 12 10 −2');
    expect(textOf(shown)).not.toContain('no change');
    expect(textOf(folded)).toMatch(/^ 1 unchanged .* pricing de 4 4 no change /);
  });

  it('draws what backticks enclose as code', () => {
    const page = pageOf(sixPlans.errors);
    expect(page).toContain('name a zone that has such IPs as <code>spare</code> or under <code>sources</code>');
    expect(bodyOf(page)).not.toContain('`');
  });

  it('draws what did not move apart from what moved', () => {
    const bands = [...pageOf(failedRun).matchAll(/<a class="band hue-\d( is-open)?"[^>]*aria-label="([^"]*)"/g)];
    expect(bands.slice(0, 4).map(([, open, label]) => [open !== undefined, label])).toEqual([
      [true, '8 IPs from research to checkout, not moved'],
      [true, '5 IPs from checkout to parked, not moved'],
      [false, '2 IPs from pricing to checkout'],
      [true, '1 IP from pricing to checkout, not moved'],
    ]);
  });

  it('calls the sides of drift what they are', () => {
    expect(textOf(pageOf(sixPlans.drift))).toContain('Is in Declared in');
  });

  it('draws the 30 largest pairs by themselves and the rest together', () => {
    const page = pageOf(sixPlans.large);
    const wide = /<svg class="flows wide"[\s\S]*?<\/svg>/.exec(page)?.[0] ?? '';
    expect(wide.match(/data-from=/g)).toHaveLength(30);
    expect(wide).toContain('aria-label="2,000 IPs of 20 other pairs together, not to scale"');
    expect(textOf(page)).toContain('38 more pairs');
  });

  it('draws one band for two zones, whatever the reasons of the moves between them', () => {
    const own = [{ ...resource(allocationId, [migrate('a', 'b', addresses(5)), migrate('c', 'b', addresses(2, 10))]) }];
    const others = migrate('c', 'a', addresses(1, 20));
    const whys = [{ why: 'manual' as const, ips: addresses(2) }];
    const plan = { resources: own.map((each) => ({ ...each, calls: [...each.calls, others], whys })) };
    const wide = /<svg class="flows wide"[\s\S]*?<\/svg>/.exec(pageOf(planReport(plan)))?.[0] ?? '';
    expect(
      [...wide.matchAll(/href="(\S+)".* aria-label="(\d.*? to .)"/g)].map(([, row, label]) => [row, label]),
    ).toEqual([
      ['#pair-1', '5 IPs from a to b'],
      ['#pair-3', '2 IPs from c to b'],
      ['#pair-4', '1 IP from c to a'],
    ]);
  });

  it('says how many pairs it leaves out, unless all are asked for', () => {
    const many = manyMoves(60_000);
    expect(textOf(pageOf(many))).toContain('… and 100 more pairs. The list of IPs below has all of them.');
    expect(textOf(pageOf(many, true))).not.toContain('100 more pairs');
    expect(pageOf(many, true)).toContain('id="pair-600"');
  });

  it('gives the script every move', () => {
    const { ips, columns } = moveData(pageOf(crossing));
    const calls = crossing.plan.resources.flatMap((resource) => resource.calls);
    const moves = calls.flatMap(movesOf);
    const word = (name: string, index: number) => columns[name].words[columns[name].of[index]];
    expect(ips).toEqual(moves.map(({ ip }) => ip));
    const words = {
      declared: 'declared by address',
      count: 'fills a count',
      surplus: 'exceeds a count',
      released: 'not declared',
    } as Record<string, string>;
    for (const [index, { country, from, to, reason }] of moves.entries()) {
      expect([word('country', index), word('from', index), word('to', index)]).toEqual([country, from, to]);
      expect(word('why', index)).toBe(words[reason]);
    }
  });

  it('tells an IP that was sent twice once', () => {
    const [resource] = failedRun.result.resources;
    const twice = { ...failedRun, result: { ...failedRun.result, resources: resource ? [resource, resource] : [] } };
    expect(moveData(pageOf(twice)).ips).toHaveLength(16);
  });

  it('lets no text from outside become markup', () => {
    const harmless = JSON.parse(JSON.stringify(hostile).replaceAll(/<[^>]*>/g, 'tag'));
    expect(tagsOf(pageOf(hostile))).toEqual(tagsOf(pageOf(harmless)));
    expect(pageOf(hostile)).not.toContain('<img');
  });

  it('allows its own style and script, and nothing else', () => {
    const page = pageOf(hostile);
    const policy = /Content-Security-Policy" content="([^"]*)"/.exec(page)?.[1]?.replaceAll('&#39;', "'");
    const hash = (text = '') => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
    const style = hash(/<style>([\s\S]*?)<\/style>/.exec(page)?.[1]);
    const script = hash(/<script type="module">([\s\S]*?)<\/script>/.exec(page)?.[1]);
    expect(policy).toBe(
      `default-src 'none'; style-src ${style}; script-src ${script}; base-uri 'none'; form-action 'none'`,
    );
    expect(bodyOf(page)).not.toMatch(/ style=| on\w+="| src="|url\((?!#)/);
  });

  it('holds 50,000 moves in less than 5 MB', () => {
    const report = manyMoves(50_000);
    const page = pageOf(report);
    expect(Buffer.byteLength(page)).toBeLessThan(5_000_000);
    expect(moveData(page).ips).toHaveLength(50_000);
  });
});
