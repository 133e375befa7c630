/** Calls of a command that belong to no declared resource. If a journal is kept, they are journaled like the calls of an apply. */
import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import type { Context, Recorder } from '../../kinds/context.ts';
import type { Declared } from '../../sync/config/config.ts';
import { type AdHocCommand, beginRun, type JournaledCall } from '../../sync/run/journal.ts';
import { type ConnectionFlags, withJournal } from '../options/options.ts';
import type { Io } from '../output/io.ts';
import type { CommandContext } from './commandContext.ts';
import { isDeclarationThere, journalFile } from './declaration.ts';

export interface AdHocFlags extends ConnectionFlags {
  /** False for `--no-journal`. */
  journal?: string | false;
}

export function withAdHocJournal(command: Command): Command {
  return withJournal(command).option(
    '--no-journal',
    'keep no record; the call can then be neither undone nor looked up',
  );
}

/** Returns the journal's file, or undefined. In a folder with neither a declaration nor a journal, only `--journal` creates a journal. */
export function adHocJournal({ journal, ...flags }: AdHocFlags, io: Io): string | undefined {
  if (journal === false) return undefined;
  const file = journalFile({ ...flags, journal }, io);
  return journal !== undefined || isDeclarationThere(flags, io) || existsSync(file) ? file : undefined;
}

/** Returns a note for the confirmation if the call will not be journaled though the user did not ask for that. */
export function unjournaledNote({ journal }: AdHocFlags, file: string | undefined): string {
  const isUnasked = file === undefined && journal !== false;
  return isUnasked
    ? 'It is not journaled, as this folder has no declaration: pass --journal FILE to keep a record.\n'
    : '';
}

export interface AdHocRun extends Pick<Declared, 'definition'> {
  command: AdHocCommand;
  journal: string | undefined;
}

export interface AdHocResult {
  /** The calls that were sent. */
  calls: readonly JournaledCall[];
  error?: unknown;
}

/** Makes calls and journals each before and after. Returns an error of `act` instead of throwing it, with the calls made until then. */
export async function runAdHoc(
  { command, definition, journal }: AdHocRun,
  { session, meta }: Pick<CommandContext, 'session' | 'meta'>,
  act: (context: Context) => Promise<unknown>,
): Promise<AdHocResult> {
  const writer = await beginRun(journal, { command, ...meta });
  const { calls } = writer.run;
  const resource = { kind: definition.name, collection: definition.collection, name: 'by-hand' };
  const recorder: Recorder = { sending: (call) => writer.sending(resource, call) };
  try {
    await act(session.contextFor({ definition, name: resource.name }, { recorder }));
    await writer.end('done');
    return { calls };
  } catch (error) {
    await writer.end('failed');
    return { calls, error };
  }
}
