/**
 * Sends migrations and finds out the outcome of each IP. A migration whose answer was lost is never sent again: the listings are
 * read until they show the outcome, or until the service profile's `settleSeconds` have passed.
 */

import { renderFix } from '../../../diagnostics/fix.ts';
import { type Problem, ProblemError } from '../../../diagnostics/problem.ts';
import { counted } from '../../../diagnostics/valueWords.ts';
import { isKeyRefusal, isUnanswered, ServiceError } from '../../../service/errors.ts';
import type { CallRecord, Context } from '../../context.ts';
import type { Listings } from '../accountView.ts';
import { pollUntilConsistent } from '../pollUntilConsistent.ts';
import type { MigrateBatch } from '../solver/model.ts';
import { migrateCall } from './migrateCall.ts';

export interface MigrateOutcome {
  /** IPs that arrived, and IPs that the service reported as moved: another user may have moved them on. */
  moved: ReadonlySet<string>;
  /** IPs in a third zone: another user has moved them. */
  elsewhere: ReadonlySet<string>;
  /** True if every batch was sent and accepted in full. Otherwise the last one sent had no answer, or too low a count. */
  isAccepted: boolean;
}

const readBackStatuses = ['moved', 'notMoved', 'elsewhere', 'notVisible'] as const;
type ReadBackStatus = (typeof readBackStatuses)[number];

/** The answer to one migration. */
interface Sent {
  batch: MigrateBatch;
  record: CallRecord;
  /** True if the answer counts all of the IPs, or has no count. */
  accepted: boolean;
  error?: ServiceError | undefined;
  count?: number | undefined;
}

/**
 * Sends the batches in their order and stops at the first that was not accepted in full. `zones` are listed when reading back.
 * @throws ServiceError when a call was refused; ProblemError when IPs did not move. Both are thrown after the sent calls have been read back.
 */
export async function sendBatches(
  batches: readonly MigrateBatch[],
  zones: readonly string[],
  context: Context,
): Promise<MigrateOutcome> {
  const sent: Sent[] = [];
  for (const batch of batches) {
    context.signal?.throwIfAborted();
    const last = await send(batch, context);
    sent.push(last);
    if (!last.accepted) break;
    const isCounted = last.count !== undefined || batch === batches.at(-1);
    if (!isCounted && !(await hasMoved(batch, zones, context))) break;
  }
  const last = sent.at(-1);
  const statuses = await readBack(sent, zones, context).catch((error: unknown) => {
    throw last?.error ?? error;
  });
  const of = (status: ReadBackStatus) => new Set([...statuses].filter(([, its]) => its === status).map(([ip]) => ip));
  if (last?.error && mustStop(last, statuses)) throw last.error;
  const problems = sent.flatMap((each) => whatWentWrong(each, statuses));
  if (problems.length > 0) throw new ProblemError(problems);
  const accepted = sent.flatMap(({ accepted: all, count, batch }) =>
    all && count !== undefined ? batch.moves.map(({ ip }) => ip) : [],
  );
  return {
    moved: new Set([...of('moved'), ...accepted]),
    elsewhere: of('elsewhere'),
    isAccepted: sent.length === batches.length && (last?.accepted ?? true),
  };
}

async function send(batch: MigrateBatch, context: Context): Promise<Sent> {
  const { from, to, moves } = batch;
  const ips = moves.map(({ ip }) => ip);
  // From its call on, this run knows better where an IP is than earlier runs do.
  context.account.recentMoves.forget(ips);
  const record = await context.recorder.sending(migrateCall(batch));
  try {
    const { count } = await context.client().zones.migrate({ from, to, ips }, { signal: context.signal });
    await record.answered(count === undefined ? {} : { count });
    return { batch, record, accepted: count === undefined || count === moves.length, count };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    await record.failed({ code: error.code, message: error.message, effect: error.effect });
    return { batch, record, accepted: false, error };
  } finally {
    context.account.changed([from, to]);
  }
}

/** Returns true if the IPs of a batch whose answer has no count arrived: the next batch may rely on it to keep zones above their floors. */
async function hasMoved(batch: MigrateBatch, zones: readonly string[], context: Context): Promise<boolean> {
  const isThere = (listings: Listings) =>
    batch.moves.every(({ ip }) => readBackStatusOf(ip, batch, listings) === 'moved');
  return isThere(await pollUntilConsistent(zones, context, isThere));
}

/** Lists the zones until every IP arrived, as far as its call may have had an effect. */
async function readBack(
  sent: readonly Sent[],
  zones: readonly string[],
  context: Context,
): Promise<Map<string, ReadBackStatus>> {
  const isSettled = (listings: Listings) =>
    sent.every((each) =>
      isPlain(
        each,
        each.batch.moves.map(({ ip }) => readBackStatusOf(ip, each.batch, listings)),
      ),
    );
  const listings = await pollUntilConsistent(zones, context, isSettled);
  const statuses = new Map<string, ReadBackStatus>();
  for (const each of sent) {
    const { batch, record } = each;
    const seen = mayStillMove(each) ? inDoubt(seenOf(batch, listings)) : seenOf(batch, listings);
    for (const status of readBackStatuses) for (const ip of seen[status]) statuses.set(ip, status);
    await record.seen(seen);
  }
  return statuses;
}

/** Returns true if IPs that are still listed in their old zone may have moved, or may still move: the listing may lag. */
function mayStillMove({ accepted, error }: Sent): boolean {
  return accepted || (error !== undefined && isUnanswered(error));
}

function inDoubt({ notMoved, notVisible, ...seen }: ReturnType<typeof seenOf>) {
  return { ...seen, notMoved: [], notVisible: [...notMoved, ...notVisible] };
}

/** Returns the outcome of each IP of a migration, as far as these listings show it. */
export function seenOf(batch: MigrateBatch, listings: Listings) {
  const ips = (status: ReadBackStatus) =>
    batch.moves.map(({ ip }) => ip).filter((ip) => readBackStatusOf(ip, batch, listings) === status);
  return { moved: ips('moved'), notMoved: ips('notMoved'), elsewhere: ips('elsewhere'), notVisible: ips('notVisible') };
}

function readBackStatusOf(ip: string, { from, to }: MigrateBatch, listings: Listings): ReadBackStatus {
  const places = [...listings].filter(([, listing]) => listing.has(ip)).map(([zone]) => zone);
  const [place] = places;
  if (places.length !== 1) return 'notVisible';
  if (place === to) return 'moved';
  return place === from ? 'notMoved' : 'elsewhere';
}

/**
 * Returns true if waiting longer cannot show more. An IP that still lists at its old place may be a listing that lags, unless the call was
 * refused or as many IPs arrived as the service counted. IPs that another user moved explain no count: the service may have left them out.
 */
function isPlain({ error, count }: Sent, statuses: readonly ReadBackStatus[]): boolean {
  if (statuses.includes('notVisible')) return false;
  if (!statuses.includes('notMoved')) return true;
  if (error) return error.effect === 'none';
  return count !== undefined && count <= statuses.filter((status) => status === 'moved').length;
}

/** A refusal ends the run, except where IPs that were gone already explain it; a lost answer does not if all IPs moved. */
function mustStop({ batch, error }: Sent, statuses: ReadonlyMap<string, ReadBackStatus>): boolean {
  if (isKeyRefusal(error)) return true;
  const all = batch.moves.map(({ ip }) => statuses.get(ip));
  if (error?.effect === 'none') return !all.includes('elsewhere');
  return all.some((status) => status === 'notMoved' || status === 'notVisible');
}

function whatWentWrong({ batch, count, error }: Sent, statuses: ReadonlyMap<string, ReadBackStatus>): Problem[] {
  const ips = (status: ReadBackStatus) => batch.moves.map(({ ip }) => ip).filter((ip) => statuses.get(ip) === status);
  const said = count === undefined ? 'does not say how many it moved' : `says that it moved ${count}`;
  const call = `moving ${counted(batch.moves.length, 'IP')} from ${batch.from} to ${batch.to}: the service ${said}`;
  const [stayed, unseen] = [ips('notMoved'), ips('notVisible')];
  if (error) return [];
  return [
    ...(stayed.length > 0 ? [didNotMove(call, batch, stayed)] : []),
    ...(unseen.length > 0 ? [notYetVisible(call, batch, unseen)] : []),
  ];
}

function didNotMove(call: string, { from }: MigrateBatch, stayed: string[]): Problem {
  return {
    code: 'did-not-move',
    found: `${call}; ${stayed.join(', ')} stayed in ${from}`,
    allowed: 'all of them moved',
    fix: 'run again; if they stay again, ask the service why',
  };
}

function notYetVisible(call: string, { to }: MigrateBatch, unseen: string[]): Problem {
  return {
    code: 'not-yet-visible',
    found: `${call}; not visible in ${to} yet: ${unseen.join(', ')}`,
    ...renderFix(
      ({ plan }) =>
        `run ${plan} in a while, before anything else is moved; if listings lag for long, raise settleSeconds in the service profile`,
    ),
  };
}
