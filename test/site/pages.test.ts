/** The pages of the site as they are staged: their links, their sections and the files for programs. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { anchorsOf } from '../../scripts/site/anchors.ts';
import { diagramSvg, withDiagrams } from '../../scripts/site/diagram.ts';
import { readPages, summaryOf } from '../../scripts/site/pages.ts';
import { stage } from '../../scripts/site/stage.ts';
import { jobOf, sidebarsOf } from '../../scripts/site/structure.ts';
import { checkOut, releasedVersions } from '../../scripts/site/versions.ts';

const folder = await mkdtemp(join(tmpdir(), 'webdata-site-'));
afterAll(() => rm(folder, { recursive: true }));

const repository = 'https://code.example.com/webdata/blob/main';
const pages = readPages('.', { inRepository: (path) => `${repository}/${path}` });
const byId = new Map(pages.map((page) => [page.id, page]));

/** Without code, whose brackets are not links. */
function proseOf(text: string): string {
  return text.replaceAll(/^( *)(`{3,})[\s\S]*?^\1\2`*$|`[^`\n]*`/gm, '');
}

describe.each(pages)('$id', ({ id, title, summary, text }) => {
  it('has a title and a first sentence', () => {
    expect(title).not.toBe('');
    expect(summary).toMatch(/^\S.*\S$/);
  });

  it('links to pages, headings and files that the site has', () => {
    const links = [...proseOf(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
    const broken = links.filter((link) => {
      if (link.startsWith(repository)) return !existsSync(link.slice(repository.length + 1).split('#')[0] ?? '');
      if (/^[a-z]+:/i.test(link)) return !URL.canParse(link);
      const [path = '', anchor] = link.split('#');
      const target = path === '' ? `${id}.md` : posix.join(posix.dirname(id), path);
      if (!target.endsWith('.md')) return !existsSync(join('docs', target));
      const page = byId.get(target.replace(/\.md$/, ''));
      return page === undefined || (anchor !== undefined && !anchorsOf(page.text).includes(anchor));
    });
    expect(broken).toEqual([]);
  });
});

it('the start page shows the declaration of which its picture of a plan is made', async () => {
  const [, shown = ''] = /const declaration = `([^`]*)`/.exec(await readFile('site/pages/index.js', 'utf8')) ?? [];
  const [, inReadme = ''] = /```yaml\n([\s\S]*?)```/.exec(await readFile('README.md', 'utf8')) ?? [];
  expect(parse(shown)).toEqual(parse(inReadme));
  expect(parse(shown)).toHaveProperty('zoneIpAllocations.static.zones.checkout.ips');
});

it('one sentence says what the tool is, everywhere', async () => {
  const files = ['README.md', 'docs/getting-started.md', 'docs/glossary.md', 'site/pages/index.js'];
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')));
  const sentences = texts.map((text) => {
    const plain = text.replaceAll(/<\/?code>|`/g, '').replaceAll(/\s+/g, ' ');
    return /webdata manages [^.]*\./.exec(plain)?.[0];
  });
  expect(sentences[0]).toMatch(/^webdata manages .* undoes\.$/);
  expect(new Set(sentences).size).toBe(1);
});

it('every page is in the sidebar of one section', () => {
  const sidebars = sidebarsOf([...byId.keys()]);
  const listed = JSON.stringify(sidebars);
  expect([...byId.keys()].filter((id) => !listed.includes(JSON.stringify(id)))).toEqual([]);
  expect(jobOf('getting-started')).toBe('start');
  expect(jobOf('recipes/evacuate-a-zone')).toBe('zones');
  expect(jobOf('errors')).toBe('reference');
  expect(jobOf('runs')).toBe('team');
});

it('every command has a page, and links to its section lead there', () => {
  const apply = byId.get('commands/apply');
  expect(apply).toMatchObject({ title: 'webdata apply' });
  expect(apply?.text).toMatch(/^# webdata apply\n\nMake the live state match the declaration/);
  expect(apply?.text).toMatch(
    /<summary>Options: connection<\/summary>\n\n\| shared option \| meaning \|\n[^<]*`--api-url <url>`/,
  );
  expect(byId.get('commands/index')?.text).toContain('[`ci plan`](./ci-plan.md)');
  expect(byId.get('triggers')?.text).toContain('](./commands/triggers-serve.md)');
});

it('a file that has no address is named without a link', async () => {
  await mkdir(join(folder, 'few/docs'), { recursive: true });
  await writeFile(
    join(folder, 'few/docs/a.md'),
    '# A\n\nSee [`the example`](../examples/a.ts), [B](b.md#c) and `[x](y.md)`.\n',
  );
  await writeFile(join(folder, 'few/docs/b.md'), '# B\n\n## C\n\nBack to [A](./a.md).\n');
  const [a, b] = readPages(join(folder, 'few'), { inRepository: () => undefined });
  expect(a?.text).toContain('See `the example`, [B](./b.md#c) and ');
  expect(b?.text).toContain('[A](./a.md)');
  expect(summaryOf(a?.text ?? '')).toBe('See the example, B and x.');
  expect(summaryOf('# C\n\n**What you get.** An empty zone. Its IPs move.\n')).toBe('An empty zone.');
});

describe('a staged site', () => {
  const staged = join(folder, 'staged');
  const made = [{ id: 'api/index', title: 'TypeScript API', summary: 'All.', text: '# TypeScript API\n\nAll.\n' }];
  const released = { root: '.', version: '1.2.0', path: '', sources: repository, made: [] };
  stage(staged, 'https://docs.example.com/', {
    current: { root: '.', version: '1.3.0', path: 'next', sources: repository, made },
    released: [released],
  });
  const read = (name: string) => readFile(join(staged, name), 'utf8');

  it('has every page for the generator and as Markdown', async () => {
    for (const { id, text } of pages) expect(await read(`static/next/${id}.md`)).toBe(text);
    expect(await read('docs/api/index.md')).toBe('---\n{"description":"All."}\n---\n\n# TypeScript API\n\nAll.\n');
    expect(existsSync(join(staged, 'docs/pictures/html-plan-light.png'))).toBe(true);
  });

  it('has a folder and a sidebar for each version', async () => {
    expect(JSON.parse(await read('versions.json'))).toEqual(['1.2.0']);
    expect(await read('versioned_docs/version-1.2.0/runs.md')).toBe(await read('docs/runs.md'));
    expect(Object.keys(JSON.parse(await read('versioned_sidebars/version-1.2.0-sidebars.json')))).toContain('zones');
  });

  it('lists every page in llms.txt', async () => {
    const text = await read('static/next/llms.txt');
    const listed = [...text.matchAll(/\]\(https:\/\/docs\.example\.com\/next\/(\S+)\.md\)/g)].map(([, id]) => id);
    expect(listed.toSorted()).toEqual([...byId.keys(), 'api/index'].toSorted());
    expect(text).toMatch(
      /^- \[Undo and history\]\(\S+\): Every call of a run is recorded before it is sent, so you can see .*\.$/m,
    );
  });
});

it('versions come from tags: the newest patch of the newest minor versions', async () => {
  const root = join(folder, 'tagged');
  await mkdir(join(root, 'docs'), { recursive: true });
  await writeFile(join(root, 'docs/a.md'), '# A\n');
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], { cwd: root });
  git('init', '-q');
  git('add', '.');
  git('commit', '-qm', 'first');
  for (const tag of ['v0.1.0', 'v0.2.0', 'v0.2.10', 'v0.2.9', 'v0.3.0', 'v1.0.0', 'v2.0.0-rc.1', 'nightly'])
    git('tag', tag);
  expect(releasedVersions(root)).toEqual(['1.0.0', '0.3.0', '0.2.10']);
  const target = checkOut(root, '0.3.0', join(folder, 'checkouts'));
  expect(await readFile(join(target, 'docs/a.md'), 'utf8')).toBe('# A\n');
  expect(releasedVersions(folder)).toEqual([]);
});

it('draws flow charts of arrows', () => {
  const chart = '```mermaid\nflowchart TD\n  a --> b\n  a --> c\n  b --> c\n```';
  expect(withDiagrams(chart)).toMatch(
    /^<figure class="diagram"><svg .*aria-label="a imports b, a imports c, b imports c"/,
  );
  expect(withDiagrams('```mermaid\nsequenceDiagram\n```')).toBe('```mermaid\nsequenceDiagram\n```');
  expect(diagramSvg([{ from: 'a', to: 'b' }]).match(/<rect/g)).toHaveLength(2);
});
