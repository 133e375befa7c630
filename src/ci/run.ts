/** `webdata ci`: runs the command, then reports to the code host. A failed comment does not change the command's result. */
import { resolve } from 'node:path';
import { type Problem, ProblemError } from '../base/diagnostics/problem.ts';
import { shorten } from '../base/diagnostics/valueWords.ts';
import { writeWholeFile } from '../base/files/wholeFile.ts';
import { printableLine, printableText } from '../base/values/printable.ts';
import { startedBy } from '../engine/doors/run.ts';
import { formatProblem, formatProblems } from '../report/text/problems.ts';
import { closeIssues, openCodeHost, openOrUpdateIssue, upsertComment } from './codeHost.ts';
import { type CiEnvironment, nameInCheckout, readCiEnvironment } from './environment.ts';
import { withoutSecrets, writeOutputs, writeProblem, writeStepSummary } from './outputs.ts';
import { policyMarkdown, withPolicy } from './policy.ts';
import type { CodeHostApi } from './post.ts';
import { type JobContext, propose } from './proposal.ts';
import type { CiCommand, JobIo, Outcome, Runner } from './runner.ts';
import {
  type About,
  driftChanged,
  driftEnded,
  driftIssue,
  driftMarkOf,
  markerOf,
  messageBody,
  planComment,
} from './texts.ts';

export interface CiOptions {
  runner: Runner;
  /** Distinguishes the comments and issues of one repository. */
  key?: string | undefined;
  /** The number of the pull or merge request, if the event does not name it. */
  request?: number | undefined;
  /** If true, a plan that could not be posted as a comment is an error. */
  requireComment?: boolean | undefined;
  /** For `plan` only: prints the comment, or writes it to this file, and sends nothing to a code host. */
  print?: string | true | undefined;
  /** For `plan` only: a shell command that reads the JSON plan and may deny it. */
  policy?: string | undefined;
  /** For `drift` only: proposes the edit that accepts the drift. */
  propose?: boolean | undefined;
}

/** Returns the exit code: 0, 1 for an error, 2 for drift. */
export async function runInCi(command: CiCommand, options: CiOptions, io: JobIo): Promise<0 | 1 | 2> {
  const { runner, print } = options;
  const environment = await readCiEnvironment(io.env, options.request);
  if (print !== undefined) return printComment(print, options, environment, io);
  const about: About = { ...environment, key: options.key ?? commentKey(options, environment, io) };
  const ran = explainWithheld(await runnerOutcome(command, options, io), environment, io);
  const outcome = withoutSecrets(await withPolicy(ran, options.policy, io), io.env);
  // `webdata` writes a step summary itself.
  if (runner.name === 'pulumi') await writeStepSummary(messageBody([], outcome, about), io);
  else if (policyMarkdown(outcome) !== '') await writeStepSummary(policyMarkdown(outcome), io);
  const problem = await report(command, options, outcome, { about, environment, io });
  const code = problem && isSerious(command, outcome, options) ? 1 : outcome.code;
  if (problem) writeProblem(problem, code === 1 ? 'error' : 'warning', io);
  const { changes, summary } = outcome;
  await writeOutputs({ 'exit-code': String(code), changes: String(changes), summary }, io);
  return code;
}

/** The plan itself is not printed: the comment has it. */
async function printComment(
  print: string | true,
  options: CiOptions,
  environment: CiEnvironment,
  io: JobIo,
): Promise<0 | 1 | 2> {
  const { commit = (await startedBy(io)).commit } = environment;
  const about: About = { ...environment, commit, key: options.key ?? commentKey(options, environment, io) };
  const ran = await runnerOutcome('plan', options, { ...io, stdout: { write: () => undefined } });
  const outcome = withoutSecrets(await withPolicy(ran, options.policy, io), io.env);
  const comment = planComment(outcome, about);
  if (print === true) io.stdout.write(comment);
  else await writeWholeFile(resolve(io.cwd, print), comment);
  return outcome.code;
}

/** A drift alarm that reached no one is an error. A plan comment is a convenience: the log and the step summary have the plan too. */
function isSerious(command: CiCommand, { code }: Outcome, { requireComment = false }: CiOptions): boolean {
  return code === 1 || (command === 'drift' ? code === 2 : requireComment);
}

function commentKey({ runner }: CiOptions, environment: CiEnvironment, { cwd }: JobIo): string {
  return runner.subject((path) => nameInCheckout(resolve(cwd, path), environment) || path);
}

/** A runner that cannot even start has an outcome too, so that an older comment does not stay as if it were current. */
async function runnerOutcome(command: CiCommand, { runner, propose, policy }: CiOptions, io: JobIo): Promise<Outcome> {
  try {
    if (policy !== undefined && runner.name !== 'webdata') throw new ProblemError([onlyPlans]);
    if (propose && runner.name !== 'webdata') throw new ProblemError([onlyDeclarations]);
    return await runner.run(command, io, { edit: propose });
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    for (const problem of error.problems) writeProblem(problem, 'error', io);
    const reason = shorten(printableText(error.message), longestReason);
    return {
      code: 1,
      changes: false,
      summary: `${runner.name} ${command} failed: ${reason}.`,
      markdown: '',
      text: formatProblems(error.problems),
      fingerprint: '',
    };
  }
}

const onlyDeclarations: Problem = {
  code: 'proposal-not-possible',
  found: '--propose edits YAML declarations, and cannot edit a program',
  allowed: '--propose with --front webdata',
  fix: 'remove --propose',
};

const onlyPlans: Problem = {
  code: 'policy-not-possible',
  found: '--policy reads the JSON plan of a declaration, which a Pulumi program does not have',
  allowed: '--policy with --front webdata',
  fix: 'remove --policy, and pass `-- --policy-pack FOLDER` for a policy pack of Pulumi',
};

const longestReason = 200;

/** Writes the comment or issue and logs its URL on stderr. Returns the problem if that failed. */
async function report(
  command: CiCommand,
  { requireComment = false, propose: isProposing = false }: CiOptions,
  outcome: Outcome,
  context: JobContext,
): Promise<Problem | undefined> {
  const { about, environment, io } = context;
  const log = (text: string) => void io.stderr.write(printableLine(text));
  const messages = { plan: planMessage, apply: () => undefined, drift: driftMessage };
  const message = messages[command](outcome, about, environment);
  if (message === undefined && !isProposing) return undefined;
  const obstacle = noTargetFor(command, environment);
  if (obstacle !== undefined) return requireComment ? commentRequired(obstacle) : log(`note: ${obstacle}.`);
  try {
    const host = openCodeHost(environment, io);
    await using _ = { [Symbol.asyncDispose]: () => host.close() };
    if (message !== undefined) log(await message(host));
    const proposed = isProposing ? await propose(host.proposals, outcome, context) : undefined;
    if (proposed !== undefined) log(proposed);
    return undefined;
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    const [problem] = error.problems;
    const { withheldSecrets } = environment;
    if (problem?.code !== 'no-forge-token' || withheldSecrets === undefined) return problem;
    return requireComment
      ? commentRequired(withheldSecrets)
      : log(`note: ${withheldSecrets}, so no comment is written.`);
  }
}

/** The reason why there is no comment or issue to write, if there is one. */
function noTargetFor(command: CiCommand, { host, request }: CiEnvironment): string | undefined {
  if (host === undefined) return 'not running in GitHub Actions or GitLab CI, so no comment or issue is written';
  if (command !== 'plan' || request !== undefined) return undefined;
  return 'not running for a pull or merge request, and --request names none, so no comment is written';
}

function commentRequired(found: string): Problem {
  return {
    code: 'comment-required',
    found,
    fix: 'run it for a pull or merge request, name one with --request, or remove --require-comment',
  };
}

/** Writes to the code host and returns the line for the log. */
type Message = (host: CodeHostApi) => Promise<string>;

function planMessage(outcome: Outcome, about: About, { request, host }: CiEnvironment): Message {
  const name = host === 'GitLab' ? `merge request !${request}` : `pull request #${request}`;
  return async (target) => {
    const url = await upsertComment(target, markerOf('plan', about.key), planComment(outcome, about));
    return `The plan is a comment on ${name}: ${url}`;
  };
}

function driftMessage(outcome: Outcome, about: About): Message | undefined {
  const marker = markerOf('drift', about.key);
  // After an error the live state is unknown, so an open issue may still be right. Drift of other accounts is reported anyway.
  if (outcome.code === 1 && !outcome.hasDrift) return undefined;
  if (outcome.code === 0) {
    return async (target) => {
      const closed = await closeIssues(target, marker, driftEnded(about));
      return closed.length === 0 ? 'No drift issue is open.' : `Closed the drift issue: ${closed.join(' ')}`;
    };
  }
  return async (target) => {
    const driftMark = driftMarkOf(outcome.fingerprint);
    const changed = driftChanged(outcome, about);
    const issue = { marker, driftMark, changed, ...driftIssue(outcome, about) };
    const { url, was } = await openOrUpdateIssue(target, issue);
    return `${was === 'opened' ? 'Opened' : 'Updated'} the drift issue: ${url}`;
  };
}

/** Jobs for changes from outside get no secrets. Says so, beside the error about the variable that is missing. */
function explainWithheld(outcome: Outcome, { withheldSecrets }: CiEnvironment, io: JobIo): Outcome {
  if (withheldSecrets === undefined || outcome.code !== 1 || !missingSecret.test(outcome.text)) return outcome;
  const problem: Problem = { code: 'secrets-withheld', found: withheldSecrets, fix: withheldFix };
  writeProblem(problem, 'error', io);
  return { ...outcome, summary: `Failed: ${withheldSecrets}.`, markdown: '', json: '', text: formatProblem(problem) };
}

/** As `webdata` and `pulumi` say that a variable or a key is missing. */
const missingSecret =
  /environment variable \S+ is (?:empty|not set)|the API key is (?:empty|missing)|the URL of the service is not known|PULUMI_\w+ must be set/;

const withheldFix =
  'nothing is wrong with the change: plan it from a branch of this repository after a review, and skip this job for changes from outside';
