/**
 * `npm run prose [-- FILE…]`: checks the language of comments, help, errors and documents, in files or folders, by default in all. Prints each
 * finding with a suggestion, and fails if there is one.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { findingsIn, isProseFile } from './prose/findings.ts';

const isAsked = (file: string) =>
  process.argv.length === 2 || process.argv.slice(2).some((each) => file.startsWith(each));

function listed(): string[] {
  const args = ['ls-files', '--cached', '--others', '--exclude-standard'];
  const { stdout, status } = spawnSync('git', args, { encoding: 'utf8', maxBuffer: 2 ** 28 });
  if (status !== 0) console.log('Prose: not checked, because this is no git repository, whose files would be listed.');
  return [...new Set(stdout?.split('\n'))];
}

// A file that is deleted, but not yet in a commit, is still listed.
const files = listed().filter((file) => isProseFile(file) && isAsked(file) && existsSync(file));
const findings = files.flatMap((file) => findingsIn(file, readFileSync(file, 'utf8')));

for (const { file, line, rule, words, suggestion } of findings)
  console.log(`${file}:${line}  ${rule}: "${words}" - ${suggestion}`);
console.log(`Prose: ${findings.length} findings in ${files.length} files.`);
if (findings.length > 0) process.exitCode = 1;
