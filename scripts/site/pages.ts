/** The pages of the site, read from a checkout, with links that work on the site. */
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize, posix, relative } from 'node:path';
import { commandPageNames, commandPages } from './commandPages.ts';
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
    return file === commandsFile ? commandPages(page) : [page];
  });
}

const commandsFile = 'docs/commands.md';

/** Returns the page of a file in the repository. A README in docs/ is the index of its folder, and the commands have a folder of their own. */
function idOf(file: string): string {
  if (file === commandsFile) return 'commands/index';
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

/** Returns the anchors of the headings, as Markdown renderers make them. */
export function anchorsOf(text: string): string[] {
  const seen = new Map<string, number>();
  const prose = text.replaceAll(/^( *)(`{3,})[\s\S]*?^\1\2`*$/gm, '');
  return [...prose.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => {
    const plain = heading.replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1').replaceAll('\\', '');
    const anchor = plain
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-');
    const count = seen.get(anchor) ?? 0;
    seen.set(anchor, count + 1);
    return count === 0 ? anchor : `${anchor}-${count}`;
  });
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
  if (target === commandsFile && anchor !== undefined && isCommand(root, anchor)) {
    return toPage(here, `commands/${anchor}.md`);
  }
  if (isPage(target)) return `${toPage(here, `${idOf(target)}.md`)}${hash}`;
  if (target.startsWith('docs/') && existsSync(join(root, target)) && statSync(join(root, target)).isFile()) {
    return toPage(here, posix.relative('docs', target));
  }
  return inRepository(target) ?? dead;
}

function isCommand(root: string, anchor: string): boolean {
  return commandPageNames(readFileSync(join(root, commandsFile), 'utf8')).includes(anchor);
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
