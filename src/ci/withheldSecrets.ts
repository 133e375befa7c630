/** Jobs for changes from outside get no secrets. Says so, in place of the advice to set a variable that is set. */
import type { Problem } from '../base/diagnostics/problem.ts';
import { formatProblem } from '../report/text/problems.ts';
import type { CiEnvironment } from './environment.ts';
import { writeProblem } from './outputs.ts';
import type { JobIo, Outcome } from './runner.ts';

type Run = (io: JobIo) => Promise<Outcome>;

/** Holds the output back until it is known whether a secret is missing. */
export async function explainWithheld(run: Run, { withheldSecrets }: CiEnvironment, io: JobIo): Promise<Outcome> {
  if (withheldSecrets === undefined) return run(io);
  const held: (() => unknown)[] = [];
  const hold = (stream: JobIo['stdout']) => ({ write: (text: string) => held.push(() => stream.write(text)) });
  const outcome = await run({ ...io, stdout: hold(io.stdout), stderr: hold(io.stderr) });
  if (outcome.code !== 1 || !missingSecret.test(outcome.text)) {
    for (const write of held) write();
    return outcome;
  }
  const problem: Problem = { code: 'secrets-withheld', found: withheldSecrets, fix };
  writeProblem(problem, 'error', io);
  return { ...outcome, summary: `Failed: ${withheldSecrets}.`, markdown: '', json: '', text: formatProblem(problem) };
}

/** As `webdata` and `pulumi` say that a variable or a key is missing. */
const missingSecret =
  /environment variable \S+ is (?:empty|not set)|the API key is (?:empty|missing)|the URL of the service is not known|PULUMI_\w+ must be set/;

const fix =
  'nothing is wrong with the change: plan it from a branch of this repository after a review, and skip this job for changes from outside';
