/** Facts of the package.json of this package; the package finds it by its own name, from the sources and when built. */
import { createRequire } from 'node:module';

const manifest: { version: string; homepage?: string } = createRequire(import.meta.url)('pulumi-webdata/package.json');

export const version = manifest.version;

/** The address of the documentation site, which has no other place; undefined until there is one. */
export const homepage: string | undefined = manifest.homepage;
