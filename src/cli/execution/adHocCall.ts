/** Commands for calls that belong to no declared resource: they are journaled like those of an apply. */
import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { givenBackend } from '../../engine/doors/backend.ts';
import { isDeclarationThere } from '../../engine/doors/connection.ts';
import { journalFile } from '../../engine/doors/declaration.ts';
import { type ContextFlags, withJournal } from '../options/options.ts';
import type { Io } from '../output/io.ts';

export interface AdHocFlags extends Omit<ContextFlags, 'journal'> {
  /** False for `--no-journal`. */
  journal?: string | false;
}

export function withAdHocJournal(command: Command): Command {
  return withJournal(command).option(
    '--no-journal',
    'keep no record in the journal; paid calls are still recorded beside the lock of this machine',
  );
}

/** Reports whether calls are journaled. In a folder with neither a declaration nor a journal, only an option creates a journal. */
export function isJournaled({ journal, ...flags }: AdHocFlags, io: Io): boolean {
  if (journal === false) return false;
  if (journal !== undefined || givenBackend(flags, io) !== undefined || isDeclarationThere(flags, io)) return true;
  return existsSync(journalFile(flags, io));
}

/** Returns a note for the confirmation if the call will not be journaled though the user did not ask for that. */
export function unjournaledNote(flags: AdHocFlags, io: Io): string {
  return flags.journal !== false && !isJournaled(flags, io)
    ? 'It is not journaled, as this folder has no declaration: pass --journal FILE to keep a record.\n'
    : '';
}
