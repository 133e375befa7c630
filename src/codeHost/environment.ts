/** The CI environment: the code host, the change request and the commit of the job, all from environment variables. */
import { readFile } from 'node:fs/promises';
import { relative } from 'node:path';
import * as z from 'zod';
import type { JobIo } from './runner.ts';

export interface CiEnvironment {
  /** Undefined outside GitHub Actions and GitLab CI. */
  host: 'GitHub' | 'GitLab' | undefined;
  /** The number of the pull or merge request that started the job. */
  request?: number | undefined;
  commit?: string | undefined;
  /** The branch that the job runs for. */
  base?: string | undefined;
  jobUrl?: string | undefined;
  /** The folder of the checkout. */
  root?: string | undefined;
}

type Env = JobIo['env'];

export async function readCiEnvironment(env: Env): Promise<CiEnvironment> {
  if (env.GITHUB_ACTIONS === 'true') return gitHubEnvironment(env, await gitHubEvent(env));
  return env.GITLAB_CI === undefined ? { host: undefined } : gitLabEnvironment(env);
}

/** A path relative to the top of the checkout; empty for the top itself and for paths outside it. */
export function nameInCheckout(file: string, { root }: CiEnvironment): string {
  const path = root === undefined ? '' : relative(root, file).replaceAll('\\', '/');
  return path === '' || path.startsWith('../') ? '' : path;
}

function gitHubEnvironment(env: Env, event: Event | undefined): CiEnvironment {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository, GITHUB_RUN_ID: run } = env;
  const pull = event?.pull_request;
  // `pull_request_target` checks out the base branch, not the head of the pull request.
  const isBaseCheckout = env.GITHUB_EVENT_NAME === 'pull_request_target';
  const requestInRef = /^refs\/pull\/(\d+)\//.exec(env.GITHUB_REF ?? '')?.[1];
  return {
    host: 'GitHub',
    request: pull?.number ?? (requestInRef === undefined ? undefined : Number(requestInRef)),
    commit: (isBaseCheckout ? undefined : pull?.head.sha) ?? env.GITHUB_SHA,
    base: env.GITHUB_REF_TYPE === 'branch' && pull === undefined ? env.GITHUB_REF_NAME : undefined,
    jobUrl: server && repository && run ? `${server}/${repository}/actions/runs/${run}` : undefined,
    root: env.GITHUB_WORKSPACE,
  };
}

function gitLabEnvironment(env: Env): CiEnvironment {
  const { CI_MERGE_REQUEST_IID: iid } = env;
  return {
    host: 'GitLab',
    request: iid ? Number(iid) : undefined,
    commit: env.CI_MERGE_REQUEST_SOURCE_BRANCH_SHA || env.CI_COMMIT_SHA,
    // Not set in pipelines of merge requests and tags.
    base: env.CI_COMMIT_BRANCH || undefined,
    jobUrl: env.CI_JOB_URL,
    root: env.CI_PROJECT_DIR,
  };
}

const eventSchema = z.object({
  pull_request: z.object({ number: z.number(), head: z.object({ sha: z.string() }) }).optional(),
});

type Event = z.infer<typeof eventSchema>;

/** The event that started the job; undefined if its file is missing or unreadable. */
async function gitHubEvent({ GITHUB_EVENT_PATH: file }: Env): Promise<Event | undefined> {
  if (!file) return undefined;
  try {
    return eventSchema.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch {
    return undefined;
  }
}
