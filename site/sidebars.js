/** The sidebars of the current version, which `scripts/site/structure.ts` makes. */
import { readFileSync } from 'node:fs';

export default JSON.parse(readFileSync(new URL('.staged/sidebars.json', import.meta.url), 'utf8'));
