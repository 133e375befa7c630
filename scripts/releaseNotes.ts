/**
 * `npm run release:notes -- TAG`: prints the changes of a release, from CHANGELOG.md in the current folder. Fails unless the tag names the
 * version in package.json and the changelog has a dated section for it.
 */
import { readFileSync } from 'node:fs';

function notesOf(tag: string): string {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  if (tag !== `v${version}`) throw new Error(`tag ${tag} does not match version ${version} in package.json`);
  const sections = readFileSync('CHANGELOG.md', 'utf8').split(/^## /m);
  const section = sections.find((each) => each.split(/\s/, 1)[0] === version);
  if (section === undefined) throw new Error(`CHANGELOG.md has no section for ${version}`);
  const [heading = '', ...lines] = section.split('\n');
  if (/unreleased/i.test(heading)) throw new Error(`CHANGELOG.md: ${version} is still marked as unreleased`);
  return `${lines.join('\n').trim()}\n`;
}

try {
  process.stdout.write(notesOf(process.argv[2] ?? ''));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
