/** The version of this package, as its package.json says; the package finds it by its own name, from the sources and when built. */
import { createRequire } from 'node:module';

const manifest: { version: string } = createRequire(import.meta.url)('pulumi-webdata/package.json');

export const version = manifest.version;
