/** A program in a bundle is not installed as a package, or finding its manifest takes longer than parsing the arguments. */
import type { Plugin } from 'rolldown';
import manifest from '../../package.json' with { type: 'json' };

const { version, homepage }: { version: string; homepage?: string } = manifest;

/** Writes what `src/version.ts` reads into the bundle. */
export function fixedVersion(site: string | undefined = homepage): Plugin {
  return {
    name: 'fixed-version',
    load: {
      filter: { id: /[\\/]src[\\/]version\.ts$/ },
      handler: () =>
        `export const version = ${JSON.stringify(version)};\nexport const homepage = ${JSON.stringify(site)};`,
    },
  };
}
