/** The pages of the TypeScript API, which TypeDoc writes from the docstrings. */
import { execFileSync } from 'node:child_process';
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { anchorsOf } from './anchors.ts';
import type { SitePage } from './pages.ts';

interface EntryPoint {
  /** The file of the sources. */
  file: string;
  /** The page that TypeDoc writes for it. */
  written: string;
  id: string;
  title: string;
  summary: string;
}

const entryPoints: readonly EntryPoint[] = [
  {
    file: 'src/index.ts',
    written: 'src.md',
    id: 'api/webdata',
    title: 'pulumi-webdata',
    summary: 'The clients of the service, of the proxy manager and of the trigger service, and the kinds of resources.',
  },
  {
    file: 'src/emulator/index.ts',
    written: 'src/emulator.md',
    id: 'api/emulator',
    title: 'pulumi-webdata/emulator',
    summary: 'The emulator of the service, for tests.',
  },
  {
    file: 'providers/index.ts',
    written: 'providers.md',
    id: 'api/pulumi',
    title: 'pulumi-webdata/pulumi',
    summary: 'The Pulumi resources.',
  },
];

/** Writes and reads the pages. `work` is a folder for files in between. */
export function apiPages(root: string, site: string, work: string): SitePage[] {
  const out = join(work, 'typedoc');
  rmSync(out, { recursive: true, force: true });
  const options = join(work, 'typedoc.json');
  writeFileSync(options, JSON.stringify({ ...settings, ...pathsOf(root, site, out) }));
  execFileSync(process.execPath, [join(site, 'node_modules/typedoc/bin/typedoc'), '--options', options], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const written = new Map(
    globSync('**/*.md', { cwd: out }).map((file) => [file, readFileSync(join(out, file), 'utf8')]),
  );
  const pages = entryPoints.map(({ written: file, id, title, summary }) => {
    const body = (written.get(file) ?? '').replace(/^# .+\n/, `# ${title}\n\n${summary}\n`);
    return { id, title, summary, text: withAnchors(withPageLinks(body, file)) };
  });
  return [indexPage(pages), ...pages];
}

/** The index is made from the pages, so that it names no entry point that does not exist. */
function indexPage(pages: readonly SitePage[]): SitePage {
  const rows = pages.map(({ id, title, summary }) => `| [\`${title}\`](./${posix.basename(id)}.md) | ${summary} |`);
  const title = 'TypeScript API';
  const summary = 'Everything that the package exports, from the comments in its sources.';
  return {
    id: 'api/index',
    title,
    summary,
    text: `# ${title}\n\n${summary}\n\n| import from | exports |\n|---|---|\n${rows.join('\n')}\n`,
  };
}

function withPageLinks(text: string, file: string): string {
  return text.replaceAll(/\]\(([^)#\s]+\.md)(#[^)\s]*)?\)/g, (_, link: string, hash = '') => {
    const target = posix.join(posix.dirname(file), link);
    const entry = entryPoints.find(({ written }) => written === target);
    return entry === undefined ? ']()' : `](./${posix.basename(entry.id)}.md${hash})`;
  });
}

/** Corrects links to the second of two headings that differ in upper and lower case only, which TypeDoc counts in another way than Markdown. */
function withAnchors(text: string): string {
  const anchors = new Set(anchorsOf(text));
  return text.replaceAll(/\]\(#([^)\s]+)\)/g, (link, anchor: string) =>
    anchors.has(anchor) ? link : `](#${anchor.replace(/-\d+$/, '')})`,
  );
}

function pathsOf(root: string, site: string, out: string) {
  return {
    entryPoints: entryPoints.map(({ file }) => join(root, file)),
    tsconfig: join(root, 'tsconfig.json'),
    plugin: [join(site, 'node_modules/typedoc-plugin-markdown/dist/index.js')],
    out,
  };
}

const settings = {
  skipErrorChecking: true,
  readme: 'none',
  router: 'module',
  disableSources: true,
  hidePageHeader: true,
  hideBreadcrumbs: true,
  useCodeBlocks: true,
  excludeExternals: true,
  excludePrivate: true,
  excludeInternal: true,
  parametersFormat: 'table',
  interfacePropertiesFormat: 'table',
  typeDeclarationFormat: 'table',
  typeDeclarationVisibility: 'compact',
  // Types that only appear in signatures are not exported on purpose.
  validation: { notExported: false },
  logLevel: 'Warn',
};
