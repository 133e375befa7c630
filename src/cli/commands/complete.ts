/** `webdata complete -- WORDS`: what may stand at the cursor, for the scripts of `webdata completion`. */
import type { Command } from 'commander';
import { type Completion, complete } from '../completion/candidates.ts';
import { lookupIn } from '../completion/lookup.ts';
import { completionTable } from '../completion/table.ts';
import { exitCodes, type Shell } from '../output/io.ts';

export function addComplete(command: Command, { io, loadProgram, end }: Shell): void {
  command.argument('[words...]').action(async (words: string[]) => {
    const { commandLine, collectionKinds } = await completionTable(loadProgram);
    const completion = await complete(words, commandLine, lookupIn(io.cwd, collectionKinds));
    io.stdout.write(linesOf(completion));
    end(exitCodes.done);
  });
}

/** A candidate a line, a tab, and what it is; or `:files`, a tab, and where in the word the name of the file begins. */
function linesOf(completion: Completion): string {
  if ('filesFrom' in completion) return `:files\t${completion.filesFrom}\n`;
  return completion.candidates.map(({ value, summary }) => `${value}\t${summary}\n`).join('');
}
