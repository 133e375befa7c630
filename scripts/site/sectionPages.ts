/** Long pages of docs/ that the site shows as a page for each section, so that a command or a kind has a page of its own. */
import { anchorsOf } from './anchors.ts';
import type { SitePage } from './pages.ts';

interface Split {
  /** The page on the site that keeps what is before the sections. */
  folder: string;
  /** The last heading that stays on that page. Undefined if every section leaves it. */
  lastCommonHeading?: string;
  /** Begins the titles of the pages. */
  titlePrefix: string;
}

/** By the name of their file. */
export const splits: Readonly<Record<string, Split>> = {
  'docs/commands.md': { folder: 'commands', lastCommonHeading: 'Shared options', titlePrefix: 'webdata ' },
  'docs/declaration.md': { folder: 'declaration', titlePrefix: '' },
};

/** Returns the names of the pages, such as `ci-plan`, by the anchors of their sections in the file. */
export function sectionPageNames(file: string, text: string): Map<string, string> {
  const split = splits[file];
  const sections = split === undefined ? [] : sectionsOf(text, split);
  return new Map(sections.map((section) => [anchorOf(section), pageNameOf(section)]));
}

/** Returns the page without its sections, and a page for each section. */
export function sectionPages(file: string, index: SitePage): SitePage[] {
  const split = splits[file];
  if (split === undefined) return [index];
  const sections = sectionsOf(index.text, split);
  const names = sectionPageNames(file, index.text);
  const common = index.text.slice(0, index.text.length - sections.join('').length);
  const shared = sharedOptionsOf(common);
  const pages = sections.map((section): SitePage => {
    const [heading = '', ...body] = section.split('\n');
    const title = `${split.titlePrefix}${heading.replace('## ', '')}`;
    const text = `# ${title}\n${withPageLinks(withSharedOptions(body.join('\n'), shared), names)}`;
    const summary = body.find((line) => /^\w/.test(line)) ?? '';
    return { id: `${split.folder}/${pageNameOf(section)}`, title, summary, text };
  });
  return [{ ...index, text: withPageLinks(common, names) }, ...pages];
}

function sectionsOf(text: string, { lastCommonHeading }: Split): string[] {
  const [, ...sections] = text.split(/^(?=## )/m);
  if (lastCommonHeading === undefined) return sections;
  return sections.slice(sections.findIndex((section) => section.startsWith(`## ${lastCommonHeading}\n`)) + 1);
}

function headingOf(section: string): string {
  return (section.split('\n')[0] ?? '').replace('## ', '');
}

function pageNameOf(section: string): string {
  return headingOf(section).replaceAll(' ', '-').replaceAll('.', '');
}

function anchorOf(section: string): string {
  return headingOf(section).toLowerCase().replaceAll(' ', '-').replaceAll('.', '');
}

/** Replaces links to sections that have pages by links to these pages, and links to what is left by links to the first page. */
function withPageLinks(text: string, names: ReadonlyMap<string, string>): string {
  const own = anchorsOf(text);
  return text.replaceAll(/\]\(#([\w-]+)\)/g, (link, anchor: string) => {
    const page = names.get(anchor);
    if (page !== undefined) return `](./${page}.md)`;
    return own.includes(anchor) ? link : `](./index.md#${anchor})`;
  });
}

interface SharedOption {
  group: string;
  row: string;
}

/** Reads the table of the options that several commands have: group, option, meaning. */
function sharedOptionsOf(common: string): SharedOption[] {
  const [, table = ''] = common.split('## Shared options');
  return [...table.matchAll(/^\| (\w*) +\| (`.+)$/gm)].map(([, group = '', row = '']) => ({ group, row: `| ${row}` }));
}

/** Puts the shared options of a command on its page, folded by group. */
function withSharedOptions(text: string, shared: readonly SharedOption[]): string {
  return text.replace(/^\[Shared options\]\(#shared-options\): (.+)\.$/m, (line, names: string) => {
    const words = names.split(', ');
    const groups = words.filter((word) => !word.startsWith('`'));
    const single = words.filter((word) => word.startsWith('`')).map((word) => word.replaceAll('`', ''));
    const folded = [
      ...groups.map((group) =>
        fold(
          `Options: ${group}`,
          shared.filter((option) => option.group === group),
        ),
      ),
      fold(
        'Options that other commands have too',
        shared.filter(({ row }) => single.some((name) => hasName(row, name))),
      ),
    ].filter((part) => part !== '');
    return folded.length === 0 ? line : folded.join('\n\n');
  });
}

function hasName(row: string, option: string): boolean {
  return new RegExp(`[\`, ]${option}[\` ]`).test(row);
}

function fold(title: string, options: readonly SharedOption[]): string {
  if (options.length === 0) return '';
  const rows = options.map(({ row }) => row).join('\n');
  return `<details>\n<summary>${title}</summary>\n\n| shared option | meaning |\n| --- | --- |\n${rows}\n\n</details>`;
}
