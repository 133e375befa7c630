/** The built site in Chromium. `npm run site` builds it; without it, these tests are skipped, except in CI. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isMissing, launch } from '../report/browser.ts';
import { type ServedSite, serveSite } from './serve.ts';

const dist = 'site/dist';
const isBuilt = existsSync(`${dist}/index.html`) || process.env.CI !== undefined;

/** What people type, and a part of one of the few hits that the search shows. */
const firstHits: Readonly<Record<string, string>> = {
  undo: 'webdata undo',
  rollback: 'webdata undo',
  keepAtLeast: 'keepAtLeast',
  maxMoves: 'maxMoves',
  'accepted-unseen': 'Errors',
  '429': 'real',
  retry: '--retries',
  'cron timezone': 'collectorSchedules',
  'S3 delivery': 'receiver',
  'import existing account': 'Everyday',
  'notify slack': 'trigger service',
  cost: 'declaration',
  locked: 'The lock',
  'github token': 'GitHub',
  drift: 'webdata drift',
  protect: 'protect',
  webhook: 'receiver',
  pulumi: 'Pulumi',
  terraform: 'Terraform',
  price: 'declaration',
  parallelism: '--parallelism',
  'pause schedule': 'Pause a schedule',
  'exit code': 'Exit codes',
  inventory: 'webdata show',
  'pull request': 'CI',
  'which zones exist': 'webdata show',
  'collector without server': 'every night',
};

describe.skipIf(isMissing || !isBuilt)('the site', () => {
  let browser: Browser;
  let site: ServedSite;
  beforeAll(async () => {
    site = await serveSite(dist);
    browser = await launch();
  });
  afterAll(async () => {
    await browser.close();
    await site[Symbol.asyncDispose]();
  });

  async function open(path: string, { width = 1280, colorScheme = 'light' as 'light' | 'dark' } = {}) {
    const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme });
    const page = await context.newPage();
    await page.goto(`${site.url}${path}`);
    return { page };
  }

  it.each(
    [1280, 390].flatMap((width) =>
      [
        '',
        'getting-started',
        'undo',
        'commands/plan',
        'declaration/zoneIpAllocations',
        'terraform',
        'architecture',
      ].map((path) => ({ path, width })),
    ),
  )('/$path is no wider than its box at $width pixels', async ({ path, width }) => {
    const { page } = await open(path, { width });
    expect(await page.locator('h1').first().innerText()).not.toBe('');
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    const wide = await page
      .locator('.theme-doc-markdown :is(table, pre, p, h2, h3)')
      .evaluateAll((all) =>
        all.filter((each) => each.scrollWidth > each.clientWidth + 1).map((each) => each.innerHTML),
      );
    expect(wide).toEqual([]);
    await page.context().close();
  });

  it('loads nothing from elsewhere', async () => {
    const { page } = await open('runs');
    const loaded = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name));
    expect(loaded.filter((name) => !name.startsWith(site.url))).toEqual([]);
    await page.context().close();
  });

  it('follows the system into the dark, and the button out of it', async () => {
    const { page } = await open('runs', { colorScheme: 'dark' });
    const background = () => page.evaluate('getComputedStyle(document.documentElement).backgroundColor');
    expect(await background()).toBe('rgb(21, 24, 27)');
    await page.getByRole('button', { name: /Switch between dark and light mode/ }).click();
    await expect.poll(background).toBe('rgb(252, 252, 250)');
    await page.context().close();
  });

  it('finds by search, without a server, what people look for', async () => {
    const { page } = await open('');
    for (const [query, wanted] of Object.entries(firstHits)) {
      const box = page.getByPlaceholder('Search');
      await box.fill('');
      await expect.poll(() => page.locator('[class*=suggestion_]').count()).toBe(0);
      await box.fill(query);
      await page.locator('[class*=suggestion_]').first().waitFor();
      expect(await page.locator('[class*=suggestion_]').allInnerTexts(), query).toEqual(
        expect.arrayContaining([expect.stringContaining(wanted)]),
      );
    }
    await page.context().close();
  });

  it('links terms to the glossary, and each page to its Markdown', async () => {
    const { page } = await open('runs');
    const term = page.locator('a.term', { hasText: 'journal' }).first();
    expect(await term.getAttribute('title')).toBe('The record of every call, written before the call is sent.');
    await term.click();
    await expect.poll(() => page.url()).toBe(`${site.url}glossary#journal`);
    await page.goBack();
    const markdown = page.getByRole('link', { name: 'View as Markdown' });
    expect(await markdown.getAttribute('href')).toBe('/runs.md');
    expect(await readFile(`${dist}/runs.md`, 'utf8')).toMatch(/^# Runs\n/);
    await page.context().close();
  });

  it('leads to the playground and to the first steps', async () => {
    const { page } = await open('');
    expect(await page.getByRole('link', { name: 'Try it in the browser' }).getAttribute('href')).toBe(
      '/playground.html',
    );
    await page.getByRole('link', { name: 'Get started' }).click();
    await expect.poll(() => page.url()).toBe(`${site.url}getting-started`);
    await page.goto(`${site.url}playground.html`);
    expect(await page.frameLocator('#report').locator('h1').innerText()).toContain('32 IPs move');
    await page.context().close();
  });
});
