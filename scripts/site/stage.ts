/**
 * Writes everything that the site generator reads into `site/.staged`: the pages of each version with their sidebars, the same pages as
 * Markdown for programs, and `llms.txt`.
 */
import { cpSync, existsSync, globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { withDiagrams } from './diagram.ts';
import { withItems } from './items.ts';
import { llmsText } from './llms.ts';
import { readPages, type SitePage } from './pages.ts';
import { alsoCalled, sidebarsOf } from './structure.ts';

interface Checkout {
  root: string;
  /** `0.1.0`. */
  version: string;
  /** The folder on the site, empty for the pages of the newest release. */
  path: string;
  /** The address of its files in the repository. */
  sources?: string | undefined;
  /** Pages that were made from the sources, such as those of the TypeScript API. */
  made: readonly SitePage[];
}

interface Versions {
  current: Checkout;
  /** Newest first. */
  released: readonly Checkout[];
}

/** `site` is the URL of the site, which ends with a slash. */
export function stage(staged: string, site: string, { current, released }: Versions): void {
  rmSync(join(staged, 'docs'), { recursive: true, force: true });
  for (const folder of ['versioned_docs', 'versioned_sidebars', 'static']) {
    rmSync(join(staged, folder), { recursive: true, force: true });
  }
  writeVersion(staged, join(staged, 'docs'), join(staged, 'sidebars.json'), current, site);
  for (const each of released) {
    const sidebars = join(staged, 'versioned_sidebars', `version-${each.version}-sidebars.json`);
    writeVersion(staged, join(staged, 'versioned_docs', `version-${each.version}`), sidebars, each, site);
  }
  const names = released.map(({ version }) => version);
  write(join(staged, 'versions.json'), JSON.stringify(names));
  if (names.length === 0) rmSync(join(staged, 'versions.json'));
}

function writeVersion(staged: string, folder: string, sidebars: string, checkout: Checkout, site: string): void {
  const { root, path, sources, made } = checkout;
  const inRepository = (file: string) => sources && (file === '.' ? sources : `${sources}/${file}`);
  const pages = [...readPages(root, { inRepository }), ...made];
  const twins = join(staged, 'static', path);
  for (const { id, summary, text } of pages) {
    write(
      join(folder, `${id}.md`),
      withHead({ description: summary, keywords: alsoCalled[id] }, withItems(withDiagrams(text))),
    );
    write(join(twins, `${id}.md`), text);
  }
  for (const file of globSync('docs/**/*.{svg,png,gif,webp}', { cwd: root })) {
    const name = file.replace(/^docs[\\/]/, '');
    // Markdown images are looked up beside the page, those in HTML beside the address of the page.
    for (const target of [folder, twins]) cpSync(join(root, file), join(target, name), { recursive: true });
  }
  write(sidebars, JSON.stringify(sidebarsOf(pages.map(({ id }) => id))));
  write(join(twins, 'llms.txt'), llmsText(pages, `${site}${path === '' ? '' : `${path}/`}`));
}

interface Head {
  /** The sentence that the card of the page shows. Without one, the generator takes the first line. */
  description: string;
  /** Other words by which the search finds the page. */
  keywords: readonly string[] | undefined;
}

/** Returns the page with what the generator knows about it. JSON is YAML. */
function withHead(head: Head, text: string): string {
  return `---\n${JSON.stringify(head)}\n---\n\n${text}`;
}

function write(file: string, text: string): void {
  if (!existsSync(dirname(file))) mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
