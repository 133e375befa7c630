/** The pages of the site, read from a checkout, with links that work on the site. */
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize, posix, relative } from 'node:path';
import { sectionPageNames, sectionPages, splits } from './sectionPages.ts';
import { otherPages } from './structure.ts';

export interface SitePage {
  /** The path without its extension: `recipes/evacuate`. */
  id: string;
  title: string;
  /** The first sentence. */
  summary: string;
  /** Markdown. Links lead to other pages, with `.md`, or to the repository. */
  text: string;
}

interface LinkTargets {
  /** The URL of a file or folder in the repository; undefined as long as its address is not known. */
  inRepository(path: string): string | undefined;
}

/** Reads the pages of a checkout. */
export function readPages(root: string, targets: LinkTargets): SitePage[] {
  const docs = globSync('docs/**/*.md', { cwd: root }).map((file) => file.replaceAll('\\', '/'));
  const others = Object.keys(otherPages).filter((file) => existsSync(join(root, file)));
  return [...docs, ...others].toSorted().flatMap((file) => {
    const text = withSiteLinks(readFileSync(join(root, file), 'utf8'), file, root, targets);
    const page = { id: idOf(file), title: titleOf(text), summary: summaryOf(text), text };
    return sectionPages(file, page);
  });
}

/** Returns the page of a file in the repository. A README in docs/ is the index of its folder, and so is a page whose sections are pages. */
function idOf(file: string): string {
  const split = splits[file];
  if (split !== undefined) return `${split.folder}/index`;
  const page = otherPages[file] ?? posix.relative('docs', file);
  return page.replace(/(^|\/)README\.md$/, '$1index.md').replace(/\.md$/, '');
}

function titleOf(text: string): string {
  return /^# (.+)$/m.exec(text)?.[1]?.replaceAll('`', '') ?? '';
}

/** Returns the first sentence below the title as plain text, without a label such as `**What you get.**`. */
export function summaryOf(text: string): string {
  const [, body = ''] = withoutComments(text).split(/^# .+$/m);
  const paragraph = body.split(/\n\s*\n/).find((part) => /^[\w`[*"“]/.test(part.trim())) ?? '';
  const plain = paragraph
    .trim()
    .replace(/^\*\*[^*]+\.\*\*/, '')
    .replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1')
    .replaceAll(/[`*]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return (/^.*?[.:!?](?= [A-Z]|$)/.exec(plain)?.[0] ?? plain).replace(/:$/, '.');
}

function withoutComments(text: string): string {
  return text.replaceAll(/<!--[\s\S]*?-->/g, '');
}

/** Code, whose brackets are not links: fenced blocks and code in sentences. */
const code = /^( *)(`{3,})[\s\S]*?^\1\2`*$|`[^`\n]+`/gm;

/** Returns the text with links for the site. Links in code are left alone. */
function withSiteLinks(text: string, file: string, root: string, targets: LinkTargets): string {
  const body = withoutComments(text);
  let rewritten = '';
  let end = 0;
  const add = (part: string) => {
    rewritten += part
      .replaceAll(/\]\(([^)\s]+)\)/g, (_, link: string) => `](${siteLink(link, file, root, targets)})`)
      .replaceAll(/\b(href|src|srcset)="([^"]+)"/g, (_, name: string, link: string) => {
        return `${name}="${siteLink(link, file, root, targets)}"`;
      });
  };
  for (const { 0: block, index } of body.matchAll(code)) {
    // A link's text may be code: the link around it must be seen whole.
    if (!block.startsWith('`') || block.startsWith('```')) {
      add(body.slice(end, index));
      rewritten += block;
      end = index + block.length;
    }
  }
  add(body.slice(end));
  return withoutDeadLinks(rewritten);
}

const dead = '#not-on-this-site';

/** Replaces links to files that have no address by their text. */
function withoutDeadLinks(text: string): string {
  return text.replaceAll(new RegExp(`\\[([^\\[\\]]+)\\]\\(${dead}\\)`, 'g'), '$1');
}

function siteLink(link: string, file: string, root: string, { inRepository }: LinkTargets): string {
  if (/^[a-z]+:/i.test(link) || link.startsWith('#')) return link;
  const [path = '', anchor] = link.split('#');
  const target = normalize(join(dirname(file), path))
    .replaceAll('\\', '/')
    .replace(/\/$/, '');
  const hash = anchor === undefined ? '' : `#${anchor}`;
  const here = dirname(`${idOf(file)}.md`);
  if (target === 'README.md') return toPage(here, readmeSections[anchor ?? ''] ?? 'getting-started.md');
  const section = anchor === undefined ? undefined : pageOfSection(root, target, anchor);
  if (section !== undefined) return toPage(here, `${section}.md`);
  if (isPage(target)) return `${toPage(here, `${idOf(target)}.md`)}${hash}`;
  if (target.startsWith('docs/') && existsSync(join(root, target)) && statSync(join(root, target)).isFile()) {
    return toPage(here, posix.relative('docs', target));
  }
  return inRepository(target) ?? dead;
}

/** Returns the page of a section that has one. */
function pageOfSection(root: string, target: string, anchor: string): string | undefined {
  const split = splits[target];
  if (split === undefined) return undefined;
  const name = sectionPageNames(target, readFileSync(join(root, target), 'utf8')).get(anchor);
  return name === undefined ? undefined : `${split.folder}/${name}`;
}

/** The README is not on the site, but its sections have their counterparts. */
const readmeSections: Readonly<Record<string, string>> = { install: 'getting-started.md' };

function isPage(target: string): boolean {
  return target in otherPages || /^docs\/.*\.md$/.test(target);
}

function toPage(folder: string, page: string): string {
  const path = relative(folder, page).replaceAll('\\', '/');
  return path.startsWith('.') ? path : `./${path}`;
}
