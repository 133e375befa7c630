/** The forge that runs this, with the token that the environment has for it. */
import { type Problem, ProblemError } from '../input/problem.ts';
import { createForge, type Forge } from './forge.ts';
import type { Surroundings } from './front.ts';
import { gitHubCalls } from './github.ts';
import { gitLabCalls } from './gitlab.ts';
import type { Place } from './place.ts';

/** @throws ProblemError where there is no token */
export function openForge({ forge, request }: Place, io: Surroundings): Forge {
  const { GITHUB_TOKEN, WEBDATA_GITLAB_TOKEN, GITLAB_TOKEN } = io.env;
  const token = forge === 'GitHub' ? GITHUB_TOKEN : WEBDATA_GITLAB_TOKEN || GITLAB_TOKEN;
  if (!token) throw new ProblemError([forge === 'GitHub' ? noGitHubToken : noGitLabToken]);
  return createForge((forge === 'GitHub' ? gitHubCalls : gitLabCalls)(token, request, io));
}

const noGitHubToken: Problem = {
  code: 'no-forge-token',
  found: 'GITHUB_TOKEN is not set, so GitHub is not told',
  fix: 'set it in the `env:` of the step, to github.token',
};

const noGitLabToken: Problem = {
  code: 'no-forge-token',
  found: 'neither WEBDATA_GITLAB_TOKEN nor GITLAB_TOKEN is set, so GitLab is not told',
  fix: 'set the masked variable WEBDATA_GITLAB_TOKEN to a project access token with the scope `api`',
};
