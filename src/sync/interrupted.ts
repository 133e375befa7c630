/**
 * After an interrupted run: its last call may have reached the service, may still be under way, or may never have been sent.
 * Before anything is planned, the listings are watched for as long as such a call could still show.
 */
import { setTimeout } from 'node:timers/promises';
import type { Seen } from '../resources/context.ts';
import { findOut } from '../resources/migrate.ts';
import { type JournaledCall, type Run, recordSeen } from './journal.ts';
import { openCalls } from './outcome.ts';
import type { Session } from './session.ts';

/** Waits until what became of open calls can be told, and records it if `journal` names the file to record it in. */
export async function settleInterrupted(
  runs: readonly Run[],
  session: Session,
  settleMs: number,
  journal?: string,
): Promise<void> {
  for (const run of runs) {
    for (const journaled of openCalls(run)) {
      const seen = await watch(journaled, session, settleMs);
      if (seen && journal !== undefined) await recordSeen(journal, run, journaled, seen);
    }
  }
}

async function watch({ call, sentAt }: JournaledCall, session: Session, settleMs: number): Promise<Seen | undefined> {
  if (call.type !== 'migrate') return undefined;
  const deadline = Date.parse(sentAt) + settleMs;
  for (;;) {
    const seen = await findOut(call, session);
    if (!('moved' in seen) || seen.moved.length === call.moves.length || Date.now() >= deadline) return seen;
    await setTimeout(Math.min(pauseMs, deadline - Date.now()));
  }
}

const pauseMs = 250;
