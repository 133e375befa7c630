/** The released versions that the site has, from the tags of the repository. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Readers of the site may still use these many minor versions. */
const most = 3;

/** Returns the newest patch of the newest minor versions, newest first. Empty without a repository. */
export function releasedVersions(root: string): string[] {
  const tags = git(root, ['tag', '--list', 'v*']).split('\n');
  const versions = tags.flatMap((tag) => {
    const [, major, minor, patch] = /^v(\d+)\.(\d+)\.(\d+)$/.exec(tag) ?? [];
    return patch === undefined ? [] : [[Number(major), Number(minor), Number(patch)] as const];
  });
  const descending = versions.toSorted((a, b) => b[0] - a[0] || b[1] - a[1] || b[2] - a[2]);
  const newest = descending.filter(
    ([major, minor], index) => descending.findIndex((other) => other[0] === major && other[1] === minor) === index,
  );
  return newest.slice(0, most).map((parts) => parts.join('.'));
}

/** Extracts a released version, once, and returns its folder. */
export function checkOut(root: string, version: string, folder: string): string {
  const target = join(folder, version);
  if (existsSync(target)) return target;
  mkdirSync(target, { recursive: true });
  try {
    const archive = execFileSync('git', ['archive', `v${version}`], { cwd: root, maxBuffer: 2 ** 30 });
    execFileSync('tar', ['-x', '-C', target], { input: archive });
  } catch (error) {
    rmSync(target, { recursive: true });
    throw error;
  }
  return target;
}

function git(cwd: string, args: readonly string[]): string {
  try {
    return execFileSync('git', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  } catch {
    return '';
  }
}
