/** The Markdown pages: every relative link leads to a file and a heading, and the README stays short. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseDocument } from 'yaml';
import manifest from '../../package.json' with { type: 'json' };

const docs = readdirSync('docs').filter((name) => name.endsWith('.md'));
const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'CHANGELOG.md',
  ...readdirSync('docs', { encoding: 'utf8', recursive: true })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
];

function withoutCode(page: string): string {
  return readFileSync(page, 'utf8').replaceAll(/^( *)```[\s\S]*?^\1```|<!--[\s\S]*?-->/gm, '');
}

/** As GitHub makes them from headings. */
function anchorsIn(page: string): string[] {
  const headings = [...withoutCode(page).matchAll(/^#+ (.+)$/gm)].map(([, text = '']) =>
    text
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
  const seen = new Map<string, number>();
  return headings.map((anchor) => {
    const count = seen.get(anchor) ?? 0;
    seen.set(anchor, count + 1);
    return count === 0 ? anchor : `${anchor}-${count}`;
  });
}

function linksIn(page: string): string[] {
  const text = withoutCode(page).replaceAll(/`[^`\n]*`/g, '');
  const targets = [...text.matchAll(/\]\(([^)\s]+)\)|(?:src|srcset|href)="([^"]+)"/g)];
  return targets.map(([, link, attribute]) => link ?? attribute ?? '').filter((link) => !/^[a-z]+:/.test(link));
}

function pagesFrom(page: string): string[] {
  const targets = linksIn(page).map((link) => normalize(join(dirname(page), link.replace(/#.*/, ''))));
  return targets.filter((target) => target.endsWith('.md'));
}

function isBroken(page: string, link: string): boolean {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? page : normalize(join(dirname(page), path));
  if (!existsSync(target)) return true;
  return anchor !== undefined && target.endsWith('.md') && !anchorsIn(target).includes(anchor);
}

describe.each(pages)('%s', (page) => {
  it('links only to files and headings that exist', () => {
    expect(linksIn(page).filter((link) => isBroken(page, link))).toEqual([]);
  });
});

/** Lines of code that are wider than a code block on the site. What programs print keeps its width: a code block wraps it. */
function wideLinesOf(page: string): string[] {
  const blocks = readFileSync(page, 'utf8').matchAll(/^( *)```(\w+)\n([\s\S]*?)^\1```/gm);
  return [...blocks].flatMap(([, indent = '', language, code = '']) =>
    code
      .split('\n')
      .map((line) => line.slice(indent.length))
      .filter((line) => line.length > 78 && (language !== 'console' || /^[$>] /.test(line))),
  );
}

it('YAML can be read', () => {
  const faults = pages.flatMap((page) => {
    const blocks = [...readFileSync(page, 'utf8').matchAll(/^( *)```yaml\n([\s\S]*?)^\1```/gm)];
    const texts = blocks.map(([, indent = '', text = '']) => text.replaceAll(new RegExp(`^${indent}`, 'gm'), ''));
    return texts.flatMap((text) => parseDocument(text).errors.map(({ message }) => `${page}: ${message}`));
  });
  expect(faults).toEqual([]);
});

it('code fits in 78 columns', () => {
  const guides = pages.filter((page) => !page.startsWith('docs/evidence/'));
  const wide = guides.flatMap((page) => wideLinesOf(page).map((line) => `${page}: ${line}`));
  expect(wide).toEqual([]);
});

describe('README.md', () => {
  const text = readFileSync('README.md', 'utf8');

  it('has at most 150 lines', () => {
    expect(text.split('\n').length).toBeLessThanOrEqual(151);
  });

  it('links to every page of docs/, or to a page that does', () => {
    const linked = pagesFrom('README.md');
    const reached = new Set([...linked, ...linked.flatMap(pagesFrom)]);
    expect(docs.map((name) => `docs/${name}`).filter((name) => !reached.has(name))).toEqual([]);
  });

  it('is the only page that names the required version of Node, once', () => {
    const named = pages
      .filter((page) => page !== 'CHANGELOG.md')
      .flatMap((page) =>
        [...readFileSync(page, 'utf8').matchAll(/\bNode (\d[\d.]*\d)/g)].map(([, found]) => [page, found]),
      );
    expect(named).toEqual([['README.md', manifest.engines.node.replace('>=', '')]]);
  });
});

it.each(['README.md', 'CONTRIBUTING.md'])('%s names only scripts that exist', (page) => {
  const scripts = [...readFileSync(page, 'utf8').matchAll(/\bnpm (?:run (?:-s )?([\w:]+)|(test)\b)/g)];
  expect(scripts.length).toBeGreaterThan(1);
  expect(
    scripts.map(([, run, test]) => run ?? test ?? '').filter((name) => !Object.hasOwn(manifest.scripts, name)),
  ).toEqual([]);
});
