/** The version of this package, as its package.json says. */
import { readFileSync } from 'node:fs';

const manifest: unknown = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

export const version = (manifest as { version: string }).version;
