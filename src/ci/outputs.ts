/** Outputs, step summary and annotations for later steps of a GitHub job, without secrets. Elsewhere a warning is a line on stderr. */
import { randomUUID } from 'node:crypto';
import { appendFile } from 'node:fs/promises';
import type { Problem } from '../base/diagnostics/problem.ts';
import { environmentSecrets } from '../client/environmentSecrets.ts';
import { redactor } from '../client/redact.ts';
import { annotationLine } from '../report/github.ts';
import { formatProblem } from '../report/text/problems.ts';
import type { JobIo, Outcome } from './runner.ts';

export async function writeOutputs(values: Readonly<Record<string, string>>, { env }: JobIo): Promise<void> {
  if (env.GITHUB_ACTIONS !== 'true' || !env.GITHUB_OUTPUT) return;
  await appendFile(env.GITHUB_OUTPUT, outputLines(values, `end-${randomUUID()}`));
}

export async function writeStepSummary(markdown: string, { env }: JobIo): Promise<void> {
  if (env.GITHUB_ACTIONS !== 'true' || !env.GITHUB_STEP_SUMMARY) return;
  await appendFile(env.GITHUB_STEP_SUMMARY, `${markdown}\n`);
}

/** Uses the syntax for multi-line values. The random end marker keeps a value from ending itself early. */
export function outputLines(values: Readonly<Record<string, string>>, end: string): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}<<${end}\n${value}\n${end}\n`)
    .join('');
}

export function writeProblem(problem: Problem, level: 'warning' | 'error', { env, stderr }: JobIo): void {
  const text = formatProblem(problem);
  const line =
    env.GITHUB_ACTIONS === 'true' ? annotationLine({ level, title: 'webdata ci', text }) : `${level}: ${text}`;
  stderr.write(`${line}\n`);
}

/** Removes secrets of the environment from texts that leave the job. CI masks them in its log, but not in comments, issues and outputs. */
export function withoutSecrets(outcome: Outcome, env: JobIo['env']): Outcome {
  const redact = redactor(environmentSecrets(env));
  const { summary, markdown, text, edit, denied, warnings } = outcome;
  const redacted = { summary: redact(summary), markdown: redact(markdown), text: redact(text) };
  return {
    ...outcome,
    ...redacted,
    denied: denied?.map(redact),
    warnings: warnings?.map(redact),
    ...(edit && { edit: { ...edit, problems: redact(edit.problems) } }),
  };
}
