/** Reports as a self-contained HTML page, which loads nothing. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type PageAssets, pageFormat } from './reportPage.ts';

export const htmlFormat = pageFormat(pageAssets);

/** Returns the style and the script of the page, and a policy that allows nothing else. */
export function pageAssets(): PageAssets {
  const [style, script] = [palette() + asset('page.css'), asset('page.js')];
  return { style, script, policy: policy(style, script) };
}

/** Returns the colors of the page, in light and dark. */
export function palette(): string {
  return asset('palette.css');
}

function policy(style: string, script: string): string {
  return [
    "default-src 'none'",
    `style-src '${hashOf(style)}'`,
    `script-src '${hashOf(script)}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

/** Reads a file with LF line breaks, because browsers hash the text after they normalize its line breaks. */
function asset(name: string): string {
  return readFileSync(new URL(name, import.meta.url), 'utf8').replaceAll('\r\n', '\n');
}
