/** A real browser for the page, where there is one; on CI there must be one. */
import { existsSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';

const places = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

export const executable = [process.env.CHROMIUM_PATH ?? '', ...places].find((path) => path !== '' && existsSync(path));

/** Elsewhere tests of the page are skipped without one. */
export const isMissing = executable === undefined && !process.env.CI;

const args = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export async function launch(): Promise<Browser> {
  if (executable === undefined) {
    throw new Error(`no Chromium: install it, or name its file in CHROMIUM_PATH; looked at ${places.join(', ')}`);
  }
  return chromium.launch({ executablePath: executable, args });
}

/** What a page that stands by itself must not do. */
export function watch(page: Page): string[] {
  const wrongs: string[] = [];
  page.on('console', (message) => wrongs.push(`console: ${message.text()}`));
  page.on('pageerror', (error) => wrongs.push(`error: ${error.message}`));
  page.on('request', (request) => {
    if (!request.url().startsWith('file:') || !request.isNavigationRequest()) wrongs.push(`request: ${request.url()}`);
  });
  return wrongs;
}

/** Kept for people to look at. */
export const screenshots = 'node_modules/.cache/screenshots';

/** What axe answers, as far as it is looked at. */
export interface Axe {
  violations: { id: string; impact: string; nodes: { html: string }[] }[];
}
