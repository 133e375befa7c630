/**
 * Moves IPs until a planner has nothing left to move: plans, sends, reads back and plans again. Apply, destroy and undo share it, so
 * that a lost answer, a low count or a late effect ends none of them early.
 */

import { assertNoProblems, type Problem, ProblemError } from '../../base/diagnostics/problem.ts';
import { counted, firstOf } from '../../base/diagnostics/valueWords.ts';
import type { Listings } from '../seam/accountView.ts';
import { assertPlannedCalls } from '../seam/approvedCalls.ts';
import type { Context } from '../seam/context.ts';
import type { MigrateCall } from './calls/migrateCall.ts';
import { type Advice, sendBatches } from './calls/sendMigrations.ts';
import type { MigrateBatch } from './solver/model.ts';

interface MoveProgress {
  /** The zone into which this run last moved each IP. */
  putIn: ReadonlyMap<string, string>;
  /** IPs that another user moved meanwhile: they are left alone. */
  lost: ReadonlySet<string>;
}

interface MovePlanner<State> {
  /** Reads the live state again. */
  observe(progress: MoveProgress): Promise<State>;
  /** Returns what is left to move, or why it must not be moved. */
  plan(state: State): { batches: readonly MigrateBatch[]; problems: readonly Problem[] };
  /** Listed when reading back. */
  zones: readonly string[];
  /** Advice after an unknown outcome. By default, to apply again. */
  advice?: Advice;
}

/**
 * Returns the last state when nothing is left to move. The first calls are the planned ones, or none. It never takes back an IP that another
 * user moved. @throws ProblemError, ServiceError
 */
export async function convergeMoves<State extends { listings: Listings }>(
  start: State,
  { observe, plan, zones, advice }: MovePlanner<State>,
  context: Context,
): Promise<State> {
  const putIn = new Map<string, string>();
  const lost = new Set<string>();
  let state = start;
  let rounds = 0;
  for (let isFirst = true; ; isFirst = false) {
    const { batches, problems } = plan(state);
    assertNoProblems(problems);
    if (isFirst) assertPlannedCalls(migrateCalls(batches), context);
    if (batches.length === 0) return state;
    if (rounds === mostRounds) throw new ProblemError([unsteady(putIn.size, [...lost])]);
    const { moved, elsewhere, isAccepted } = await sendBatches(batches, zones, context, advice);
    for (const { to, moves } of batches) for (const { ip } of moves) if (moved.has(ip)) putIn.set(ip, to);
    for (const ip of elsewhere) lost.add(ip);
    state = await observe({ putIn, lost });
    for (const [ip, zone] of putIn) if (!state.listings.get(zone)?.has(ip)) lost.add(ip);
    // Rounds are limited, because they might repeat without end. A round that ended early after a lost answer does not count: all IPs that
    // it sent have moved, so less is left.
    if (isAccepted || elsewhere.size > 0) rounds += 1;
  }
}

export function migrateCalls(batches: readonly MigrateBatch[]): MigrateCall[] {
  return batches.map((batch) => ({ type: 'migrate', ...batch }));
}

const mostRounds = 5;
const fewIps = 5;

function unsteady(moved: number, lost: readonly string[]): Problem {
  const cause =
    lost.length > 0 ? `something else moved ${firstOf(lost, fewIps)}` : 'the zones changed again after each round';
  return {
    code: 'account-unsteady',
    found: `${cause}; after ${mostRounds} rounds and ${counted(moved, 'moved IP')}, more moves are still needed`,
    fix: 'find out what else changes these zones, then run again',
  };
}
