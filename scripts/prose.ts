/**
 * `npm run prose [-- FILE…]`: checks the language of comments, help, errors and documents, in files or folders, by default in all. Prints each
 * finding with a suggestion, and fails if there is one.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { findingsIn, isProseFile } from './prose/findings.ts';

const isAsked = (file: string) =>
  process.argv.length === 2 || process.argv.slice(2).some((each) => file.startsWith(each));

const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  encoding: 'utf8',
  maxBuffer: 2 ** 28,
});
// A file that is deleted, but not yet in a commit, is still listed.
const files = [...new Set(listed.split('\n'))].filter((file) => isProseFile(file) && isAsked(file) && existsSync(file));
const findings = files.flatMap((file) => findingsIn(file, readFileSync(file, 'utf8')));

for (const { file, line, rule, words, suggestion } of findings)
  console.log(`${file}:${line}  ${rule}: "${words}" - ${suggestion}`);
console.log(`Prose: ${findings.length} findings in ${files.length} files.`);
if (findings.length > 0) process.exitCode = 1;
