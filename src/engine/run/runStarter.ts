/** Finds out who starts a run, and from which commit. Nothing is looked up over the network. */
import { execFile } from 'node:child_process';
import { hostname } from 'node:os';
import { promisify } from 'node:util';
import { ciJobUrl, userName } from '../backend/holder.ts';
import type { StartedBy } from './startedBy.ts';

interface Origin {
  env: Readonly<Record<string, string | undefined>>;
  /** A folder of the repository. */
  cwd: string;
}

export async function startedBy({ env, cwd }: Origin): Promise<StartedBy> {
  const job = ciJobUrl(env);
  return { user: userName(), host: hostname(), ...(job !== undefined && { job }), ...(await checkedOut({ env, cwd })) };
}

const run = promisify(execFile);
const longestMs = 5_000;

/** Asks git. Without git or a repository, a CI says what it has checked out. */
async function checkedOut({ env, cwd }: Origin): Promise<Pick<StartedBy, 'commit' | 'isChanged'>> {
  const args = ['-c', 'core.fsmonitor=false', 'status', '--porcelain=v2', '--branch', '--untracked-files=no'];
  const options = { cwd, env: { ...env, GIT_OPTIONAL_LOCKS: '0' }, timeout: longestMs };
  const lines = await run('git', args, options).then(
    ({ stdout }) => stdout.split('\n').filter((line) => line !== ''),
    () => [],
  );
  const commit = lines
    .map((line) => /^# branch\.oid ([\da-f]{7,})$/.exec(line)?.[1])
    .find((found) => found !== undefined);
  const ofJob = env.GITHUB_SHA || env.CI_COMMIT_SHA;
  if (commit === undefined) return ofJob ? { commit: ofJob } : {};
  return { commit, ...(lines.some((line) => !line.startsWith('#')) && { isChanged: true }) };
}
