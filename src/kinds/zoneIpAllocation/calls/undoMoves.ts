/** Moves IPs back: plans what is left, sends it, and reads back until every IP is where it was. */

import type { Problem } from '../../../base/diagnostics/problem.ts';
import type { Listings } from '../../seam/accountView.ts';
import type { Call, SentCall } from '../../seam/call.ts';
import type { Remaining, UndoCall, Undoing } from '../../seam/callType.ts';
import { sortedIps } from '../../seam/ipOrder.ts';
import { convergeMoves } from '../converge.ts';
import { pollUntilConsistent } from '../pollUntilConsistent.ts';
import type { MigrateCall } from './migrateCall.ts';
import { adviceToRun } from './sendMigrations.ts';

export const undoMoves: UndoCall<MigrateCall> = {
  remaining: async (call, { context, recent }) =>
    remainingMoves(call, await listedFor([call], context, recentZones(recent))),
  // Calls with a common IP are sent one by one: once the next call moves the IP on, the effect of the first cannot be read back.
  joins: (step, call) => !step.some((other) => sharesIp(call, other)),
  send: async (step, { context, recent, later, readGuards }) => {
    const zones = [...new Set(step.flatMap(({ from, to }) => [from, to]))];
    const observe = async (putIn: KnownZones, lost: ReadonlySet<string>) => ({
      listings: await listedFor(step, context, new Map([...recentZones(recent), ...putIn])),
      guards: await readGuards(),
      lost,
    });
    const plan = ({ listings, guards, lost }: Awaited<ReturnType<typeof observe>>) => {
      const remaining = step.map((call) => remainingMoves(call, listings, lost));
      const batches = remaining.flatMap(({ call }) => (call === undefined ? [] : [call]));
      const problems = remaining.flatMap((each) => each.problems);
      if (problems.length > 0 || batches.length === 0) return { batches, problems };
      return { batches, problems: guards([...batches, ...later]) };
    };
    const start = await observe(new Map(), new Set());
    await convergeMoves(
      start,
      { observe: ({ putIn, lost }) => observe(putIn, lost), plan, zones, advice: adviceToRun(() => '`webdata undo`') },
      context,
    );
  },
};

function sharesIp({ moves }: MigrateCall, other: MigrateCall): boolean {
  const ips = new Set(other.moves.map(({ ip }) => ip));
  return moves.some(({ ip }) => ips.has(ip));
}

/** The zone in which each IP was last seen to arrive: a listing that shows it elsewhere may lag. */
type KnownZones = ReadonlyMap<string, string>;

function recentZones(recent: Undoing['recent']): KnownZones {
  const moved = recent.filter(isMigration).flatMap(({ call, seen }) => {
    const arrived = seen && 'moved' in seen ? seen.moved : call.moves.map(({ ip }) => ip);
    return arrived.map((ip) => [ip, call.to] as const);
  });
  return new Map(moved);
}

function isMigration(sent: SentCall<Call>): sent is SentCall<MigrateCall> {
  return sent.call.type === 'migrate';
}

/** Lists the zones again while an IP is in none of them, in both, or in another one than where it is known to be. @throws ServiceError */
async function listedFor(
  calls: readonly MigrateCall[],
  context: Undoing['context'],
  known: KnownZones,
): Promise<Listings> {
  const zones = [...new Set(calls.flatMap(({ from, to }) => [from, to]))];
  const moves = calls.flatMap((call) => call.moves);
  return pollUntilConsistent(zones, context, (listings) =>
    moves.every(({ ip, from, to }) => {
      const [here, there] = [listings.get(from)?.has(ip), listings.get(to)?.has(ip)];
      const zone = known.get(ip);
      return here !== there && (zone === from ? here : zone !== to || there);
    }),
  );
}

/** Leaves out IPs that are back already. `lost` are IPs that were brought back and then moved on by something else. */
function remainingMoves(call: MigrateCall, listings: Listings, lost?: ReadonlySet<string>): Remaining<MigrateCall> {
  const [there, here] = [listings.get(call.to), listings.get(call.from)];
  const moves = call.moves.filter(({ ip }) => !there?.has(ip));
  const gone = moves.map(({ ip }) => ip).filter((ip) => !here?.has(ip) || lost?.has(ip));
  const twice = call.moves.map(({ ip }) => ip).filter((ip) => there?.has(ip) && here?.has(ip));
  const problems = [
    ...(gone.length > 0 ? [movedSince(call, gone)] : []),
    ...(twice.length > 0 ? [seenTwice(call, twice)] : []),
  ];
  return moves.length > 0 ? { call: { ...call, moves }, problems } : { problems };
}

function movedSince({ from }: MigrateCall, gone: readonly string[]): Problem {
  return {
    code: 'changed-since',
    found: `${sortedIps(gone).join(', ')} ${gone.length === 1 ? 'is' : 'are'} no longer in ${from}: moved since by something else or by a later run`,
    allowed: 'undoing changes that are still as the run left them',
    fix: 'undo the later runs first, or declare where the IPs belong and apply',
  };
}

function seenTwice({ from, to }: MigrateCall, twice: readonly string[]): Problem {
  return {
    code: 'ip-seen-twice',
    found: `${sortedIps(twice).join(', ')} ${twice.length === 1 ? 'is' : 'are'} listed in ${from} and in ${to}`,
    allowed: 'an IP in one zone',
    fix: 'run it again in a while; if listings lag for long, raise settleSeconds in the service profile',
  };
}
