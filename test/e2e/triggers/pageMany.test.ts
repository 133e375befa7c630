/** A hundred thousand schedules, and as many runs: the page shows them a part at a time. How long that takes is measured in bench/. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openServing, owner, type Serving, token } from '../../triggers/serving.ts';
import { isMissing, launch } from '../report/browser.ts';

const many = 100_000;
const numbers = `WITH RECURSIVE numbers(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${many - 1})`;

describe('the trigger service with 100,000 schedules', () => {
  let serving: Serving;
  let browser: Browser | undefined;

  beforeAll(async () => {
    serving = await openServing();
    await fill(serving);
    if (!isMissing) browser = await launch();
  });
  afterAll(async () => {
    await browser?.close();
    await serving?.[Symbol.asyncDispose]();
  });

  it('answers a part at a time, however many there are', async () => {
    const lengths = async (path: string) => ((await serving.call('GET', path)).body as unknown[]).length;
    expect(await lengths('/v1/schedules?brief=true&limit=100')).toBe(100);
    expect(await lengths('/v1/schedules?brief=true&limit=100&text=name-77777')).toBe(1);
    expect(await lengths('/v1/runs?limit=1000')).toBe(1000);
    expect(await lengths('/v1/runs?limit=100&owner=owner-7&schedule=name-77777')).toBe(1);
  });

  it.skipIf(isMissing)('shows the first hundred, finds any other, and goes on page by page', async () => {
    const page = await browser?.newPage();
    if (page === undefined) throw new Error('there is no browser');
    await page.goto(serving.url);
    await page.getByRole('textbox', { name: 'Token' }).fill(token);
    await page.keyboard.press('Enter');
    const rows = page.locator('#schedules tr');
    await expect.poll(() => rows.count()).toBe(100);
    expect(await page.locator('#schedule-count').textContent()).toBe('100,000 schedules, the first 100 are shown.');
    await page.getByRole('button', { name: 'Show 100 more' }).first().click();
    await expect.poll(() => rows.count()).toBe(200);
    await page.getByRole('searchbox', { name: 'Search' }).fill('name-77777');
    await expect.poll(() => rows.count()).toBe(1);
    expect(await rows.textContent()).toContain('owner-7/name-77777');
    expect(await page.locator('#schedule-count').textContent()).toBe('1 schedule matches.');
    await page.close();
  });
});

/** One of each as the ledger writes it, then as many copies of them. */
async function fill(serving: Serving): Promise<void> {
  await serving.schedule('first');
  await serving.run('first', { to: 'finished', text: 'done' });
  const names = { owner: `'owner-' || (n % 10)`, target: `'c_prices'` };
  await copy(serving, 'schedules', { ...names, id: `'h_' || n`, name: `'name-' || n`, next_at: `next_at + n` });
  await copy(serving, 'runs', {
    ...names,
    id: `'r_' || n`,
    schedule_id: `'h_' || n`,
    schedule: `'name-' || n`,
    tick_at: 'tick_at - n',
    state: `CASE WHEN n % 1000 = 0 THEN 'unknown' ELSE state END`,
  });
  await serving.call('DELETE', `/v1/owners/${owner}/schedules/first`);
}

async function copy({ database }: Serving, table: string, changed: Record<string, string>): Promise<void> {
  const [row = {}] = await database.query(`SELECT * FROM ${table} LIMIT 1`);
  const columns = Object.keys(row);
  const values = columns.map((column) => changed[column] ?? column);
  await database.query(
    `INSERT INTO ${table} (${columns}) ${numbers} SELECT ${values} FROM (SELECT * FROM ${table} LIMIT 1), numbers`,
  );
}
