/** `webdata ci`: runs the front, then tells the forge. That the forge can't be told does not undo what the front has said. */
import { resolve } from 'node:path';
import { type Problem, ProblemError } from '../input/problem.ts';
import { shorten } from '../input/values.ts';
import { printableText } from '../report/printable.ts';
import { formatProblems } from '../report/problems.ts';
import type { CiCommand, Front, Outcome, Surroundings } from './front.ts';
import { messageFor } from './messages.ts';
import { openForge } from './openForge.ts';
import { tellProblem, writeOutputs, writeStepSummary } from './outputs.ts';
import { nameInCheckout, type Place, placeFrom } from './place.ts';
import { withoutSecrets } from './secrets.ts';
import { type About, stepSummary } from './texts.ts';

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
  const { front } = options;
  const place = await placeFrom(io.env);
  const about: About = { ...place, key: options.key ?? keyOf(options, place, io) };
  const outcome = withoutSecrets(await outcomeOf(command, options, io), io.env);
  if (front.name === 'pulumi') await writeStepSummary(stepSummary(outcome, about), io);
  const problem = await tell(command, options, outcome, about, place, io);
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

function keyOf({ front, args }: CiOptions, place: Place, { cwd }: Surroundings): string {
  return front.subject(args, (path) => nameInCheckout(resolve(cwd, path), place) || path);
}

/** A front that could not even start has an outcome as well, or what was told before would stand as if it were still so. */
async function outcomeOf(command: CiCommand, { front, args }: CiOptions, io: Surroundings): Promise<Outcome> {
  try {
    return await front.run(command, args, io);
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    for (const problem of error.problems) tellProblem(problem, 'error', io);
    const why = shorten(printableText(error.message), longestReason);
    return {
      code: 1,
      changes: false,
      summary: `${front.name} ${command} failed: ${why}.`,
      markdown: '',
      text: formatProblems(error.problems),
      fingerprint: '',
    };
  }
}

const longestReason = 200;

/** What became of it on stderr; the problem where it did not work. */
async function tell(
  command: CiCommand,
  { requireComment = false }: CiOptions,
  outcome: Outcome,
  about: About,
  place: Place,
  io: Surroundings,
): Promise<Problem | undefined> {
  const say = (text: string) => void io.stderr.write(`${text}\n`);
  const message = messageFor(command, outcome, about, place);
  if (message === undefined) return undefined;
  const nobody = nobodyFor(command, place);
  if (nobody !== undefined) return requireComment ? commentRequired(nobody) : say(`note: ${nobody}.`);
  try {
    const forge = openForge(place, io);
    say(await message(forge).finally(() => forge.close()));
    return undefined;
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    return error.problems[0];
  }
}

/** Why there is nobody to tell, where it is so. */
function nobodyFor(command: CiCommand, { forge, request }: Place): string | undefined {
  if (forge === undefined) return 'neither GitHub Actions nor GitLab CI runs this, so nobody else is told';
  if (command !== 'plan' || request !== undefined) return undefined;
  return 'this is no run of a pull or merge request, so nothing is commented';
}

function commentRequired(found: string): Problem {
  return {
    code: 'comment-required',
    found,
    fix: 'run it for a pull or merge request, or leave --require-comment out',
  };
}
