/** `webdata` as a few files. */
import { relative } from 'node:path';
import { type Plugin, rolldown } from 'rolldown';
import manifest from '../../package.json' with { type: 'json' };
import { completionTable } from '../../src/cli/completion/table.ts';
import { loadedProgram } from '../docs/program.ts';
import { dist, root } from './paths.ts';
import { failOnLog, isVendored, whiteSpaceOnly, withVendoredImports } from './vendored.ts';

const target = `${dist}src/cli/`;

/** Dependencies of the library that most commands load too, and all that must share one zod with them. */
const bundledAsWell: readonly string[] = ['deep-diff', 'fastest-levenshtein', 'ipaddr.js', 'picocolors', 'yaml', 'zod'];

const installed: readonly string[] = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies });

function isExternal(id: string): boolean {
  const [name = ''] = /^(?:@[^/]+\/)?[^/]+/.exec(id) ?? [];
  return installed.includes(name) && !bundledAsWell.includes(name);
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

/** Completion loads no command: its table is made now. */
const computedTable: Plugin = {
  name: 'computed-table',
  load: {
    filter: { id: /[\\/]cli[\\/]completion[\\/]table\.ts$/ },
    async handler() {
      const json = JSON.stringify(await completionTable(async () => (await loadedProgram()).program));
      return `export const completionTable = async () => JSON.parse(${JSON.stringify(json)});`;
    },
  },
};

/** Returns the paths of the modules that went into it. */
export async function bundleCli(): Promise<string[]> {
  const bundle = await rolldown({
    input: `${root}src/cli/bin.ts`,
    platform: 'node',
    external: isExternal,
    plugins: [sharedVendored, ownPlaces, computedTable],
    onLog: failOnLog,
  });
  const { output } = await bundle.write({
    dir: target,
    chunkFileNames: 'chunks/[name]-[hash].js',
    minify: whiteSpaceOnly,
    codeSplitting: {
      groups: [
        // Completion needs it, and would load the whole declaration chunk for it.
        { name: 'plain', test: /\Wvalues\Wplain\.ts$/, priority: 1 },
        { name: 'declaration', test: /\Wexecution\Wdeclaration\.ts$/ },
      ],
    },
  });
  return output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
}
