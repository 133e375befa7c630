/** `webdata complete -- WORDS`: prints the candidates at the cursor, for the scripts of `webdata completion`. */
import type { Command } from 'commander';
import { complete } from '../completion/candidates.ts';
import { lookupIn } from '../completion/lookup.ts';
import { completionTable } from '../completion/table.ts';
import { exitCodes, type Shell } from '../output/io.ts';

/** Prints a candidate per line with its summary, or `:files` with the offset in the word at which the file name begins. */
export function addComplete(command: Command, { io, loadProgram, end }: Shell): void {
  command.argument('[words...]').action(async (words: string[]) => {
    const { commandLine, collectionKinds } = await completionTable(loadProgram);
    const completion = await complete(words, commandLine, lookupIn(io, collectionKinds));
    if ('filesFrom' in completion) io.stdout.write(`:files\t${completion.filesFrom}\n`);
    else io.stdout.write(completion.candidates.map(({ value, summary }) => `${value}\t${summary}\n`).join(''));
    end(exitCodes.done);
  });
}
