/** Prices, budgets and the forecast of schedules. */

import { describe, expect, it } from 'vitest';
import { forecast } from '../../../src/engine/forecast/forecast.ts';
import { forecasting } from '../../../src/kinds/forecasting.ts';
import { kindProviding } from '../../kinds/offers.ts';
import { openServing, owner, token } from '../../triggers/serving.ts';
import { type Harness, openHarness, serviceYaml, writesOf } from '../harness.ts';

const moving =
  'zoneIpAllocations: { static: { zones: { checkout: { ips: [192.0.2.10, 192.0.2.11] } }, sources: [pricing] } }\n';

async function openBudgeted(budgets: string): Promise<Harness> {
  const harness = await openHarness('plain');
  await harness.write('webdata.yaml', serviceYaml('plain') + budgets + moving);
  return harness;
}

describe('a budget of moves', () => {
  it('warns in a plan, with its location, and refuses with --enforce before the first call', async () => {
    await using harness = await openBudgeted('budgets: { movesPerMonth: 1 }\n');
    const plan = await harness.webdata('plan');
    expect(plan.code).toBe(0);
    expect(plan.stdout).toMatch(
      /webdata\.yaml:\d+:\d+: 2 IPs would have moved in \d{4}-\d\d: 0 in earlier runs, and 2 by/,
    );
    const json = JSON.parse((await harness.webdata('plan', '--format', 'json')).stdout);
    expect(json.warnings).toMatchObject([{ code: 'over-budget' }]);
    expect(await harness.webdata('plan', '--enforce', '--output', 'plan.json')).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('1 problem'),
      stderr: expect.stringContaining('plan.json was not written'),
    });
    expect(await harness.webdata('apply', '--yes', '--enforce')).toMatchObject({ code: 1 });
    expect(writesOf(harness.emulator.requests())).toEqual([]);
    expect(await harness.webdata('simulate', '--enforce')).toMatchObject({ code: 1 });
    expect(await harness.webdata('simulate')).toMatchObject({ code: 0 });
  });

  it('counts the moves of earlier runs in this month', async () => {
    await using harness = await openBudgeted('budgets: { movesPerMonth: 2 }\n');
    expect((await harness.webdata('apply', '--yes', '--enforce')).code).toBe(0);
    expect((await harness.webdata('plan', '--enforce')).code).toBe(0);
    await harness.write(
      'webdata.yaml',
      `${serviceYaml('plain')}budgets: { movesPerMonth: 2 }\n${moving.replace('192.0.2.11', '192.0.2.11, 198.51.100.13')}`,
    );
    const { stdout } = await harness.webdata('plan');
    expect(stdout).toContain('3 IPs would have moved in');
    expect(stdout).toContain('2 in earlier runs, and 1 by this plan');
  });
});

it('refuses a cost budget without prices', async () => {
  await using harness = await openBudgeted('budgets: { costPerMonth: 5 }\n');
  expect(await harness.webdata('validate')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/costs cannot be counted: the file has no `prices`\n {2}at: budgets\.costPerMonth/),
  });
});

describe('schedules', () => {
  const scheduled = `prices: { currency: USD, move: 0.5, targets: { c_prices: 0.75 } }
budgets: { triggersPerDay: 10, costPerMonth: 20 }
collectorSchedules:
  nightly: { collector: c_prices, cron: '0 3 * * *', inputs: [{ url: 'https://shop.example.com' }], maxTime: 2h }
  often: { dataset: gd_x, every: 30m, inputs: [{ url: 'https://shop.example.com' }] }
  late: { collector: c_late, every: 1d, paused: true, inputs: [{ url: 'https://shop.example.com' }] }
`;

  async function run(...args: string[]) {
    return await runWith(scheduled, ...args);
  }

  async function runWith(declared: string, ...args: string[]) {
    await using serving = await openServing();
    await using harness = await openHarness('plain');
    await harness.write(
      'webdata.yaml',
      `name: ${owner}\n${serviceYaml('plain')}triggers: { url: ${serving.url} }\n${declared}${moving}`,
    );
    return await harness.webdataWith({ env: { WEBDATA_TRIGGERS_TOKEN: token } }, ...args);
  }

  it('are forecast with ticks, overlaps, triggers and costs', async () => {
    const { stdout, stderr, code } = await run('simulate', '--for', '2d', '--job-time', '45m', '--format', 'json');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const { forecast: found, warnings } = JSON.parse(stdout);
    expect(found.schedules).toMatchObject([
      { schedule: 'nightly', target: 'c_prices', ticks: 2, triggers: 2, overlaps: 0, jobMs: 7_200_000 },
      { schedule: 'often', ticks: 96, triggers: 48, overlaps: 48 },
      { schedule: 'late', isPaused: true, ticks: 0 },
    ]);
    expect(found).toMatchObject({ triggers: 50, moves: 2, cost: { amount: 2.5, currency: 'USD', unpriced: ['gd_x'] } });
    expect(found.ticks).toHaveLength(98);
    expect(warnings.map(({ found: text }: { found: string }) => text)).toEqual([
      expect.stringMatching(/^the declared schedules trigger 49 times on /),
      expect.stringMatching(/cost at least 23\.50 USD \(no price of gd_x\)$/),
    ]);
  });

  it('may use up a budget', async () => {
    const enough = 'budgets: { triggersPerDay: 49, movesPerMonth: 2, costPerMonth: 23.5 }';
    const { stdout, code } = await runWith(scheduled.replace(/^budgets:.*/m, enough), 'simulate', '--format', 'json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout).warnings).toEqual([]);
  });

  it('are shown as tables, and without prices as counts only', async () => {
    const { stdout } = await run('simulate', '--for', '1d');
    expect(stdout).toMatch(/^SCHEDULE +TARGET +TICKS +TRIGGERS/m);
    expect(stdout).toMatch(/^often +gd_x +48 +48 .*no price/m);
    expect(stdout).toContain(
      'Overlaps are not known without the duration of a job: pass --job-time, or declare maxTime.',
    );
    expect(stdout).toMatch(/… and 29 more ticks/);
    await using harness = await openHarness('plain');
    await harness.write('webdata.yaml', serviceYaml('plain') + moving);
    const none = await harness.webdata('simulate', '--for', '1d');
    expect(none.stdout).toContain('Forecast: 0 triggers; no costs without `prices` in the declaration.');
    expect(await harness.webdata('simulate', '--for', '93d')).toMatchObject({ code: 1, stderr: /at most 92d/ });
  });

  it.each([
    ['skip', 3, 6],
    ['queue', 6, 6],
    ['cancel', 6, 6],
    ['allow', 6, 6],
  ] as const)('that %s overlapping ticks trigger %i of %i', (overlap, triggers, ticks) => {
    const hour = 3_600_000;
    const timing = { everyMs: hour };
    const firing = () => ({ target: 'c_x', timing, overlap, isPaused: false, longestMs: 1.5 * hour });
    const definition = kindProviding(forecasting, { firing });
    const declared = [{ definition, spec: {}, name: 'x' }] as unknown as Parameters<typeof forecast>[0];
    const { schedules, busiestDay } = forecast(declared, { from: 0, until: 6 * hour });
    expect(schedules).toMatchObject([{ ticks, triggers }]);
    expect(busiestDay).toEqual({ date: '1970-01-01', triggers });
  });
});
