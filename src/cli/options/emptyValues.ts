/** Refuses empty values, as a variable that is not set leaves them: an empty path would be the current folder. */
import type { Command } from 'commander';
import { assertNoProblems, type Problem } from '../../base/diagnostics/problem.ts';

/** @throws ProblemError for every empty value of the command that is about to run */
export function assertNoEmptyValues(command: Command): void {
  const options = command.options.filter((option) => hasEmpty(command.getOptionValue(option.attributeName())));
  const args = command.registeredArguments.filter((_, index) => hasEmpty(command.processedArgs[index]));
  assertNoProblems([
    ...options.map(({ long, flags }) => emptyValue(long ?? flags, flags)),
    ...args.map((argument) => emptyValue(`the argument ${argument.name()}`, argument.description)),
  ]);
}

function hasEmpty(value: unknown): boolean {
  return value === '' || (Array.isArray(value) && value.includes(''));
}

function emptyValue(what: string, allowed: string): Problem {
  const fix = 'set the variable that it is taken from, or leave it out';
  return { code: 'empty-name', found: `${what}: the value is empty`, allowed, fix };
}
