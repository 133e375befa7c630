/** Links the first mention of each term on a page to the glossary. */
import { readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import type { MarkdownNode } from './node.ts';

interface Term {
  anchor: string;
  meaning: string;
}

/** Terms by their forms in lower case. */
type Terms = Map<string, Term>;

interface Options {
  /** The folder of the staged pages. */
  staged: string;
  readTerms?: (file: string) => Terms;
}

/** Nothing is linked in what is already a link, a heading or code. */
const closed = new Set(['link', 'linkReference', 'heading', 'code', 'inlineCode', 'html', 'definition']);

export function glossaryLinks({ staged, readTerms: read = readTerms }: Options) {
  const glossaries = new Map<string, Terms>();
  const termsIn = (folder: string) => {
    const known = glossaries.get(folder) ?? read(join(folder, 'glossary.md'));
    glossaries.set(folder, known);
    return known;
  };
  return (tree: MarkdownNode, file: { path: string }) => {
    const folder = versionFolder(file.path, staged);
    const page = relative(folder, file.path).split(sep).join('/');
    if (page === 'glossary.md' || page === 'changes.md' || page.startsWith('api/')) return;
    const target = relative(dirname(page), 'glossary.md').split(sep).join('/');
    link(tree, new Map(termsIn(folder)), target.startsWith('.') ? target : `./${target}`);
  };
}

/** Returns the folder of the version that the page belongs to. */
function versionFolder(path: string, staged: string): string {
  const [top = '', version = ''] = relative(staged, path).split(sep);
  return top === 'versioned_docs' ? join(staged, top, version) : join(staged, top);
}

/** Reads `### Term` headings, and other forms of the term from `Also: …` below. Returns the meaning and the anchor by form. */
export function readTerms(file: string): Terms {
  const terms: Terms = new Map();
  for (const section of textOf(file).split(/^(?=##+ )/m)) {
    const [, heading, body = ''] = /^### (.+)\n+([\s\S]*)/.exec(section) ?? [];
    if (heading === undefined) continue;
    const anchor = heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-');
    const [, others = ''] = /^Also: (.+)\.$/m.exec(body) ?? [];
    const [meaning = ''] = body.split('\n\n');
    const plain = meaning
      .replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1')
      .replaceAll(/[`*]/g, '')
      .replaceAll('\n', ' ');
    for (const form of [heading, ...others.split(', ').filter(Boolean)]) {
      terms.set(form.toLowerCase(), { anchor, meaning: plain.trim() });
    }
  }
  return terms;
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // Older versions have no glossary.
    return '';
  }
}

/** Links the first mentions below a node, and removes each linked term with its other forms. */
function link(node: MarkdownNode, terms: Terms, target: string): void {
  if (terms.size === 0) return;
  node.children = node.children?.flatMap((child) => {
    if (closed.has(child.type)) return [child];
    if (child.type !== 'text') {
      link(child, terms, target);
      return [child];
    }
    return linkText(child, terms, target);
  });
}

function linkText({ value = '' }: MarkdownNode, terms: Terms, target: string): MarkdownNode[] {
  const parts: MarkdownNode[] = [];
  let rest = value;
  while (terms.size > 0) {
    const forms = [...terms.keys()].sort((a, b) => b.length - a.length).map(patternOf);
    const found = new RegExp(`(?<![\\w/.-])(?:${forms.join('|')})(?![\\w/-]|\\.\\w)`, 'i').exec(rest);
    const text = found?.[0] ?? '';
    const term = terms.get(text.toLowerCase());
    if (found === null || term === undefined) break;
    const { anchor, meaning } = term;
    for (const [form, other] of terms) if (other.anchor === anchor) terms.delete(form);
    if (found.index > 0) parts.push({ type: 'text', value: rest.slice(0, found.index) });
    const data = { hProperties: { className: ['term'] } };
    parts.push({
      type: 'link',
      url: `${target}#${anchor}`,
      title: meaning,
      data,
      children: [{ type: 'text', value: text }],
    });
    rest = rest.slice(found.index + text.length);
  }
  if (rest !== '') parts.push({ type: 'text', value: rest });
  return parts;
}

/** Words that are verbs as well. They are terms only where they are clearly nouns. */
const verbs = new Set([
  'run',
  'plan',
  'call',
  'calls',
  'trigger',
  'undo',
  'schedule',
  'schedules',
  'drift',
  'spare',
  'guard',
]);

function patternOf(form: string): string {
  const pattern = form.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return verbs.has(form) ? `(?<=\\b(?:an?|the|each|every|this|that|one|no|its|for|of|without) )${pattern}` : pattern;
}
