/** A service that moves IPs as a test says, and records what the journal would. */

import { failing, type ServiceErrorCode } from '../../../src/client/errors.ts';
import type { CallRecord, Context } from '../../../src/kinds/seam/context.ts';
import type { MigrateBatch } from '../../../src/kinds/zoneIpAllocation/solver/model.ts';
import { listingsOf, viewing, type Zones } from './listings.ts';

const fail = failing({ method: 'POST', url: 'http://service.example/zone/ips/migrate', read: false }, {});

/** One answer of the service. By default, it moves all IPs. */
export interface Answer {
  /** The IPs that it really moves. */
  moves?: readonly string[];
  /** The IPs that its listings show one reading later. */
  late?: readonly string[];
  /** The IPs that something else moves to `parked` at the same time. */
  taken?: readonly string[];
  count?: number | undefined;
  error?: [code: ServiceErrorCode, status?: number];
}

export function serviceThatAnswers(start: Zones, answers: readonly Answer[], parallelism = 1) {
  const zones: Record<string, readonly string[]> = { ...start };
  const put = (ips: readonly string[], to: string) => {
    for (const [zone, its] of Object.entries(zones)) zones[zone] = its.filter((ip) => !ips.includes(ip));
    zones[to] = [...(zones[to] ?? []), ...ips];
  };
  const events: string[] = [];
  let lateMoves = () => {};
  let calls = 0;
  let pauses = 0;
  const recorded = (ips: readonly string[]): CallRecord => ({
    answered: async ({ count }) => void events.push(`${ips} answered ${count}`),
    failed: async ({ code, effect }) => void events.push(`${ips} failed ${code} ${effect}`),
    withdraw: async () => void events.push(`${ips} withdrawn`),
    seen: async (seen) => {
      if (!('moved' in seen)) throw new TypeError('a migration moves IPs');
      const { moved, notMoved, elsewhere, notVisible } = seen;
      events.push(`${ips} seen ${[moved, notMoved, elsewhere, notVisible].map((its) => its.length)}`);
    },
  });
  const context = {
    ...viewing({
      waitBudgetMs: 1_000,
      list: async () => listingsOf(zones),
      forget: () => lateMoves(),
      changed: () => {},
      recentMoves: { forget: () => {} },
    }),
    sleep: async () => {
      pauses += 1;
    },
    parallelism,
    recorder: { sending: async (call: MigrateBatch) => recorded(call.moves.map(({ ip }) => ip)) },
    client: () => ({
      zones: {
        async migrate({ to, ips }: { to: string; ips: string[] }, { beforeAttempt }: { beforeAttempt(): void }) {
          beforeAttempt();
          const { moves = ips, late = [], taken = [], count, error } = answers[calls++] ?? {};
          put(moves, to);
          put(taken, 'parked');
          lateMoves = () => put(late, to);
          await Promise.resolve();
          if (error !== undefined) throw fail(error[0], 'failed', { status: error[1] ?? 0 });
          return { count };
        },
      },
    }),
  } as unknown as Context;
  return { context, zones, put, seen: () => ({ events, calls, pauses }) };
}
