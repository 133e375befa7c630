/**
 * `npm run prose`: checks the language of comments, help, errors and documents. In clean parts of the repository any finding is an error. The
 * other parts are older than the rules: there, the check fails only if the files that differ from the base have more findings than before.
 *
 *   npm run prose                     check, and print how many findings are left
 *   npm run prose -- --list [FILE…]   list the findings of files or folders, by default of all
 *   npm run prose -- --base COMMIT    compare with this commit; the default is the merge base with main
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type Finding, findingsIn, isProseFile, isStrict } from './prose/findings.ts';

function git(...args: readonly string[]): string {
  return execFileSync('git', args, { encoding: 'utf8', maxBuffer: 2 ** 28, stdio: ['ignore', 'pipe', 'ignore'] });
}

function gitOrUndefined(...args: readonly string[]): string | undefined {
  try {
    return git(...args).trim();
  } catch {
    return undefined;
  }
}

function proseFiles(): string[] {
  const files = git('ls-files', '--cached', '--others', '--exclude-standard').split('\n');
  return [...new Set(files)].filter(isProseFile);
}

function findingsNow(file: string): Finding[] {
  try {
    return findingsIn(file, readFileSync(file, 'utf8'));
  } catch {
    // Deleted, but not yet in a commit.
    return [];
  }
}

/** On main itself, the commit before it. Undefined in a shallow clone. */
function defaultBase(): string | undefined {
  const head = gitOrUndefined('rev-parse', 'HEAD');
  for (const branch of ['origin/main', 'main']) {
    const base = gitOrUndefined('merge-base', 'HEAD', branch);
    if (base !== undefined && base !== head) return base;
  }
  return gitOrUndefined('rev-parse', '--verify', 'HEAD^1');
}

function findingsAt(base: string, files: readonly string[]): Finding[] {
  return files.flatMap((file) => {
    const content = gitOrUndefined('show', `${base}:${file}`);
    return content === undefined ? [] : findingsIn(file, content);
  });
}

function key({ file, rule, words }: Finding): string {
  return `${file}\t${rule}\t${words.toLowerCase()}`;
}

/** Findings that the base does not have, in files that differ. */
function added(before: readonly Finding[], now: readonly Finding[]): Finding[] {
  const left = new Map<string, number>();
  for (const each of before) left.set(key(each), (left.get(key(each)) ?? 0) + 1);
  return now.filter((each) => {
    const count = left.get(key(each)) ?? 0;
    left.set(key(each), count - 1);
    return count <= 0;
  });
}

function lineOf({ file, line, rule, words, suggestion }: Finding): string {
  return `${file}:${line}  ${rule}: "${words}" - ${suggestion}`;
}

function checkStrict(all: readonly Finding[]): boolean {
  const findings = all.filter(({ file }) => isStrict(file));
  for (const finding of findings) console.log(lineOf(finding));
  if (findings.length > 0) console.log('These files must have no findings. Rewrite the lines above.');
  return findings.length === 0;
}

function check(base: string | undefined, all: readonly Finding[]): boolean {
  if (base === undefined) {
    console.log('No commit to compare with: use a full clone (fetch-depth: 0).');
    return true;
  }
  const untracked = git('ls-files', '--others', '--exclude-standard').split('\n');
  const changed = new Set(
    [...git('diff', '--name-only', '--no-renames', base).split('\n'), ...untracked].filter(isProseFile),
  );
  const before = findingsAt(base, [...changed]);
  const now = all.filter(({ file }) => changed.has(file));
  if (now.length <= before.length) return true;
  for (const finding of added(before, now)) console.log(lineOf(finding));
  console.log(`Changed files have ${now.length} findings, ${before.length} before. Rewrite the lines above.`);
  return false;
}

const { values, positionals } = parseArgs({
  options: { list: { type: 'boolean' }, base: { type: 'string' } },
  allowPositionals: true,
});
if (values.list) {
  const isAsked = (file: string) => positionals.every((each) => !file.startsWith(each)) === (positionals.length === 0);
  for (const file of proseFiles().filter(isAsked))
    for (const finding of findingsNow(file)) console.log(lineOf(finding));
} else if (gitOrUndefined('rev-parse', 'HEAD') === undefined) {
  console.log('Prose: not checked, because this is not a git repository with a commit.');
} else {
  const all = proseFiles().flatMap(findingsNow);
  const results = [checkStrict(all), check(values.base ?? defaultBase(), all)];
  if (results.includes(false)) process.exitCode = 1;
  const counts = Object.entries(Object.groupBy(all, ({ file }) => file.replace(/\/.*/, '')));
  const parts = counts.map(([folder, findings]) => `${folder} ${findings?.length ?? 0}`);
  console.log(`Prose: ${all.length} findings left (${parts.join(', ')}).`);
}
