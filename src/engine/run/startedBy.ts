/** The maker of a run, and the commit. Nothing is looked up over the network. */
import { execFile } from 'node:child_process';
import { hostname } from 'node:os';
import { promisify } from 'node:util';
import { z } from 'zod';
import { ciJobUrl, userName } from '../backend/holder.ts';

export const startedBySchema = z.object({
  user: z.string().describe('The name of the user.'),
  host: z.string().describe('The name of the machine.'),
  job: z.string().optional().describe('The URL of the CI job.'),
  commit: z.string().optional().describe('The commit that was checked out.'),
  isChanged: z.boolean().optional().describe('True if files of the repository had changes that were not committed.'),
});

export type StartedBy = z.output<typeof startedBySchema>;

interface Origin {
  env: Readonly<Record<string, string | undefined>>;
  /** A folder of the repository. */
  cwd: string;
}

export async function startedBy({ env, cwd }: Origin): Promise<StartedBy> {
  const job = ciJobUrl(env);
  return { user: userName(), host: hostname(), ...(job !== undefined && { job }), ...(await checkedOut({ env, cwd })) };
}

/** Returns who made a run, in words: `deploy@laptop, commit 1a2b3c4 with uncommitted changes`. */
export function startedByText({ user, host, job, commit, isChanged = false }: StartedBy): string {
  const from =
    commit === undefined ? '' : `, commit ${commit.slice(0, 7)}${isChanged ? ' with uncommitted changes' : ''}`;
  return `${job ?? `${user}@${host}`}${from}`;
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
