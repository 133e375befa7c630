/** Calls of a command that belong to no declared resource. If a journal is kept, they are journaled like the calls of an apply. */
import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { givenBackend } from '../../engine/doors/backend.ts';
import { isDeclarationThere } from '../../engine/doors/connection.ts';
import { journalFile } from '../../engine/doors/declaration.ts';
import type { AdHocCommand, JournaledCall } from '../../engine/doors/history.ts';
import type { Declared } from '../../engine/doors/plan.ts';
import { ActiveRun } from '../../engine/doors/run.ts';
import type { PlanningContext } from '../../engine/doors/session.ts';
import type { Context } from '../../kinds/seam/context.ts';
import { type ContextFlags, withJournal } from '../options/options.ts';
import type { Io } from '../output/io.ts';

/** The name that the journal has for calls of no declared resource. */
export const byHandName = 'by-hand';

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

interface AdHocRun extends Pick<Declared, 'definition'> {
  command: AdHocCommand;
  isJournaled: boolean;
}

interface AdHocResult {
  /** The calls that were sent. */
  calls: readonly JournaledCall[];
  error?: unknown;
}

/**
 * Makes calls, and journals each before it is sent and after its answer. Returns an error of `act` instead of throwing it, with the calls
 * made until then.
 */
export async function runAdHoc(
  { command, definition, isJournaled }: AdHocRun,
  { session, meta, log, inFlight, during }: PlanningContext,
  act: (context: Context) => Promise<unknown>,
): Promise<AdHocResult> {
  const run = new ActiveRun({ begin: () => log.begin({ command, ...meta }, { isJournaled }), inFlight });
  const resource = { kind: definition.name, collection: definition.collection, name: byHandName };
  const { sent, error } = await during('making the calls', () =>
    run.write({
      resource,
      contextWith: (recorder) => session.contextFor({ definition, name: resource.name }, { recorder }),
      send: act,
    }),
  );
  await run.end(error === undefined ? 'done' : 'failed');
  return { calls: sent, error };
}
