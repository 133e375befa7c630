/** The built site in Chromium. `npm run site` builds it; without it, these tests are skipped, except in CI. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isMissing, launch } from '../report/browser.ts';
import { type ServedSite, serveSite } from './serve.ts';

const dist = 'site/dist';
const isBuilt = existsSync(`${dist}/index.html`) || process.env.CI !== undefined;

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

  it.each([
    '',
    'tutorial',
    'how-to',
    'reference',
    'explanation',
    'runs',
    'commands',
    'architecture',
    'api/webdata',
  ])('/%s is no wider than a phone', async (path) => {
    const { page } = await open(path, { width: 390 });
    expect(await page.locator('h1').first().innerText()).not.toBe('');
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
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

  it('searches without a server', async () => {
    const { page } = await open('');
    await page.getByPlaceholder('Search').fill('keepAtLeast');
    await page.getByText('keepAtLeast needs an order').first().waitFor();
    await page.keyboard.press('Enter');
    await expect.poll(() => page.url()).not.toBe(site.url);
    await page.getByRole('heading', { name: 'keepAtLeast needs an order' }).waitFor();
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

  it('leads to the playground and to the tutorial', async () => {
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
