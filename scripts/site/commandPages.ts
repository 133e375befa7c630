/** The reference of the commands on the site: a page for each command, from the sections of docs/commands.md. */
import type { SitePage } from './pages.ts';

/** The heading of docs/commands.md after which each section is a command. */
const lastCommonHeading = 'Shared options';

/** Returns the names of the pages, such as `ci-plan`, which are the anchors of the commands in docs/commands.md. */
export function commandPageNames(text: string): string[] {
  return commandSections(text).map(pageNameOf);
}

/** Returns the page of all commands, without their sections, and a page for each command. */
export function commandPages(index: SitePage): SitePage[] {
  const sections = commandSections(index.text);
  const names = new Set(sections.map(pageNameOf));
  const common = index.text.slice(0, index.text.length - sections.join('').length);
  const pages = sections.map((section): SitePage => {
    const [heading = '', ...body] = section.split('\n');
    const title = `webdata ${heading.replace('## ', '')}`;
    const text = `# ${title}\n${withPageLinks(body.join('\n'), names, true)}`;
    const summary = body.find((line) => line !== '') ?? '';
    return { id: `commands/${pageNameOf(section)}`, title, summary, text };
  });
  return [{ ...index, text: withPageLinks(common, names, false) }, ...pages];
}

function commandSections(text: string): string[] {
  const sections = text.split(/^(?=## )/m);
  const last = sections.findIndex((section) => section.startsWith(`## ${lastCommonHeading}\n`));
  return last === -1 ? [] : sections.slice(last + 1);
}

function pageNameOf(section: string): string {
  const [heading = ''] = section.split('\n');
  return heading.replace('## ', '').replaceAll(' ', '-');
}

/** Replaces links to headings of docs/commands.md by links to the pages that have them. */
function withPageLinks(text: string, names: ReadonlySet<string>, isCommand: boolean): string {
  return text.replaceAll(/\]\(#([\w-]+)\)/g, (link, anchor: string) => {
    if (names.has(anchor)) return `](./${anchor}.md)`;
    return isCommand ? `](./index.md#${anchor})` : link;
  });
}
