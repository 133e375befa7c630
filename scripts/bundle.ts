/** After tsc: `webdata` in a few files. To find and to load hundreds of modules takes longer than most commands do. */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Plugin, rolldown } from 'rolldown';
import manifest from '../package.json' with { type: 'json' };

const root = fileURLToPath(new URL('..', import.meta.url));
const target = `${root}dist/src/cli/`;

/** What most commands load, and what has to share one zod with them. All other packages are loaded as they are installed. */
const bundled: readonly string[] = [
  'commander',
  'deep-diff',
  'fastest-levenshtein',
  'fastify-type-provider-zod',
  'ipaddr.js',
  'picocolors',
  'yaml',
  'zod',
];

const installed: readonly string[] = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies });

function isLeftOut(id: string): boolean {
  const [name = ''] = /^(?:@[^/]+\/)?[^/]+/.exec(id) ?? [];
  return installed.includes(name) && !bundled.includes(name);
}

/** Modules look for files beside where tsc has put them. */
const ownPlaces: Plugin = {
  name: 'own-places',
  transform: {
    filter: { id: { exclude: /node_modules/ }, code: 'import.meta.url' },
    handler(code, id) {
      const place = relative(`${target}chunks`, `${root}dist/${relative(root, id)}`);
      return code.replaceAll('import.meta.url', `new URL(${JSON.stringify(place)}, import.meta.url).href`);
    },
  },
};

/** The licences of packages ask for it, wherever a part of them goes. */
function notices(modules: readonly string[]): string {
  const folders = modules.flatMap(
    (id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+\//.exec(id.replaceAll('\\', '/')) ?? [],
  );
  const texts = [...new Set(folders)].sort().map((folder) => {
    const license = readdirSync(folder).find((file) => /^licen[sc]e/i.test(file));
    if (license === undefined) throw new Error(`${folder} has no licence`);
    return `${folder.split('/node_modules/').at(-1)?.slice(0, -1)}\n\n${readFileSync(folder + license, 'utf8').trim()}\n`;
  });
  return texts.join(`\n${'-'.repeat(80)}\n\n`);
}

rmSync(target, { recursive: true, force: true });
const bundle = await rolldown({
  input: `${root}src/cli/bin.ts`,
  platform: 'node',
  external: isLeftOut,
  plugins: [ownPlaces],
  // What can't be found would be left out without a word more.
  onLog(_level, { message }) {
    throw new Error(message);
  },
});
const { output } = await bundle.write({
  dir: target,
  chunkFileNames: 'chunks/[name]-[hash].js',
  codeSplitting: { groups: [{ name: 'declaration', test: /\Wcli\Wdeclaration\.ts$/ }] },
});
const modules = output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
writeFileSync(`${target}LICENSES.txt`, notices(modules));
