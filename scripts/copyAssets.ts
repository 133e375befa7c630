/** After tsc: copies what pages read at run time, and tsc does not, into dist. */
import { copyFileSync, mkdirSync } from 'node:fs';
import { pageFiles } from '../src/triggers/server/pageRoutes.ts';

const assets = { 'report/html': ['palette.css', 'page.css', 'page.js'], 'triggers/page': pageFiles };

for (const [folder, names] of Object.entries(assets)) {
  const sources = new URL(`../src/${folder}/`, import.meta.url);
  const target = new URL(`../dist/src/${folder}/`, import.meta.url);
  mkdirSync(target, { recursive: true });
  for (const name of names) copyFileSync(new URL(name, sources), new URL(name, target));
}
