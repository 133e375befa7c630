/** `webdata` as a few files. */
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { type Plugin, rolldown } from 'rolldown';
import manifest from '../../package.json' with { type: 'json' };
import { completionTable } from '../../src/cli/completion/table.ts';
import { loadedProgram } from '../docs/program.ts';
import { fixedVersion } from './fixedVersion.ts';
import { dist, root } from './paths.ts';
import { failOnLog, isVendored, whiteSpaceOnly, withVendoredImports } from './vendored.ts';

const target = `${dist}src/cli/`;
const chunks = `${target}chunks`;

/** Dependencies of the library that most commands load too, and all that must share one zod with them. */
const bundledAsWell: readonly string[] = [
  'deep-diff',
  'fastest-levenshtein',
  'ipaddr.js',
  'is-network-error',
  'p-limit',
  'p-retry',
  'picocolors',
  'undici',
  'yaml',
  'yocto-queue',
  'zod',
];

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
      const place = relative(chunks, compiled).replaceAll('\\', '/');
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
    input: { bin: `${root}src/cli/bin.ts`, pulumi: `${root}providers/runtime/index.ts` },
    checks: { ineffectiveDynamicImport: false },
    platform: 'node',
    external: isExternal,
    plugins: [sharedVendored, ownPlaces, computedTable, fixedVersion()],
    onLog: failOnLog,
  });
  // CommonJS, because an import of `node:fs` in a module also loads all streams of Node.
  const { output } = await bundle.write({
    dir: target,
    format: 'cjs',
    strict: true,
    dynamicImportInCjs: false,
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
    minify: whiteSpaceOnly,
    codeSplitting: {
      groups: [
        // Code that is always loaded together is one file, because a file takes as long to find as 10 KB of code to run.
        { name: 'start', test: /\Wcli\W(execution\Wprocess|output\Wio)\.ts$|\Wsrc\Wversion\.ts$/, priority: 5 },
        { name: 'main', test: /\Wcli\Wmain\.ts$/, priority: 4 },
        // Completion needs these, and would load the whole declaration chunk for them.
        { name: 'plain', test: /\W(values\Wplain|files\WtextFile|report\Wformats)\.ts$/, priority: 3 },
        // All that `validate` needs; most commands read a declaration, too.
        { name: 'declaration', test: /\Wcli\Wcommands\Wvalidate\.ts$/, priority: 2 },
        { name: 'planning', test: /\W(cli\Wcommands\Wplan|report\Wtext\Wtext)\.ts$/ },
        { name: 'connections', test: /\Wengine\Wrun\Wconnections\.ts$/ },
      ],
    },
  });
  writeFileSync(`${target}package.json`, '{"type":"commonjs"}\n');
  loadHandlersFromBundle();
  return output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
}

/** The handlers of dynamic Pulumi resources are in the bundle too: each preview and each update would find and load hundreds of modules. */
function loadHandlersFromBundle(): void {
  const folder = `${dist}providers/runtime`;
  for (const file of readdirSync(folder)) if (file.endsWith('.js')) rmSync(`${folder}/${file}`);
  writeFileSync(`${folder}/index.js`, "export { handlersOf } from '../../src/cli/pulumi.js';\n");
}
