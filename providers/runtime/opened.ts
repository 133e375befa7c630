/** The stack of this process. All kinds share it: they share the account, and whose turn it is. */
import type { dynamic } from '@pulumi/pulumi';
import { type Problem, ProblemError } from '../../src/diagnostics/problem.ts';
import { Failure, failure, problemsFrom } from './failure.ts';
import { createPlanner, type Planner } from './planner.ts';
import { openStack, type Stack } from './stack.ts';

export interface Opened {
  stack: Stack;
  planner: Planner;
}

/** What is wrong with the configuration is reported by every handler. */
let opened: Opened | readonly Problem[] | undefined;

/** The engine uses a provider before an asynchronous `configure` has ended: this one has done all when it returns, and never fails. */
export function configure({ config }: dynamic.ConfigureRequest): Promise<void> {
  opened ??= open((key) => config.get(key));
  return Promise.resolve();
}

function open(lookup: (key: string) => string | undefined): Opened | readonly Problem[] {
  try {
    const stack = openStack(lookup);
    return { stack, planner: createPlanner(stack) };
  } catch (error) {
    return problemsFrom(error);
  }
}

/** @throws ProblemError for a configuration that can't be used */
export function theStack(): Opened {
  if (opened === undefined) throw new TypeError('a handler was called before configure');
  if (isProblems(opened)) throw new ProblemError(opened);
  return opened;
}

export function redact(text: string): string {
  return opened === undefined || isProblems(opened) ? text : opened.stack.redact(text);
}

/** Whatever goes wrong is told in the words of the tool, without a stack trace. @throws Failure */
export async function told<T>(action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    throw error instanceof Failure ? error : failure(problemsFrom(error), redact);
  }
}

function isProblems(value: Opened | readonly Problem[]): value is readonly Problem[] {
  return Array.isArray(value);
}
