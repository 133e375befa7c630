/**
 * `npm run release:notes -- TAG`: prints the changes of a release, from CHANGELOG.md in the current folder. Fails unless the tag names the
 * version in package.json and the changelog has a dated section for it.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export function notesOf(tag: string, folder: string): string {
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  if (tag !== `v${version}`) throw new Error(`tag ${tag} does not match version ${version} in package.json`);
  const section = sectionsOf(folder).find((each) => each.heading.split(/\s/, 1)[0] === version);
  if (section === undefined) throw new Error(`CHANGELOG.md has no section for ${version}`);
  if (/unreleased/i.test(section.heading)) throw new Error(`CHANGELOG.md: ${version} is still marked as unreleased`);
  return section.text;
}

/** Returns what the next release would have as its notes: the newest section, which need not have a date yet. */
export function nextNotes(folder: string): string {
  const [newest] = sectionsOf(folder);
  if (newest === undefined) throw new Error('CHANGELOG.md has no section');
  return newest.text;
}

function sectionsOf(folder: string): { heading: string; text: string }[] {
  const [, ...sections] = readFileSync(join(folder, 'CHANGELOG.md'), 'utf8').split(/^## /m);
  return sections.map((section) => {
    const [heading = '', ...lines] = section.split('\n');
    return { heading, text: `${lines.join('\n').trim()}\n` };
  });
}

if (import.meta.main) {
  try {
    process.stdout.write(notesOf(process.argv[2] ?? '', '.'));
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
