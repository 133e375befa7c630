/** Where this runs: which forge started it, for which change request and commit. All from the environment. */
import { readFile } from 'node:fs/promises';
import { relative } from 'node:path';
import * as z from 'zod';
import type { Surroundings } from './front.ts';

export interface Place {
  forge: 'GitHub' | 'GitLab' | undefined;
  /** The pull or merge request that the run is about. */
  request?: number | undefined;
  commit?: string | undefined;
  runUrl?: string | undefined;
  /** The folder of the checkout. */
  root?: string | undefined;
}

type Env = Surroundings['env'];

export async function placeFrom(env: Env): Promise<Place> {
  if (env.GITHUB_ACTIONS === 'true') return onGitHub(env, await eventOf(env));
  return env.GITLAB_CI === undefined ? { forge: undefined } : onGitLab(env);
}

/** A file or folder as it is called from the top of the checkout, where it lies in one. */
export function nameInCheckout(file: string, { root }: Place): string {
  const path = root === undefined ? '' : relative(root, file).replaceAll('\\', '/');
  return path === '' || path.startsWith('../') ? '' : path;
}

function onGitHub(env: Env, event: Event | undefined): Place {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository, GITHUB_RUN_ID: run } = env;
  const pull = event?.pull_request;
  // Its checkout is the base branch, not what the pull request wants to be merged.
  const isOfBase = env.GITHUB_EVENT_NAME === 'pull_request_target';
  const ofRef = /^refs\/pull\/(\d+)\//.exec(env.GITHUB_REF ?? '')?.[1];
  return {
    forge: 'GitHub',
    request: pull?.number ?? (ofRef === undefined ? undefined : Number(ofRef)),
    commit: (isOfBase ? undefined : pull?.head.sha) ?? env.GITHUB_SHA,
    runUrl: server && repository && run ? `${server}/${repository}/actions/runs/${run}` : undefined,
    root: env.GITHUB_WORKSPACE,
  };
}

function onGitLab(env: Env): Place {
  const { CI_MERGE_REQUEST_IID: iid } = env;
  return {
    forge: 'GitLab',
    request: iid ? Number(iid) : undefined,
    commit: env.CI_MERGE_REQUEST_SOURCE_BRANCH_SHA || env.CI_COMMIT_SHA,
    runUrl: env.CI_JOB_URL,
    root: env.CI_PROJECT_DIR,
  };
}

const eventSchema = z.object({
  pull_request: z.object({ number: z.number(), head: z.object({ sha: z.string() }) }).optional(),
});

type Event = z.infer<typeof eventSchema>;

/** What started the run, as GitHub describes it; undefined where that can't be read. */
async function eventOf({ GITHUB_EVENT_PATH: file }: Env): Promise<Event | undefined> {
  if (!file) return undefined;
  try {
    return eventSchema.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch {
    return undefined;
  }
}
