/** Calls that somebody makes by hand, for no declared resource: in the journal like those of an apply, where it has a place. */
import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import type { Context, Recorder } from '../../kinds/context.ts';
import type { Declared } from '../../sync/config/config.ts';
import { beginRun, type HandCommand, type JournaledCall } from '../../sync/run/journal.ts';
import { type ConnectionFlags, withJournal } from '../options/options.ts';
import type { Io } from '../output/io.ts';
import type { Workbench } from './commandContext.ts';
import { isDeclarationThere, journalFile } from './declaration.ts';

export interface HandFlags extends ConnectionFlags {
  /** False where none is to be kept. */
  journal?: string | false;
}

export function withHandJournal(command: Command): Command {
  return withJournal(command).option('--no-journal', 'keeps no record, so that it can be neither undone nor looked up');
}

/**
 * A folder without a declaration, where no run was recorded before, is somebody's folder for something else: no journal is begun
 * there unasked.
 */
export function handJournal({ journal, ...flags }: HandFlags, io: Io): string | undefined {
  if (journal === false) return undefined;
  const file = journalFile({ ...flags, journal }, io);
  return journal !== undefined || isDeclarationThere(flags, io) || existsSync(file) ? file : undefined;
}

/** What somebody should know who is asked for consent. */
export function unjournaledNote({ journal }: HandFlags, place: string | undefined): string {
  const isUnasked = place === undefined && journal !== false;
  return isUnasked ? 'It goes into no journal, as there is no declaration here: --journal FILE keeps one.\n' : '';
}

export interface HandRun extends Pick<Declared, 'definition'> {
  command: HandCommand;
  journal: string | undefined;
}

/** What was sent, and what it ended with if that was an error. */
export interface HandMade {
  calls: readonly JournaledCall[];
  error?: unknown;
}

/** Makes calls, each recorded before and after. Throws nothing that `act` throws: what was done until then is to be told first. */
export async function madeByHand(
  { command, definition, journal }: HandRun,
  { session, meta }: Pick<Workbench, 'session' | 'meta'>,
  act: (context: Context) => Promise<unknown>,
): Promise<HandMade> {
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
