/** The playground in Chromium, opened as a file and without a network. */
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { planned } from '../../../scripts/pictures/planned.ts';
import { buildPlayground } from '../../../scripts/site/playground.ts';
import { isMissing, launch, watch } from '../report/browser.ts';

const folder = await mkdtemp(join(tmpdir(), 'webdata-playground-'));
const file = join(folder, 'playground.html');
afterAll(() => rm(folder, { recursive: true }));

beforeAll(() => buildPlayground(file));

it('is one file of less than 500 KB that loads nothing', async () => {
  expect((await stat(file)).size).toBeLessThan(500 * 1024);
  const page = await readFile(file, 'utf8');
  expect([...page.matchAll(/<(?:link|script|img|iframe)[^>]* (?:src|href)="(?!data:)/g)]).toEqual([]);
});

describe.skipIf(isMissing)('the playground', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(() => browser.close());

  async function open(width = 1280) {
    const context = await browser.newContext({ viewport: { width, height: 800 }, offline: true });
    const page = await context.newPage();
    const wrongs = watch(page);
    await page.goto(pathToFileURL(file).href);
    return { page, wrongs };
  }

  const reportIn = (page: Page) => page.frameLocator('#report');
  const declarationIn = (page: Page) => page.getByLabel('Declaration', { exact: true });

  async function edit(page: Page, from: string, to: string) {
    const text = await declarationIn(page).inputValue();
    expect(text).toContain(from);
    await declarationIn(page).fill(text.replace(from, to));
  }

  it('shows the report that webdata plan writes for the example', async () => {
    const { page, wrongs } = await open();
    const shown = await reportIn(page).locator('main').innerText();
    const { html } = await planned(await readFile('examples/quickstart/webdata.yaml', 'utf8'));
    const other = await browser.newPage({ viewport: { width: 746, height: 700 } });
    await other.setContent(html);
    expect(shown).toBe(await other.locator('main').innerText());
    expect(await reportIn(page).locator('h1').innerText()).toBe(await other.locator('h1').innerText());
    expect(wrongs).toEqual([]);
  });

  it('plans again after an edit', async () => {
    const { page } = await open();
    await edit(page, 'count: { us: 42 }', 'count: { us: 41 }');
    await expect.poll(() => reportIn(page).locator('h1').innerText()).toContain('33 IPs move');
  });

  it('shows errors as the command line does, with a link to the line', async () => {
    const { page, wrongs } = await open();
    await edit(page, 'logs: 500', 'logz: 500');
    const problems = page.locator('#problems');
    await expect.poll(() => problems.innerText()).toContain('webdata.yaml:31:5: unknown key `logz` in `local`');
    expect(await problems.innerText()).toMatch(/ {2}allowed: .*\n {2}fix: did you mean `logs`\?/);
    expect(await page.locator('#report').isVisible()).toBe(false);
    await page.getByRole('link', { name: 'webdata.yaml:31:5' }).click();
    const at = await page.evaluate('declaration.value.slice(declaration.selectionStart)');
    expect(at).toMatch(/^logz: 500/);
    expect(wrongs).toEqual([]);
  });

  it('shows a broken guard beside the plan, and a zone that does not exist', async () => {
    const { page } = await open();
    await edit(page, 'maxMoves: "20%"', 'maxMoves: "5%"');
    await expect.poll(() => page.locator('#problems').innerText()).toContain('32 IPs would move in this run');
    await expect.poll(() => reportIn(page).locator('h1').innerText()).toContain('blocks this plan');
    await edit(page, 'stock-check:', 'stok-check:');
    await expect.poll(() => page.locator('#problems').innerText()).toContain('zone `stok-check` does not exist');
    await page.getByRole('button', { name: 'Reset' }).click();
    await expect.poll(() => page.locator('#status').innerText()).toBe('webdata plan would print this report.');
  });
});
