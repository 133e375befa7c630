/** The pictures of the README show what the program shows today: their text is made again and compared with the recorded hash. */
import { statSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { themes } from '../../../scripts/pictures/terminal.ts';
import { hashOf, imageFile, type PictureName, pictures, recordedHash } from '../../../scripts/pictures.ts';
import { isMissing, launch } from '../report/browser.ts';

/** A text below this length means that a picture shows next to nothing. */
const leastText: Record<PictureName, number> = {
  'fewest-moves': 50,
  recording: 200,
  'terminal-plan': 200,
  'terminal-plan-phone': 200,
  review: 200,
  'html-plan': 200,
  'status-page': 200,
};

const names = Object.keys(pictures) as PictureName[];

describe('the pictures', () => {
  let browser: Browser;

  beforeAll(async () => {
    if (!isMissing) browser = await launch();
  });
  afterAll(() => browser?.close());

  it.for(names)('%s shows the current text (if not: npm run pictures)', async (name, { skip }) => {
    const { make, needsBrowser } = pictures[name];
    skip(needsBrowser && isMissing);
    const { text } = await make(browser);
    expect(text.length).toBeGreaterThan(leastText[name]);
    expect(hashOf(text)).toBe(recordedHash(name));
  });

  it.each(names)('%s is small', (name) => {
    for (const theme of themes) expect(statSync(imageFile(name, theme)).size).toBeLessThan(300_000);
  });
});
