/** The CI environment: the code host, the change request and the commit of the job, all from environment variables. */
import { relative } from 'node:path';
import * as z from 'zod';
import { readTextFile } from '../base/files/textFile.ts';
import { withoutMark } from '../base/values/utf8.ts';
import { ciJobUrl } from '../engine/doors/backend.ts';
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
  /** The reason why the code host passes no secrets to this job; undefined if it passes them. */
  withheldSecrets?: string | undefined;
}

type Env = JobIo['env'];

/** `request` is the number that an option names. */
export async function readCiEnvironment(env: Env, request?: number): Promise<CiEnvironment> {
  const environment = await environmentOf(env);
  return { ...environment, request: request ?? environment.request };
}

async function environmentOf(env: Env): Promise<CiEnvironment> {
  if (env.GITHUB_ACTIONS === 'true') return gitHubEnvironment(env, await gitHubEvent(env));
  return env.GITLAB_CI === undefined ? { host: undefined } : gitLabEnvironment(env);
}

/** A path relative to the top of the checkout; empty for the top itself and for paths outside it. */
export function nameInCheckout(file: string, { root }: CiEnvironment): string {
  const path = root === undefined ? '' : relative(root, file).replaceAll('\\', '/');
  return path === '' || path.startsWith('../') ? '' : path;
}

function gitHubEnvironment(env: Env, event: Event | undefined): CiEnvironment {
  const pull = event?.pull_request;
  // `pull_request_target` checks out the base branch, not the head of the pull request.
  const isBaseCheckout = env.GITHUB_EVENT_NAME === 'pull_request_target';
  // A comment on a pull request is an event of the issue with its number.
  const commented = event?.issue?.pull_request ? event.issue.number : undefined;
  const requestInRef = /^refs\/pull\/(\d+)\//.exec(env.GITHUB_REF ?? '')?.[1];
  return {
    host: 'GitHub',
    request: pull?.number ?? commented ?? (requestInRef === undefined ? undefined : Number(requestInRef)),
    commit: (isBaseCheckout ? undefined : pull?.head.sha) ?? env.GITHUB_SHA,
    base: env.GITHUB_REF_TYPE === 'branch' && pull === undefined ? env.GITHUB_REF_NAME : undefined,
    jobUrl: ciJobUrl(env),
    root: env.GITHUB_WORKSPACE,
    withheldSecrets: withheldOnGitHub(env, pull),
  };
}

function withheldOnGitHub(env: Env, pull: Event['pull_request']): string | undefined {
  if (pull === undefined || env.GITHUB_EVENT_NAME === 'pull_request_target') return undefined;
  const { repo } = pull.head;
  const isFork = repo === null || (repo !== undefined && repo.full_name !== env.GITHUB_REPOSITORY);
  const subject = `pull request #${pull.number} comes from`;
  if (isFork) return `${subject} a fork${repo ? ` (${repo.full_name})` : ''}, and GitHub passes no secrets to its jobs`;
  if (env.GITHUB_ACTOR !== 'dependabot[bot]') return undefined;
  return `${subject} Dependabot, and GitHub passes only the secrets of Dependabot to its jobs`;
}

function gitLabEnvironment(env: Env): CiEnvironment {
  // A pipeline of a branch knows its open requests: `group/project!333,group/fork!7`.
  const [, opened] = /^[^,!]*!(\d+)/.exec(env.CI_OPEN_MERGE_REQUESTS ?? '') ?? [];
  const iid = env.CI_MERGE_REQUEST_IID || opened;
  return {
    host: 'GitLab',
    request: iid ? Number(iid) : undefined,
    commit: env.CI_MERGE_REQUEST_SOURCE_BRANCH_SHA || env.CI_COMMIT_SHA,
    // Not set in pipelines of merge requests and tags.
    base: env.CI_COMMIT_BRANCH || undefined,
    jobUrl: ciJobUrl(env),
    root: env.CI_PROJECT_DIR,
    withheldSecrets: withheldOnGitLab(env),
  };
}

function withheldOnGitLab(env: Env): string | undefined {
  const { CI_MERGE_REQUEST_IID: iid, CI_PROJECT_ID: from, CI_MERGE_REQUEST_PROJECT_ID: to = from } = env;
  if (!iid) return undefined;
  if (from !== to) return `merge request !${iid} comes from a fork, whose pipelines get no variables of this project`;
  if (env.CI_COMMIT_REF_PROTECTED !== 'false') return undefined;
  return `merge request !${iid} comes from an unprotected branch, whose pipelines get no protected variables`;
}

const eventSchema = z.object({
  pull_request: z
    .object({
      number: z.number(),
      // The repository is null if the fork was deleted.
      head: z.object({ sha: z.string(), repo: z.object({ full_name: z.string() }).nullish() }),
    })
    .optional(),
  issue: z.object({ number: z.number(), pull_request: z.looseObject({}).optional() }).optional(),
});

type Event = z.infer<typeof eventSchema>;

/** The event that started the job; undefined if its file is missing or unreadable. */
async function gitHubEvent({ GITHUB_EVENT_PATH: file }: Env): Promise<Event | undefined> {
  if (!file) return undefined;
  try {
    return eventSchema.parse(JSON.parse(withoutMark(await readTextFile(file))));
  } catch {
    return undefined;
  }
}
