/** `webdata ci`: runs the front, then tells the forge. That the forge can't be told does not undo what the front has said. */
import { resolve } from 'node:path';
import { type Problem, ProblemError } from '../input/problem.ts';
import { isSecretName, redactor } from '../service/redact.ts';
import { createForge, type Forge } from './forge.ts';
import type { CiCommand, Front, Outcome, Surroundings } from './front.ts';
import { gitHubCalls } from './github.ts';
import { gitLabCalls } from './gitlab.ts';
import { tellProblem, writeOutputs, writeStepSummary } from './outputs.ts';
import { nameInCheckout, type Place, placeFrom } from './place.ts';
import {
  type About,
  driftChanged,
  driftEnded,
  driftIssue,
  driftMark,
  markerOf,
  planComment,
  stepSummary,
} from './texts.ts';

export interface CiOptions {
  front: Front;
  args: readonly string[];
  /** Tells the comments and issues of one repository apart. */
  key?: string | undefined;
  /** A plan that could not be commented is an error. */
  requireComment?: boolean | undefined;
}

/** Gives the exit code: 0, 1 for an error, 2 for drift. */
export async function runInCi(command: CiCommand, options: CiOptions, io: Surroundings): Promise<0 | 1 | 2> {
  const { front, args } = options;
  const place = await placeFrom(io.env);
  const about: About = { ...place, key: options.key ?? keyOf(front, args, place, io) };
  const outcome = withoutSecrets(await front.run(command, args, io), io);
  if (front.name === 'pulumi') await writeStepSummary(stepSummary(outcome, about), io);
  const problem = await tell(command, outcome, about, place, io);
  const code = problem && isSerious(command, outcome, options) ? 1 : outcome.code;
  if (problem) tellProblem(problem, code === 1 ? 'error' : 'warning', io);
  const { changes, summary } = outcome;
  await writeOutputs({ 'exit-code': String(code), changes: String(changes), summary }, io);
  return code;
}

/** An alarm that reached nobody must fail. A comment is a convenience: the plan stands in the log and the step summary as well. */
function isSerious(command: CiCommand, { code }: Outcome, { requireComment = false }: CiOptions): boolean {
  return code === 1 || (command === 'drift' ? code === 2 : requireComment);
}

/** `envs/prod/webdata.yaml`; for Pulumi the folder, and the stack where one is named. */
function keyOf(front: Front, args: readonly string[], place: Place, { cwd }: Surroundings): string {
  const subject = front.subject(args);
  if (front.name === 'webdata') return nameInCheckout(resolve(cwd, subject), place) || subject;
  return ['pulumi', nameInCheckout(cwd, place), subject].filter((part) => part !== '').join(' ');
}

/** What became of it on stderr; the problem where it did not work. */
async function tell(
  command: CiCommand,
  outcome: Outcome,
  about: About,
  place: Place,
  io: Surroundings,
): Promise<Problem | undefined> {
  const message = messageFor(command, outcome, about, place);
  const say = (text: string) => void io.stderr.write(`${text}\n`);
  if (message === undefined) return undefined;
  if (place.forge === undefined)
    return say('note: neither GitHub Actions nor GitLab CI runs this, so nobody else is told.');
  if (typeof message === 'string') return say(message);
  try {
    const forge = openForge(place, io);
    say(await message(forge).finally(() => forge.close()));
    return undefined;
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    return error.problems[0];
  }
}

type Message = (forge: Forge) => Promise<string>;

/** What there is to tell the forge; a text where there is none to tell. */
function messageFor(command: CiCommand, outcome: Outcome, about: About, place: Place): Message | string | undefined {
  if (command === 'apply') return undefined;
  if (command === 'drift') return driftMessage(outcome, about);
  const { request, forge } = place;
  if (request === undefined) return 'note: this is no run of a pull or merge request, so nothing is commented.';
  const name = forge === 'GitLab' ? `merge request !${request}` : `pull request #${request}`;
  return async (told) => {
    const url = await told.upsertComment(markerOf('plan', about.key), planComment(outcome, about));
    return `The plan is told in ${name}: ${url}`;
  };
}

function driftMessage(outcome: Outcome, about: About): Message | undefined {
  const marker = markerOf('drift', about.key);
  // Nothing is known then, and what was told before may still be so.
  if (outcome.code === 1) return undefined;
  if (outcome.code === 0) {
    return async (told) => {
      const closed = await told.closeIssue(marker, driftEnded(about, new Date()));
      return closed.length === 0
        ? 'No issue about drift is open.'
        : `The issue about drift is closed: ${closed.join(' ')}`;
    };
  }
  return async (told) => {
    const mark = driftMark(outcome.fingerprint);
    const changed = driftChanged(outcome, about);
    const { url, was } = await told.openOrUpdateIssue({ marker, mark, changed, ...driftIssue(outcome, about) });
    return `The issue about drift is ${was === 'opened' ? 'opened' : 'up to date'}: ${url}`;
  };
}

/** @throws ProblemError where there is no token */
function openForge({ forge, request }: Place, io: Surroundings): Forge {
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

/** A log hides the secrets of a job; a comment, an issue or a step summary would not. */
function withoutSecrets(outcome: Outcome, { env }: Surroundings): Outcome {
  const secrets = Object.entries(env)
    .filter(([name, value = '']) => isSecretName(name) && value.length >= shortestSecret)
    .map(([, value = '']) => value);
  const redact = redactor(secrets);
  const { summary, markdown, text } = outcome;
  return { ...outcome, summary: redact(summary), markdown: redact(markdown), text: redact(text) };
}

/** Shorter ones would be found in words that have nothing to do with them. */
const shortestSecret = 8;
