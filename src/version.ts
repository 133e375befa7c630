/** The version of this package, as its package.json says; the package finds it by its own name, from the sources and when built. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const file = createRequire(import.meta.url).resolve('pulumi-webdata/package.json');
const manifest: unknown = JSON.parse(readFileSync(file, 'utf8'));

export const version = (manifest as { version: string }).version;
