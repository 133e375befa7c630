/** The page as people meet it: opened from a file in a browser, without any network. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { htmlFormat } from '../../../src/report/html/html.ts';
import type { Report } from '../../../src/report/model/report.ts';
import { crossing, failedRun, hostile, hostileName } from '../../report/html/reports.ts';
import { manyMoves, sixPlans } from '../../report/sixPlans.ts';
import { type Axe, isMissing, launch, screenshots, watch } from './browser.ts';

const reports = { ...sixPlans, crossing, failedRun, hostile, huge: manyMoves(50_000) } satisfies Record<string, Report>;
type Name = keyof typeof reports;

describe.skipIf(isMissing)('the HTML report in a browser', () => {
  let browser: Browser;
  let folder: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'webdata-page-'));
    mkdirSync(screenshots, { recursive: true });
    browser = await launch();
  });

  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Shows a report, and afterwards nothing went wrong that a console would tell. */
  async function withPage(name: Name, options: BrowserContextOptions, use: (page: Page) => Promise<void>) {
    const file = join(folder, `${name}.html`);
    writeFileSync(file, htmlFormat.one(reports[name], { color: false }));
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
    try {
      const page = await context.newPage();
      const wrongs = watch(page);
      await page.goto(pathToFileURL(file).href);
      await use(page);
      expect(wrongs).toEqual([]);
    } finally {
      await context.close();
    }
  }

  const count = (page: Page) => page.locator('#move-count').textContent();
  const column = (page: Page, nth: number) => page.locator(`#move-table tbody td:nth-child(${nth})`).allTextContents();
  const colours = (page: Page) =>
    page.evaluate<string[]>('[getComputedStyle(document.body).backgroundColor, getComputedStyle(document.body).color]');

  it('draws the picture: bands that can be seen, thicker for more IPs', async () => {
    await withPage('crossing', {}, async (page) => {
      const band = (label: string) => page.locator('.wide').getByRole('link', { name: label, exact: true });
      const height = async (label: string) => {
        const box = await band(label).locator('.flow').boundingBox();
        return box?.height ?? 0;
      };
      expect(await page.locator('.wide .band').count()).toBe(7);
      expect(await page.locator('.narrow').isVisible()).toBe(false);
      expect(await band('120 IPs from checkout to pricing').isVisible()).toBe(true);
      expect(await height('120 IPs from checkout to pricing')).toBeGreaterThan(
        (await height('1 IP from reviews to seo')) + 20,
      );
    });
  });

  it('keeps every label of the picture within the page and apart from its neighbours', async () => {
    for (const [name, width] of [
      ['crossing', 1280],
      ['large', 820],
      ['crossing', 390],
      ['large', 390],
    ] as const) {
      await withPage(name, { viewport: { width, height: 900 } }, async (page) => {
        const boxes = await page.evaluate<{ left: number; right: number; top: number; bottom: number }[]>(
          "[...document.querySelectorAll('.flows .zone text')].map((text) => text.getBoundingClientRect().toJSON()).filter(({ width }) => width > 0)",
        );
        expect(boxes.length).toBeGreaterThan(5);
        for (const { left, right } of boxes) {
          expect(left).toBeGreaterThanOrEqual(0);
          expect(right).toBeLessThanOrEqual(width);
        }
        for (const [index, one] of boxes.entries()) {
          for (const other of boxes.slice(index + 1)) {
            const overlap =
              one.left < other.right &&
              other.left < one.right &&
              one.top < other.bottom - 1 &&
              other.top < one.bottom - 1;
            expect(overlap).toBe(false);
          }
        }
      });
    }
  });

  it('says what a band is when it is pointed at, and lists its IPs when it is followed', async () => {
    await withPage('crossing', {}, async (page) => {
      const band = page.locator('.wide .band[data-from="research"]');
      await band.locator('.flow').hover();
      expect(await page.locator('#readout').textContent()).toMatch(/^60 IPs from research to archive/);
      await expect
        .poll(() => page.evaluate(`getComputedStyle(document.querySelector('.wide .band[data-from="seo"]')).opacity`))
        .toBe('0.25');
      await band.locator('.flow').click();
      expect(await count(page)).toBe('60 of 353 IPs match; the first 50 are shown.');
      expect(new Set(await column(page, 3))).toEqual(new Set(['research']));
      await page.getByRole('button', { name: 'Clear' }).click();
      await expect.poll(() => count(page)).toBe('353 IPs; the first 50 are shown.');
    });
  });

  it('narrows the list as text is typed and filters are chosen, and counts', async () => {
    await withPage('large', {}, async (page) => {
      expect(await count(page)).toBe('5,000 IPs; the first 50 are shown.');
      await page.getByRole('searchbox', { name: 'Search' }).fill('198.18.0.');
      expect(await count(page)).toBe('256 of 5,000 IPs match; the first 50 are shown.');
      expect((await column(page, 1)).every((ip) => ip.startsWith('198.18.0.'))).toBe(true);
      await page.getByRole('combobox', { name: 'From' }).selectOption('old-2');
      expect(await count(page)).toBe('56 of 5,000 IPs match; the first 50 are shown.');
      await page.getByRole('button', { name: 'Show 200 more' }).click();
      expect(await column(page, 1)).toHaveLength(56);
      expect(await page.getByRole('button', { name: 'Show 200 more' }).isVisible()).toBe(false);
      await page.getByRole('searchbox', { name: 'Search' }).fill('NEW-49');
      expect(await count(page)).toBe('0 of 5,000 IPs match.');
      await page.getByRole('combobox', { name: 'From' }).selectOption('');
      expect(await count(page)).toBe('100 of 5,000 IPs match; the first 50 are shown.');
    });
  });

  it('sorts by a column, by number where it is of numbers, and says so', async () => {
    await withPage('small', {}, async (page) => {
      const header = page.locator('#move-table th').filter({ hasText: 'To' });
      await header.getByRole('button').click();
      expect(await header.getAttribute('aria-sort')).toBe('ascending');
      expect(await column(page, 4)).toEqual(['checkout', 'checkout', 'parked']);
      await header.getByRole('button').click();
      expect(await header.getAttribute('aria-sort')).toBe('descending');
      expect(await column(page, 4)).toEqual(['parked', 'checkout', 'checkout']);
    });
    await withPage('large', {}, async (page) => {
      await page.getByRole('button', { name: 'IP', exact: true }).click();
      expect((await column(page, 1)).slice(8, 11)).toEqual(['198.18.0.8', '198.18.0.9', '198.18.0.10']);
      expect(await page.locator('#move-table th[aria-sort="ascending"]').count()).toBe(1);
    });
  });

  it('is light or dark as the system is, and as its button says', async () => {
    await withPage('crossing', { colorScheme: 'light' }, async (page) => {
      const light = await colours(page);
      await page.emulateMedia({ colorScheme: 'dark' });
      const dark = await colours(page);
      expect(dark[0]).not.toBe(light[0]);
      expect(dark[1]).not.toBe(light[1]);
      await page.getByRole('button', { name: 'Light' }).click();
      expect(await colours(page)).toEqual(light);
      await page.getByRole('button', { name: 'Dark' }).click();
      expect(await colours(page)).toEqual(dark);
    });
  });

  it('can be used with the keyboard alone', async () => {
    await withPage('crossing', {}, async (page) => {
      const focused = () =>
        page.evaluate<string>(
          "document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent",
        );
      const tabTo = async (isThere: () => Promise<boolean>) => {
        for (let presses = 0; presses < 60 && !(await isThere()); presses += 1) await page.keyboard.press('Tab');
        expect(await isThere()).toBe(true);
      };
      await page.keyboard.press('Tab');
      expect(await focused()).toBe('Skip to the report');
      expect((await page.locator('.skip').boundingBox())?.x).toBeGreaterThanOrEqual(0);
      await page.keyboard.press('Enter');
      await tabTo(async () => (await focused()) === '18 IPs from seo to checkout');
      const outline = await page.evaluate<string>(
        "getComputedStyle(document.activeElement.querySelector('.flow')).strokeWidth",
      );
      expect(outline).toBe('2.5px');
      expect(await page.locator('#readout').textContent()).toBe('18 IPs from seo to checkout');
      await page.keyboard.press('Enter');
      expect(await count(page)).toBe('18 of 353 IPs match.');
      expect(await page.evaluate('document.activeElement.name')).toBe('text');
      await page.keyboard.type('198.18.3.23');
      expect(await count(page)).toBe('8 of 353 IPs match.');
      await tabTo(async () => (await focused()) === 'IP');
      await page.keyboard.press('Enter');
      await page.keyboard.press('Enter');
      expect((await column(page, 1))[0]).toBe('198.18.3.239');
    });
  });

  it('shows all but the list where scripts do not run', async () => {
    await withPage('crossing', { javaScriptEnabled: false }, async (page) => {
      expect(await page.locator('h1').isVisible()).toBe(true);
      expect(await page.locator('.wide .band .flow').first().isVisible()).toBe(true);
      expect(await page.getByRole('row', { name: 'seo checkout 18' }).isVisible()).toBe(true);
      expect(await page.getByText('the list needs JavaScript').isVisible()).toBe(true);
      expect(await page.locator('#move-list').isVisible()).toBe(false);
      expect(await page.locator('#theme').isVisible()).toBe(false);
    });
  });

  it('never scrolls sideways in a narrow window', async () => {
    for (const name of Object.keys(reports) as Name[]) {
      await withPage(name, { viewport: { width: 390, height: 800 } }, async (page) => {
        expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
      });
    }
  });

  it('prints what is filtered, all of it, without controls and on white', async () => {
    await withPage('large', { colorScheme: 'dark' }, async (page) => {
      await page.getByRole('combobox', { name: 'From' }).selectOption('old-7');
      await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
      await page.evaluate("dispatchEvent(new Event('beforeprint'))");
      expect(await column(page, 1)).toHaveLength(100);
      expect(await page.locator('details:not([open])').count()).toBe(0);
      expect(await page.locator('button:not(.sort):visible, select:visible, input:visible, nav:visible').count()).toBe(
        0,
      );
      expect((await colours(page))[0]).toBe('rgb(255, 255, 255)');
      await page.evaluate("dispatchEvent(new Event('afterprint'))");
      expect(await column(page, 1)).toHaveLength(50);
      expect((await page.pdf()).length).toBeGreaterThan(10_000);
    });
  });

  it('shows names as they are and never as markup', async () => {
    await withPage('hostile', {}, async (page) => {
      const shown = hostileName.replace('\u001b', '\\u{1b}').replace('\u202e', '\\u{202e}');
      expect(await page.evaluate("'hacked' in globalThis")).toBe(false);
      expect(await page.locator('img').count()).toBe(0);
      expect(await column(page, 3)).toEqual([shown, shown]);
      expect(await page.getByRole('combobox', { name: 'From' }).locator('option').allTextContents()).toContain(shown);
    });
  });

  it.each([
    ['crossing', 'light'],
    ['crossing', 'dark'],
    ['failedRun', 'light'],
    ['errors', 'dark'],
    ['settings', 'light'],
  ] as const)('has no barrier that axe finds: %s, %s', async (name, colorScheme) => {
    const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
    await withPage(name, { colorScheme }, async (page) => {
      await page.evaluate(axe);
      const { violations } = await page.evaluate<Axe>('axe.run()');
      const found = violations.map(({ id, impact, nodes }) => `${impact} ${id}: ${nodes[0]?.html.slice(0, 200)}`);
      expect(found).toEqual([]);
    });
  });

  it.each([
    ['crossing', 'light', 390],
    ['large', 'light', 1280],
    ['failedRun', 'dark', 390],
    ['empty', 'dark', 1280],
  ] as const)('fits its window, as a screenshot shows: %s, %s, %i wide', async (name, colorScheme, width) => {
    await withPage(name, { colorScheme, viewport: { width, height: 900 } }, async (page) => {
      const path = join(screenshots, `${name}-${colorScheme}-${width}.png`);
      await page.screenshot({ path, fullPage: true });
      const edges = await page.evaluate<number[]>(
        "[...document.querySelectorAll('h1, h2, h3, p, li, dl, svg.flows, .scroll, form')].map((part) => part.getBoundingClientRect().right)",
      );
      expect(Math.max(...edges)).toBeLessThanOrEqual(width);
      expect(Math.max(...edges)).toBeGreaterThan(width / 2);
    });
  });
});
