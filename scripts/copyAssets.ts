/** After tsc: copies what the HTML report reads at run time, and tsc does not, into dist. */
import { copyFileSync, mkdirSync } from 'node:fs';

const sources = new URL('../src/report/html/', import.meta.url);
const target = new URL('../dist/src/report/html/', import.meta.url);

mkdirSync(target, { recursive: true });
for (const name of ['page.css', 'page.js']) copyFileSync(new URL(name, sources), new URL(name, target));
