/**
 * Sends migrations and finds out the outcome of each IP. A migration whose answer was lost is never sent again: the listings are
 * read until they show the outcome, or until the service profile's `settleSeconds` have passed.
 */

import pLimit from 'p-limit';
import { type FixText, renderFix } from '../../../base/diagnostics/fix.ts';
import { assertNoProblems, type Problem } from '../../../base/diagnostics/problem.ts';
import { counted } from '../../../base/diagnostics/valueWords.ts';
import { advised, isKeyRefusal, isUnanswered, ServiceError } from '../../../client/errors.ts';
import { accountView, countriesOf, type Listings } from '../../seam/accountView.ts';
import type { CallRecord, Context } from '../../seam/context.ts';
import { pollUntilConsistent } from '../pollUntilConsistent.ts';
import type { MigrateBatch } from '../solver/model.ts';
import { placesOf } from '../solver/situation.ts';
import { migrateCall } from './migrateCall.ts';
import { isCountReached } from './migrateResult.ts';
import { runInOrder, type TaskQueue } from './runInOrder.ts';

interface MigrateOutcome {
  /** IPs that arrived, and IPs that the service reported as moved, even if another user has moved them on. */
  moved: ReadonlySet<string>;
  /** IPs in a third zone: another user has moved them. */
  elsewhere: ReadonlySet<string>;
  /** True if every batch was sent and accepted in full. Otherwise one had no answer, or too low a count. */
  isAccepted: boolean;
}

const readBackStatuses = ['moved', 'notMoved', 'elsewhere', 'notVisible'] as const;
type ReadBackStatus = (typeof readBackStatuses)[number];

/** The answer to one migration. */
interface Sent {
  batch: MigrateBatch;
  record: CallRecord;
  /** True if the answer counts all of the IPs, or has no count. A lower count accepts the call too, but more moves may be needed. */
  accepted: boolean;
  /** Also for a 2xx that could not be read. */
  error?: ServiceError | undefined;
  count?: number | undefined;
  /** True if the record says already that all IPs arrived. */
  hasArrived?: boolean;
}

/**
 * Sends the batches. Batches that share a zone are sent in their order, so that every floor holds after each; the others are sent in parallel.
 * A call whose outcome is not known stops those that share its zones; one that was not accepted in full stops all. `zones` are listed when reading back.
 * @throws ServiceError when a call was refused; ProblemError when IPs did not move. Both are thrown after the sent calls have been read back.
 */
export async function sendBatches(
  batches: readonly MigrateBatch[],
  zones: readonly string[],
  context: Context,
  advice: Advice = adviceToRun(({ apply }) => apply),
): Promise<MigrateOutcome> {
  const sent: Sent[] = [];
  // All calls share one wait budget, so only one call waits for listings at a time.
  const lookUp = pLimit(1);
  await runInOrder(batches, {
    parallelism: context.parallelism,
    keysOf: ({ from, to }) => [from, to],
    async run(batch, queue) {
      context.signal?.throwIfAborted();
      const sentBatch = await send(batch, context, queue);
      if (sentBatch === undefined) return;
      sent.push(sentBatch);
      if (!sentBatch.accepted || sentBatch.count !== undefined || !queue.isAnyWaiting()) return;
      sentBatch.hasArrived = await lookUp(() => confirmArrival(sentBatch, zones, context));
      if (!sentBatch.hasArrived) queue.block([batch.from, batch.to]);
    },
  });
  const failed = sent.filter(({ error }) => error !== undefined);
  const statuses = await readBack(sent, zones, context).catch((error: unknown) => {
    throw mainError(failed) ?? error;
  });
  const of = (status: ReadBackStatus) =>
    new Set([...statuses].filter(([, found]) => found === status).map(([ip]) => ip));
  const error = mainError(failed.filter((each) => mustStop(each, statuses)));
  if (error !== undefined)
    throw haveAllStayed(failed, statuses) ? advised(error, nothingMoved) : withAdvice(error, advice);
  const problems = sent.flatMap((each) => whatWentWrong(each, statuses, advice));
  assertNoProblems(problems);
  const accepted = sent.flatMap(({ accepted: all, count, batch }) =>
    all && count !== undefined ? batch.moves.map(({ ip }) => ip) : [],
  );
  return {
    moved: new Set([...of('moved'), ...accepted]),
    elsewhere: of('elsewhere'),
    isAccepted: sent.length === batches.length && sent.every((each) => each.accepted),
  };
}

/** Returns the error of the first call that failed; a refused key comes first, because it ends the run. */
function mainError(failed: readonly Sent[]): ServiceError | undefined {
  const errors = failed.map(({ error }) => error);
  return errors.find((error) => isKeyRefusal(error)) ?? errors[0];
}

const nothingMoved = 'No IP of this call moved. Run the command again later.';

function withAdvice(error: ServiceError, { afterUnknown }: Advice): ServiceError {
  return error.effect === 'none' || isKeyRefusal(error) ? error : advised(error, afterUnknown);
}

/** Advice for when it is not known whether the IPs moved. */
export interface Advice {
  /** After a lost answer, in sentences. */
  afterUnknown: FixText;
  /** After an answer that no listing shows. */
  afterUnseen: FixText;
}

/** Returns the advice of a command that looks up what became of its calls before it sends another one. */
export function adviceToRun(command: Extract<FixText, (words: never) => string>): Advice {
  return {
    afterUnknown: (words) =>
      `It is unknown whether the call took effect: run ${command(words)} again, it looks first and sends nothing twice.`,
    afterUnseen: ({ plan }) => `run ${plan} in a while`,
  };
}

/** Returns true if the service failed, rather than refused, and the listings prove that nothing of the failed calls happened. */
function haveAllStayed(failed: readonly Sent[], statuses: ReadonlyMap<string, ReadBackStatus>): boolean {
  return failed.every(
    ({ batch, error }) => error?.effect === 'unknown' && batch.moves.every(({ ip }) => statuses.get(ip) === 'notMoved'),
  );
}

class Withdrawn extends Error {}

/** Stops the queue unless the call is accepted in full; those calls only that share its zones, if its outcome is not known. Returns undefined if the queue was stopped before the call, or its retry, was sent. */
async function send(batch: MigrateBatch, context: Context, queue: TaskQueue): Promise<Sent | undefined> {
  const { from, to, moves } = batch;
  const ips = moves.map(({ ip }) => ip);
  // From its call on, this run knows better where an IP is than earlier runs do.
  context.view(accountView).recentMoves.forget(ips);
  const record = await context.recorder.sending(migrateCall(batch));
  const beforeAttempt = () => {
    if (queue.isStopped()) throw new Withdrawn();
  };
  try {
    const { count } = await context
      .client()
      .zones.migrate({ from, to, ips }, { signal: context.signal, beforeAttempt });
    const accepted = count === undefined || count === moves.length;
    if (!accepted) queue.stop();
    await record.answered(count === undefined ? {} : { count });
    return { batch, record, accepted, count };
  } catch (error) {
    if (error instanceof Withdrawn) return void (await record.withdraw());
    if (!(error instanceof ServiceError) || error.effect === 'none' || error.code === 'aborted') queue.stop();
    else queue.block([from, to]);
    if (!(error instanceof ServiceError)) throw error;
    if (error.isAcceptance) await record.answered({});
    else await record.failed({ code: error.code, message: error.message, effect: error.effect });
    return { batch, record, accepted: false, error };
  } finally {
    context.view(accountView).changed([from, to]);
  }
}

/**
 * Returns true, and records it, if the IPs of a batch whose answer has no count arrived: the next batch may rely on it to keep zones above
 * their floors.
 */
async function confirmArrival({ batch, record }: Sent, zones: readonly string[], context: Context): Promise<boolean> {
  const isThere = (listings: Listings) => areAllMoved(batch, seenOf(batch, listings));
  const listings = await pollUntilConsistent(zones, context, isThere);
  if (!isThere(listings)) return false;
  await record.seen(seenOf(batch, listings));
  return true;
}

function areAllMoved({ moves }: MigrateBatch, { moved }: SeenIps): boolean {
  return moved.length === moves.length;
}

/** Lists the zones until every IP arrived, as far as its call may have had an effect. */
async function readBack(
  sent: readonly Sent[],
  zones: readonly string[],
  context: Context,
): Promise<Map<string, ReadBackStatus>> {
  const isConfirmed = (listings: Listings) => sent.every((each) => isPlain(each, seenOf(each.batch, listings)));
  const listings = await pollUntilConsistent(zones, context, isConfirmed);
  const statuses = new Map<string, ReadBackStatus>();
  const records = sent.map((each) => {
    const { batch, record } = each;
    const shown = seenOf(batch, listings);
    const seen = mayStillMove(each, shown) ? inDoubt(shown) : shown;
    for (const status of readBackStatuses) for (const ip of seen[status]) statuses.set(ip, status);
    return each.hasArrived && areAllMoved(batch, seen) ? undefined : record.seen(seen);
  });
  await Promise.all(records);
  return statuses;
}

/** Returns true if IPs that are still listed in their old zone may have moved, or may still move: the listing may lag. */
function mayStillMove({ error, count }: Sent, seen: SeenIps): boolean {
  return error === undefined ? !isCountReached(count, seen) : isUnanswered(error);
}

function inDoubt({ notMoved, notVisible, ...seen }: SeenIps): SeenIps {
  return { ...seen, notMoved: [], notVisible: [...notMoved, ...notVisible] };
}

type SeenIps = Record<ReadBackStatus, string[]>;

/** Returns the outcome of each IP of a migration, as far as these listings show it. An IP in several zones is not visible in any. */
export function seenOf({ from, to, moves }: MigrateBatch, listings: Listings): SeenIps {
  const zones = placesOf(countriesOf(listings));
  const seen: SeenIps = { moved: [], notMoved: [], elsewhere: [], notVisible: [] };
  for (const { ip } of moves) {
    const zone = zones.repeated.has(ip) ? undefined : zones.get(ip);
    if (zone === undefined) seen.notVisible.push(ip);
    else if (zone === to) seen.moved.push(ip);
    else if (zone === from) seen.notMoved.push(ip);
    else seen.elsewhere.push(ip);
  }
  return seen;
}

/**
 * Returns true if waiting longer cannot show more. If the old zone still lists an IP, the listing may lag, unless the call was refused or
 * as many IPs arrived as the service counted.
 */
function isPlain({ error, count }: Sent, seen: SeenIps): boolean {
  if (seen.notVisible.length > 0) return false;
  if (seen.notMoved.length === 0) return true;
  return error ? error.effect === 'none' : isCountReached(count, seen);
}

/**
 * Returns true if the run must end: after a refusal, unless IPs that were gone already explain it; and after any call whose IPs did not all
 * move.
 */
function mustStop({ batch, error }: Sent, statuses: ReadonlyMap<string, ReadBackStatus>): boolean {
  if (isKeyRefusal(error)) return true;
  const all = batch.moves.map(({ ip }) => statuses.get(ip));
  if (error?.effect === 'none') return !all.includes('elsewhere');
  return all.some((status) => status === 'notMoved' || status === 'notVisible');
}

function whatWentWrong(
  { batch: { from, to, moves }, count, error }: Sent,
  statuses: ReadonlyMap<string, ReadBackStatus>,
  { afterUnseen }: Advice,
): Problem[] {
  if (error) return [];
  const ips = (status: ReadBackStatus) => moves.map(({ ip }) => ip).filter((ip) => statuses.get(ip) === status);
  const said = count === undefined ? 'does not say how many it moved' : `says that it moved ${count}`;
  const call = `moving ${counted(moves.length, 'IP')} from ${from} to ${to}: the service ${said}`;
  const [stayed, unseen] = [ips('notMoved'), ips('notVisible')];
  const didNotMove: Problem = {
    code: 'did-not-move',
    found: `${call}; ${stayed.join(', ')} stayed in ${from}`,
    allowed: 'all of them moved',
    fix: 'run again; if the IPs stay again, ask the service why',
  };
  const notYetVisible: Problem = {
    code: 'not-yet-visible',
    found: `${call}; not visible in ${to} yet: ${unseen.join(', ')}`,
    ...renderFix(
      afterUnseen,
      'before anything else is moved; if listings lag for long, raise settleSeconds in the service profile',
    ),
  };
  return [...(stayed.length > 0 ? [didNotMove] : []), ...(unseen.length > 0 ? [notYetVisible] : [])];
}
