/** The frame of a page that stands by itself: nothing is loaded, and nothing runs but its own style and script. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type Content, type Markup, markup, verbatim } from './markup.ts';

export function page({ title, body }: { title: string; body: Content }): string {
  const [style, script] = [asset('page.css'), asset('page.js')];
  const whole = markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy(style, script)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${verbatim(style)}</style>
</head>
<body>
${body}
<script type="module">${verbatim(script)}</script>
</body>
</html>
` satisfies Markup;
  return whole.markup;
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

/** A browser hashes what it has parsed, and its line breaks are LF, whatever those of the file are. */
function asset(name: string): string {
  return readFileSync(new URL(name, import.meta.url), 'utf8').replaceAll('\r\n', '\n');
}
