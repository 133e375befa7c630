/** `webdata` as a few files. */
import { relative } from 'node:path';
import { type Plugin, rolldown } from 'rolldown';
import manifest from '../../package.json' with { type: 'json' };
import { dist, root } from './paths.ts';
import { failOnLog, isVendored, withVendoredImports } from './vendored.ts';

const target = `${dist}src/cli/`;

/** Dependencies of the library that most commands load too, and all that must share one zod with them. */
const bundledAsWell: readonly string[] = ['deep-diff', 'fastest-levenshtein', 'ipaddr.js', 'picocolors', 'yaml', 'zod'];

const installed: readonly string[] = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies });

/** pg loads this only when a program asks for `pg.native`. */
const neverLoaded = 'pg-native';

function isExternal(id: string): boolean {
  const [name = ''] = /^(?:@[^/]+\/)?[^/]+/.exec(id) ?? [];
  return name === neverLoaded || (installed.includes(name) && !bundledAsWell.includes(name));
}

/** Modules look for files next to the place where tsc would have written them. */
const ownPlaces: Plugin = {
  name: 'own-places',
  transform: {
    filter: { id: { exclude: /node_modules/ }, code: 'import.meta.url' },
    handler(code, id) {
      const compiled = `${dist}${relative(root, id)}`;
      const place = relative(`${target}chunks`, compiled).replaceAll('\\', '/');
      return withVendoredImports(code, compiled).replaceAll(
        'import.meta.url',
        `new URL(${JSON.stringify(place)}, import.meta.url).href`,
      );
    },
  },
};

const sharedVendored: Plugin = {
  name: 'shared-vendored',
  resolveId: (id) => (isVendored(id) ? { id, external: true } : null),
  renderChunk: (code, { fileName }) => withVendoredImports(code, `${target}${fileName}`),
};

/** Returns the paths of the modules that went into it. */
export async function bundleCli(): Promise<string[]> {
  const bundle = await rolldown({
    input: `${root}src/cli/bin.ts`,
    platform: 'node',
    external: isExternal,
    plugins: [sharedVendored, ownPlaces],
    onLog: failOnLog,
  });
  const { output } = await bundle.write({
    dir: target,
    chunkFileNames: 'chunks/[name]-[hash].js',
    codeSplitting: { groups: [{ name: 'declaration', test: /\Wcli\Wdeclaration\.ts$/ }] },
  });
  return output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
}
