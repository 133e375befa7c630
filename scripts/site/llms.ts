/** `llms.txt`: the pages with their first sentences and the addresses of their Markdown, for programs that read documentation. */
import manifest from '../../package.json' with { type: 'json' };
import type { SitePage } from './pages.ts';
import { jobOf, sections } from './structure.ts';

const skill =
  'Coding assistants: the package has a skill file, `skills/webdata/SKILL.md`. The interface is the command line with `--format json`.';

/** `site` is the URL of the pages, which ends with a slash. */
export function llmsText(pages: readonly SitePage[], site: string): string {
  const groups = Object.entries(sections).map(([job, { label, description }]) => {
    const own = pages.filter(({ id }) => jobOf(id) === job);
    const lines = own.map(({ id, title, summary }) => `- [${title}](${site}${id}.md)${summary && `: ${summary}`}`);
    return `## ${label}\n\n${description}\n\n${lines.join('\n')}\n`;
  });
  return `# ${manifest.name}\n\n> ${manifest.description}\n\n${skill}\n\n${groups.join('\n')}`;
}
