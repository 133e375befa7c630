/**
 * After a run that could not tell what became of its calls: one may have reached the service, may still be under way, may not be
 * visible yet, or may never have been sent. Before anything is planned, the listings are watched for as long as it could still show.
 */
import { setTimeout } from 'node:timers/promises';
import type { Seen } from '../resources/context.ts';
import { findOut } from '../resources/migrate.ts';
import { ServiceError } from '../service/errors.ts';
import { type JournaledCall, type Run, recordSeen } from './journal.ts';
import { openCalls } from './outcome.ts';
import type { Session } from './session.ts';

/**
 * Waits until what became of open calls can be told, and records it if `journal` names the file to record it in. Whoever records
 * will go on to send: then the full `settleMs` pass first, as a call without an answer may have come into effect late.
 */
export async function settleInterrupted(
  runs: readonly Run[],
  session: Session,
  settleMs: number,
  journal?: string,
): Promise<void> {
  const open = runs.flatMap((run) => openCalls(run).map((journaled) => ({ run, journaled })));
  const watched = open.map(async ({ run, journaled }) => {
    // Sent later than now: by a clock that was set back since, which is not to be waited for.
    const from = journal === undefined ? Math.min(Date.parse(journaled.sentAt), Date.now()) : Date.now();
    return { run, journaled, seen: await watch(journaled, session, from + settleMs) };
  });
  for (const { run, journaled, seen } of await Promise.all(watched)) {
    if (seen && journal !== undefined) await recordSeen(journal, run, journaled, seen);
  }
}

async function watch({ call }: JournaledCall, session: Session, deadline: number): Promise<Seen | undefined> {
  if (call.type !== 'migrate') return undefined;
  for (;;) {
    const seen = await findOut(call, session).catch(unlisted);
    const isTold = seen && 'moved' in seen && seen.moved.length === call.moves.length;
    if (isTold || Date.now() >= deadline) return seen;
    await setTimeout(Math.min(pauseMs, deadline - Date.now()));
  }
}

/** Zones that can't be listed leave the call as open as it was; the resources that need them will say why. */
function unlisted(error: unknown): undefined {
  if (!(error instanceof ServiceError) || error.code === 'aborted') throw error;
}

const pauseMs = 250;
