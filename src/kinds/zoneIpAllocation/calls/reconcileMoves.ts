/**
 * Finds out what became of migrations of earlier runs: each may have reached the service, may still be under way, may not be listed yet, or
 * may never have been sent. Reads listings, and sends nothing again.
 */

import { setTimeout } from 'node:timers/promises';
import { ServiceError } from '../../../client/errors.ts';
import { accountView, type Listings } from '../../seam/accountView.ts';
import type { SeenItems, SentCall } from '../../seam/call.ts';
import type { OpenCall, ReconcileCalls } from '../../seam/callType.ts';
import type { Views } from '../../seam/views.ts';
import type { MigrateCall } from './migrateCall.ts';
import { migrateResult } from './migrateResult.ts';
import { seenOf } from './sendMigrations.ts';

type Sent = SentCall<MigrateCall>;

export const reconcileMoves: ReconcileCalls<MigrateCall> = {
  isOpen(sent) {
    const { seen } = sent;
    const isConfirmed = seen && (seen.final || !('moved' in seen && seen.notVisible.length > 0));
    return !isConfirmed && ['unknown', 'accepted'].includes(migrateResult(sent).outcome);
  },
  // Called for all calls in their order, so the last call that moved an IP counts. Only moves that a read-back showed are certain.
  recall(sent, views, until) {
    const { recentMoves } = views.view(accountView);
    const { outcome, effect } = migrateResult(sent);
    if (outcome === 'refused') return;
    const moved = new Set(sent.seen && effect?.moves.map(({ ip }) => ip));
    recentMoves.forget(sent.call.moves.map(({ ip }) => ip).filter((ip) => !moved.has(ip)));
    recentMoves.add(sent.call, moved, until);
  },
  async lookUp(open, views, lagMs) {
    const found = await watch(open, views);
    const until = performance.now() + lagMs;
    for (const [{ call }, { moved }] of found) views.view(accountView).recentMoves.add(call, moved, until);
    return found;
  },
};

const firstPauseMs = 100;
const longestPauseMs = 1_000;

/** Lists each zone once per round for all open calls. */
async function watch(open: readonly OpenCall<MigrateCall>[], views: Views): Promise<Map<Sent, SeenItems>> {
  const found = new Map<Sent, SeenItems>();
  let waiting = open;
  for (let pause = firstPauseMs; waiting.length > 0; pause = Math.min(pause * 2, longestPauseMs)) {
    const listings = await listZones(new Set(waiting.flatMap(({ sent: { call } }) => [call.from, call.to])), views);
    for (const { sent } of waiting) {
      const { from, to } = sent.call;
      if (!listings.has(from) || !listings.has(to)) continue;
      const own = new Map([...listings].filter(([zone]) => zone === from || zone === to));
      found.set(sent, seenOf(sent.call, own));
    }
    const now = performance.now();
    waiting = waiting.filter(({ sent, deadline }) => deadline > now && !hasMoved(sent, found.get(sent)));
    const latest = Math.max(...waiting.map(({ deadline }) => deadline));
    if (waiting.length > 0) await setTimeout(Math.min(pause, latest - now));
  }
  return found;
}

function hasMoved({ call }: Sent, seen: SeenItems | undefined): boolean {
  return seen?.moved.length === call.moves.length;
}

/** Zones that cannot be listed leave their calls open. The resources that need them report why. */
async function listZones(zones: ReadonlySet<string>, views: Views): Promise<Listings> {
  const account = views.view(accountView);
  account.changed();
  const listed = await Promise.all(
    Array.from(zones, async (zone) => {
      const listing = await account.list([zone]).catch(unlessAborted);
      return listing ? [...listing] : [];
    }),
  );
  return new Map(listed.flat());
}

function unlessAborted(error: unknown): undefined {
  if (!(error instanceof ServiceError) || error.code === 'aborted') throw error;
}
