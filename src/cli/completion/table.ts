/**
 * The grammar of all commands, for completion. Loading every command takes too long for a Tab, so the build (`scripts/bundle/cli.ts`)
 * replaces this module with its result.
 */
import type { Command } from 'commander';
import { kinds } from '../../kinds/knownKinds.ts';
import { type CommandLine, commandLineOf } from './commandLine.ts';

interface CompletionTable {
  commandLine: CommandLine;
  /** Maps collections to kinds. */
  collectionKinds: Readonly<Record<string, string>>;
}

export async function completionTable(loadProgram: () => Promise<Command>): Promise<CompletionTable> {
  return {
    commandLine: commandLineOf(await loadProgram()),
    collectionKinds: Object.fromEntries(kinds.map(({ collection, name }) => [collection, name])),
  };
}
