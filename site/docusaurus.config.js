/** Settings of the site generator. `scripts/site.ts` writes everything else that it reads into `.staged`. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { glossaryLinks } from '../scripts/site/remark/glossaryLinks.ts';
import { onlyValidLinks } from '../scripts/site/remark/onlyValidLinks.ts';
import { codeTheme, darkCodeTheme } from './theme/codeThemes.js';

const here = dirname(fileURLToPath(import.meta.url));
const staged = join(here, '.staged');
const { url, baseUrl, version, released, repository } = JSON.parse(readFileSync(join(staged, 'settings.json'), 'utf8'));

const section = (label, sidebarId) => ({ type: 'docSidebar', label, sidebarId, position: 'left' });
const isReleased = released.length > 0;

export default {
  title: 'webdata',
  tagline: 'Web-data and proxy accounts as code',
  url,
  baseUrl,
  favicon: 'favicon.svg',
  trailingSlash: false,
  staticDirectories: [join(here, 'static'), join(staged, 'static')],
  onBrokenLinks: 'throw',
  onBrokenAnchors: 'throw',
  onDuplicateRoutes: 'throw',
  markdown: {
    // Pages are plain Markdown, which other readers show as well.
    format: 'detect',
    hooks: { onBrokenMarkdownLinks: 'throw', onBrokenMarkdownImages: 'throw' },
  },
  i18n: { defaultLocale: 'en', locales: ['en'], path: join(here, 'i18n') },
  plugins: [
    [
      '@docusaurus/plugin-content-docs',
      {
        path: join(staged, 'docs'),
        routeBasePath: '/',
        sidebarPath: join(here, 'sidebars.js'),
        sidebarCollapsible: true,
        breadcrumbs: true,
        beforeDefaultRemarkPlugins: [onlyValidLinks, [glossaryLinks, { staged }]],
        // The generator's link for editing leads to the page as Markdown; i18n/ has its text.
        editUrl: ({ versionDocsDirPath, docPath }) => `pathname://${baseUrl}${folderOf(versionDocsDirPath)}${docPath}`,
        versions: {
          current: isReleased
            ? { label: 'Next', path: 'next', banner: 'unreleased' }
            : { label: `${version} (unreleased)`, banner: 'none' },
        },
      },
    ],
    ['@docusaurus/plugin-content-pages', { path: join(here, 'pages') }],
  ],
  themes: [
    ['@docusaurus/theme-classic', { customCss: [join(here, 'theme/site.css')] }],
    [
      '@easyops-cn/docusaurus-search-local',
      {
        hashed: true,
        indexBlog: false,
        // What people look up comes from guides, fields and errors.
        ignoreFiles: [/^(?:[\d.]+\/|next\/)?(?:evidence|api|architecture|contributing|changes)(?:\/|$)/],
        docsRouteBasePath: '/',
        docsDir: join(staged, 'docs'),
        highlightSearchTermsOnTargetPage: true,
        explicitSearchResultPath: true,
        searchBarShortcutHint: true,
      },
    ],
  ],
  themeConfig: {
    colorMode: { respectPrefersColorScheme: true },
    image: 'pictures/html-plan-light.png',
    docs: { sidebar: { hideable: true } },
    tableOfContents: { minHeadingLevel: 2, maxHeadingLevel: 3 },
    navbar: {
      title: 'webdata',
      logo: { alt: '', src: 'favicon.svg', width: 26, height: 26 },
      items: [
        section('Start', 'start'),
        section('Zones', 'zones'),
        section('Team and CI', 'team'),
        section('Collectors', 'collectors'),
        section('Programs', 'fronts'),
        section('Reference', 'reference'),
        section('Ideas', 'ideas'),
        {
          type: 'html',
          value: `<a class="navbar__link menu__link playground" href="${baseUrl}playground.html">Playground</a>`,
          className: 'navbar__item',
          position: 'left',
        },
        { type: 'docsVersionDropdown', position: 'right' },
        ...(repository ? [{ label: 'Source', href: repository, position: 'right' }] : []),
      ],
    },
    footer: {
      style: 'light',
      copyright: `webdata ${version} · Apache License 2.0 · <a href="${baseUrl}llms.txt">llms.txt</a>`,
    },
    prism: { theme: codeTheme, darkTheme: darkCodeTheme, additionalLanguages: ['bash', 'json', 'docker', 'ini'] },
  },
};

/** Returns the folder of a version's Markdown on the site. */
function folderOf(versionDocsDirPath) {
  const [, released_] = /version-([\d.]+)$/.exec(versionDocsDirPath) ?? [];
  if (released_ === undefined) return isReleased ? 'next/' : '';
  return released_ === released[0] ? '' : `${released_}/`;
}
