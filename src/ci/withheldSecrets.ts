/** Jobs for changes from outside get no secrets. Says so, beside the error about the variable that is missing. */
import type { Problem } from '../base/diagnostics/problem.ts';
import { formatProblem } from '../report/text/problems.ts';
import type { CiEnvironment } from './environment.ts';
import { writeProblem } from './outputs.ts';
import type { JobIo, Outcome } from './runner.ts';

export function explainWithheld(outcome: Outcome, { withheldSecrets }: CiEnvironment, io: JobIo): Outcome {
  if (withheldSecrets === undefined || outcome.code !== 1 || !missingSecret.test(outcome.text)) return outcome;
  const problem: Problem = { code: 'secrets-withheld', found: withheldSecrets, fix };
  writeProblem(problem, 'error', io);
  return { ...outcome, summary: `Failed: ${withheldSecrets}.`, markdown: '', json: '', text: formatProblem(problem) };
}

/** As `webdata` and `pulumi` say that a variable or a key is missing. */
const missingSecret =
  /environment variable \S+ is (?:empty|not set)|the API key is (?:empty|missing)|the URL of the service is not known|PULUMI_\w+ must be set/;

const fix =
  'nothing is wrong with the change: plan it from a branch of this repository after a review, and skip this job for changes from outside';
