/** A policy: a command that reads the JSON plan of `webdata ci plan` and may deny it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { printableText } from '../base/values/printable.ts';
import { variablesWithoutSecrets } from '../client/environmentSecrets.ts';
import { escaped } from '../report/markdown/markup.ts';
import { writeProblem } from './outputs.ts';
import type { JobIo, Outcome } from './runner.ts';

/** Checks a plan that succeeded. A denied plan is an error, with its reasons before the report. */
export async function withPolicy(outcome: Outcome, command: string | undefined, io: JobIo): Promise<Outcome> {
  if (command === undefined || outcome.code === 1) return outcome;
  const denied = await reasonsToDeny(command, outcome.json ?? '', io);
  if (denied.length === 0) return outcome;
  for (const found of denied) writeProblem({ code: 'policy-denied', found, fix }, 'error', io);
  return { ...outcome, code: 1, denied };
}

const fix = 'change the declaration so that the policy allows the plan, or ask the owner of the policy';

/** Returns the reasons as Markdown; empty if there are none. */
export function denialMarkdown({ denied = [] }: Pick<Outcome, 'denied'>): string {
  if (denied.length === 0) return '';
  const reasons = denied.slice(0, mostReasons).map((each) => `- ${escaped(printableText(each))}\n`);
  const left = denied.length - reasons.length;
  const more = left > 0 ? `- and ${left} more; the log of the job has them\n` : '';
  return `### ❌ Denied by policy\n\n${reasons.join('')}${more}\n`;
}

const mostReasons = 20;

/** Runs the command in a shell with the plan on its standard input, without secrets. Exit code 0 allows the plan. */
async function reasonsToDeny(command: string, plan: string, { cwd, env, signal }: JobIo): Promise<string[]> {
  const child = spawn(command, { shell: true, cwd, env: variablesWithoutSecrets(env), signal });
  const ended = once(child, 'close');
  // A command that does not read its input is a policy too.
  child.stdin.on('error', () => {}).end(plan);
  const [output, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  if (code === 0) return [];
  const reasons = reasonsIn(output);
  if (reasons.length > 0) return reasons;
  return [`the policy command failed with exit code ${code}: ${linesOf(errors)[0] ?? 'it printed no reason'}`];
}

/** Reads the messages of Conftest (`--output json`), or else one reason per line. */
function reasonsIn(output: string): string[] {
  try {
    const results: { failures?: { msg: string }[] }[] = JSON.parse(output);
    return results.flatMap(({ failures = [] }) => failures.map(({ msg }) => msg));
  } catch {
    return linesOf(output);
  }
}

function linesOf(output: string): string[] {
  return output.split('\n').filter((line) => line.trim() !== '');
}
