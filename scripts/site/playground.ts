/** The playground: one page, with everything in it, that plans a declaration in the browser. It works from a file and without a network. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Plugin, rolldown } from 'rolldown';
import { pageAssets, palette } from '../../src/report/html/html.ts';
import { fixedVersion } from '../bundle/fixedVersion.ts';

const root = join(import.meta.dirname, '../..');
const folder = join(import.meta.dirname, 'playground');

/** Modules that are others in a browser. */
const substitutes: Plugin = {
  name: 'substitutes',
  resolveId(id) {
    if (id.startsWith('node:')) return join(folder, 'node.ts');
    return id.endsWith('/builtIn.ts') ? join(folder, 'kinds.ts') : null;
  },
};

/** Bundles the page's program. @throws Error for an import that a browser cannot load */
async function bundle(): Promise<string> {
  const built = await rolldown({
    input: join(folder, 'page.js'),
    platform: 'browser',
    // The pages of the site are beside the playground.
    plugins: [substitutes, fixedVersion('.')],
    onLog(level, log) {
      if (level === 'warn') throw new Error(log.message);
    },
  });
  const { output } = await built.generate({ minify: true, codeSplitting: false });
  return output[0].code;
}

/** Writes the page. */
export async function buildPlayground(file: string): Promise<void> {
  const text = (name: string) => readFileSync(join(folder, name), 'utf8');
  const example = (name: string) => readFileSync(join(root, 'examples/quickstart', name), 'utf8');
  const data = {
    assets: pageAssets(),
    examples: { declaration: example('webdata.yaml'), account: example('account.yaml') },
  };
  const parts: readonly [string, string][] = [
    ['/* style */', palette() + text('page.css')],
    ['/* icon */', encodeURIComponent(readFileSync(join(root, 'site/static/favicon.svg'), 'utf8'))],
    ['"the data"', JSON.stringify(data).replaceAll('<', '\\u003c')],
    // No text may end the element that it is in.
    ['/* script */', (await bundle()).replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--')],
  ];
  writeFileSync(
    file,
    parts.reduce((page, [mark, part]) => page.replace(mark, () => part), text('page.html')),
  );
}
