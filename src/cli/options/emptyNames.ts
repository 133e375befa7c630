/** Refuses empty names of files and addresses, as a variable that is not set leaves them: an empty path would be the current folder. */
import type { Argument, Command, Option } from 'commander';
import { assertNoProblems, type Problem } from '../../base/diagnostics/problem.ts';

interface NamedValue {
  found: string;
  allowed: string;
}

const fileName: NamedValue = { found: 'the name of the file is empty', allowed: 'the name of a file' };
const folderName: NamedValue = { found: 'the name of the folder is empty', allowed: 'the name of a folder' };

/** The meaning of a value, by its word in the help: `--output <file>`. */
const named: Readonly<Record<string, NamedValue>> = {
  file: fileName,
  plan: fileName,
  journal: fileName,
  folder: folderName,
  dir: folderName,
  pattern: { found: 'the pattern is empty', allowed: "a pattern that matches files: 'accounts/*.yaml'" },
  address: { found: 'the address is empty', allowed: 'an address' },
  url: { found: 'the URL is empty', allowed: 'a URL' },
  command: { found: 'the command is empty', allowed: 'a shell command' },
};

/** @throws ProblemError for every empty value of the command that is about to run */
export function assertNoEmptyNames(command: Command): void {
  const options = command.options.flatMap((option) => {
    const isEmpty = hasEmpty(command.getOptionValue(option.attributeName()));
    return isEmpty ? emptyValue(option.long ?? option.flags, wordOf(option)) : [];
  });
  const args = command.registeredArguments.flatMap((argument: Argument, index) =>
    hasEmpty(command.processedArgs[index]) ? emptyValue(`the argument ${argument.name()}`, argument.name()) : [],
  );
  assertNoProblems([...options, ...args]);
}

function hasEmpty(value: unknown): boolean {
  return value === '' || (Array.isArray(value) && value.includes(''));
}

/** Returns the word that stands for the value: `file` of `-f, --file <file>`. */
function wordOf({ flags }: Option): string {
  return /[<[](\w+)/.exec(flags)?.[1] ?? '';
}

function emptyValue(where: string, word: string): Problem[] {
  const what = named[word];
  if (what === undefined) return [];
  const fix = 'set the variable that it is taken from, or leave it out';
  return [{ code: 'empty-name', found: `${where}: ${what.found}`, allowed: what.allowed, fix }];
}
