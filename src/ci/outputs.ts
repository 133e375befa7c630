/** What later steps of a job get: outputs, a step summary, annotations. Elsewhere a warning is a line on stderr. */
import { randomUUID } from 'node:crypto';
import { appendFile } from 'node:fs/promises';
import type { Problem } from '../input/problem.ts';
import { annotationLine } from '../report/githubAnnotations.ts';
import { formatProblem } from '../report/problems.ts';
import type { Surroundings } from './front.ts';

export async function writeOutputs(values: Readonly<Record<string, string>>, { env }: Surroundings): Promise<void> {
  if (env.GITHUB_ACTIONS !== 'true' || !env.GITHUB_OUTPUT) return;
  await appendFile(env.GITHUB_OUTPUT, outputLines(values, `end-${randomUUID()}`));
}

export async function writeStepSummary(markdown: string, { env }: Surroundings): Promise<void> {
  if (env.GITHUB_ACTIONS !== 'true' || !env.GITHUB_STEP_SUMMARY) return;
  await appendFile(env.GITHUB_STEP_SUMMARY, `${markdown}\n`);
}

/** In the syntax for values of any lines; nobody who writes a value can know what ends it. */
export function outputLines(values: Readonly<Record<string, string>>, end: string): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}<<${end}\n${value}\n${end}\n`)
    .join('');
}

export function tellProblem(problem: Problem, level: 'warning' | 'error', { env, stderr }: Surroundings): void {
  const text = formatProblem(problem);
  const line =
    env.GITHUB_ACTIONS === 'true' ? annotationLine({ level, title: 'webdata ci', text }) : `${level}: ${text}`;
  stderr.write(`${line}\n`);
}
