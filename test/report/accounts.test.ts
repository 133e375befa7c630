/** The reports of several accounts: a section for each, and a summary, in every format. */
import { describe, expect, it } from 'vitest';
import { type FormatName, formatNames, loadAccountsFormat } from '../../src/report/formats.ts';
import { accountsSchema } from '../../src/report/json/schema.ts';
import { type AccountReport, type AccountsReport, accountsSummary } from '../../src/report/model/accounts.ts';
import type { Report } from '../../src/report/model/report.ts';
import { sampleReports } from './sampleReports.ts';
import { manyMoves } from './sixPlans.ts';

const account = (name: string, report: Report, exitCode: AccountReport['exitCode'] = 0): AccountReport => ({
  account: name,
  file: `accounts/${name}.yaml`,
  exitCode,
  report,
});

const of = (accounts: readonly AccountReport[], command: AccountsReport['command'] = 'plan'): AccountsReport => ({
  command,
  version: '0.1.0',
  accounts,
});

const all = of(Object.entries(sampleReports).map(([name, report]) => account(name, report)));

const write = async (format: FormatName, report: AccountsReport) =>
  (await loadAccountsFormat(format))(report, { color: false });

describe('the report of several accounts', () => {
  it.each(formatNames)('names each account and ends with one line break, as %s', async (format) => {
    const text = await write(format, all);
    expect(text).toMatch(/[^\n]\n$/);
    // Annotations are limited, and a test report has no cases for a plan without resources.
    const named = ['github', 'junit'].includes(format) ? [] : all.accounts;
    for (const { account: name } of named) expect(text).toContain(name);
  });

  it('is a JSON document of its schema, with the whole report of each account', async () => {
    const document = JSON.parse(await write('json', all));
    expect(accountsSchema().safeParse(document).error).toBeUndefined();
    expect(document.accounts.map(({ account: name }: { account: string }) => name)).toEqual(
      all.accounts.map(({ account: name }) => name),
    );
    expect(document.summary).toMatchObject({ accounts: all.accounts.length });
  });

  it('has unique ids on its page, and no link without a target', async () => {
    const html = await write('html', all);
    const ids = [...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
    expect(ids).toHaveLength(new Set(ids).size);
    const targets = [...html.matchAll(/ (?:href|aria-labelledby)="#?([^"]*)"/g)].map(([, id]) => id);
    expect(targets.filter((target) => !ids.includes(target))).toEqual([]);
  });

  it('fits into a comment, with a section for every account as long as there is room', async () => {
    const large = of(Array.from({ length: 5 }, (_, index) => account(`large-${index}`, manyMoves(20_000))));
    const mixed = of([...large.accounts, account('small', manyMoves(1))]);
    const text = await write('markdown', mixed);
    expect(Buffer.byteLength(text)).toBeLessThan(64_500);
    expect(text.match(/^## /gm)).toHaveLength(6);
    expect(text).toContain('HTML and JSON reports have everything');
    const many = of(Array.from({ length: 200 }, (_, index) => account(`account-${index}`, manyMoves(2_000))));
    const short = await write('markdown', many);
    expect(Buffer.byteLength(short)).toBeLessThan(65_000);
    expect(short).toMatch(/\d+ accounts not shown/);
  });

  it('cannot be steered by the name of a file', async () => {
    const report = of([account('x\n::error::y\u001b[31m| `z`', manyMoves(1))]);
    for (const format of ['text', 'markdown', 'github', 'junit'] as const) {
      const text = await write(format, report);
      expect([format, text.includes('\u001b') || /^::error::y/m.test(text)]).toEqual([format, false]);
    }
  });
});

describe('the summary of several accounts', () => {
  it('counts the accounts by their states', () => {
    const moves = manyMoves(1);
    const none = { ...moves, plan: { resources: [] } };
    expect(accountsSummary(of([account('a', moves), account('b', none), account('c', none)]))).toBe(
      'Plan of 3 accounts: changes in 1, no changes in 2.',
    );
    expect(accountsSummary(of([account('a', { ...moves, mode: 'drift' }, 2)], 'drift'))).toBe(
      'Drift of 1 account: drift in 1.',
    );
    expect(accountsSummary(of([account('a', moves, 1)], 'apply'))).toBe('Apply of 1 account: not applied in 1.');
  });
});
