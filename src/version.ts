/** The version of this package, as its package.json says; the package finds it by its own name, from the sources and when built. */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const find = createRequire(import.meta.url);
const manifest: { version: string; homepage?: string } = find('pulumi-webdata/package.json');

export const version = manifest.version;

/** The site of the documentation; as long as there is none, the folder in this package. */
export const docsAddress = manifest.homepage ?? join(dirname(find.resolve('pulumi-webdata/package.json')), 'docs');
