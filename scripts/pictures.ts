/**
 * `npm run pictures`: makes the pictures of the README and of docs/explanations from the real program, each in a light and a dark version. The text of each picture is
 * recorded as a hash, so that test/e2e/docs/pictures.test.ts notices when the program shows something else.
 */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { version } from '../src/version.ts';
import { launch } from '../test/e2e/report/browser.ts';
import { fewestMoves } from './pictures/fewestMoves.ts';
import { planned } from './pictures/planned.ts';
import { recorded } from './pictures/recorded.ts';
import { recordingSvg, recordingText } from './pictures/recordingSvg.ts';
import { reviewComment, reviewPage } from './pictures/review.ts';
import { openStatusPage } from './pictures/statusPage.ts';
import { plainText, type Theme, terminalSvg, themes } from './pictures/terminal.ts';

const folder = 'docs/pictures';
const hashes = join(folder, 'hashes.json');

/** The shown text and the images of one picture. The browser is needed only for pages. */
interface Picture {
  text: string;
  images: Record<Theme, string | Buffer>;
}

function readmeDeclaration(): string {
  return /```yaml\n([\s\S]*?)```/.exec(readFileSync('README.md', 'utf8'))?.[1] ?? '';
}

/** The plan of the declaration that the README shows. */
async function terminalPlan(columns?: number): Promise<Picture> {
  const { terminal } = await planned(readmeDeclaration(), columns);
  const images = { light: terminalSvg(terminal, 'light'), dark: terminalSvg(terminal, 'dark') };
  return { text: plainText(terminal), images };
}

/** The workflow of the demo, with the declaration that the README shows. */
async function recording(): Promise<Picture> {
  const scenes = await recorded(readmeDeclaration());
  const images = { light: recordingSvg(scenes, 'light'), dark: recordingSvg(scenes, 'dark') };
  return { text: recordingText(scenes), images };
}

async function htmlPlan(browser: Browser): Promise<Picture> {
  const { html } = await planned(readFileSync('examples/quickstart/webdata.yaml', 'utf8'));
  const picture = await shoot(browser, { width: 1100, height: 925 }, (page) => page.setContent(html));
  return { ...picture, text: picture.text.replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, '…') };
}

async function review(browser: Browser): Promise<Picture> {
  const page = reviewPage(await reviewComment());
  return shoot(browser, { width: 860, height: 684 }, (tab) => tab.setContent(page));
}

async function statusPage(browser: Browser): Promise<Picture> {
  await using status = await openStatusPage();
  const picture = await shoot(browser, { width: 1100, height: 865 }, (page) => status.show(page));
  return { ...picture, text: picture.text.replaceAll(/\br_\w+/g, 'r_…') };
}

async function shoot(
  browser: Browser,
  viewport: { width: number; height: number },
  show: (page: Page) => Promise<void>,
) {
  const images: Partial<Picture['images']> = {};
  let text = '';
  for (const colorScheme of themes) {
    const context = await browser.newContext({
      viewport,
      deviceScaleFactor: 2,
      colorScheme,
      locale: 'en-GB',
      timezoneId: 'Europe/Berlin',
    });
    try {
      const page = await context.newPage();
      await show(page);
      text = await page.locator('body').innerText();
      images[colorScheme] = await page.screenshot({ animations: 'disabled' });
    } finally {
      await context.close();
    }
  }
  return { text, images: images as Picture['images'] };
}

/** The example of docs/explanations/fewest-moves.md. */
async function drawnMoves(): Promise<Picture> {
  const { text, svg } = fewestMoves();
  return { text, images: { light: svg('light'), dark: svg('dark') } };
}

export const pictures = {
  'fewest-moves': { extension: 'svg', needsBrowser: false, make: drawnMoves },
  recording: { extension: 'svg', needsBrowser: false, make: recording },
  'terminal-plan': { extension: 'svg', needsBrowser: false, make: () => terminalPlan() },
  'terminal-plan-phone': { extension: 'svg', needsBrowser: false, make: () => terminalPlan(46) },
  'html-plan': { extension: 'png', needsBrowser: true, make: htmlPlan },
  review: { extension: 'png', needsBrowser: true, make: review },
  'status-page': { extension: 'png', needsBrowser: true, make: statusPage },
} satisfies Record<string, { extension: string; needsBrowser: boolean; make: (browser: Browser) => Promise<Picture> }>;

export type PictureName = keyof typeof pictures;

export function imageFile(name: PictureName, theme: Theme): string {
  return join(folder, `${name}-${theme}.${pictures[name].extension}`);
}

export function recordedHash(name: PictureName): string | undefined {
  return JSON.parse(readFileSync(hashes, 'utf8'))[name];
}

/** White space depends on the layout, and a new version alone does not make a picture outdated. */
export function hashOf(text: string): string {
  return createHash('sha256').update(text.replaceAll(version, '').replaceAll(/\s+/g, ' ').trim()).digest('hex');
}

async function main(): Promise<void> {
  const browser = await launch();
  try {
    const recorded: Record<string, string> = {};
    for (const name of Object.keys(pictures) as PictureName[]) {
      const { text, images } = await pictures[name].make(browser);
      recorded[name] = hashOf(text);
      for (const theme of themes) writeFileSync(imageFile(name, theme), images[theme]);
    }
    writeFileSync(hashes, `${JSON.stringify(recorded, null, 2)}\n`);
  } finally {
    await browser.close();
  }
}

if (import.meta.main) await main();
