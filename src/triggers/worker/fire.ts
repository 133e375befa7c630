/** Prepares the request of one run, sends it once, and returns the outcome. */
import { assertNoProblems, type Problem, ProblemError } from '../../base/diagnostics/problem.ts';
import { shorten } from '../../base/diagnostics/valueWords.ts';
import { ServiceError, type ServiceErrorCode } from '../../client/errors.ts';
import { maySendAgain } from '../../client/transport/retries.ts';
import type { DeliverySpec } from '../declared/deliverySpec.ts';
import { endpointProblems } from '../declared/endpoint.ts';
import { deliveryMisfits, type ScheduleSpec } from '../declared/scheduleSpec.ts';
import type { Claim } from '../ledger/claiming.ts';
import { leaseMs } from '../ledger/leases.ts';
import type { TriggerOutcome } from '../ledger/outcomes.ts';
import { causeFirst } from './causeFirst.ts';
import { deliveryOfRun } from './deliveryOfRun.ts';
import { isTemporaryFailure, withSecrets } from './secretSources.ts';
import { type Trigger, triggerOf } from './trigger.ts';
import type { WorkerOptions } from './workerOptions.ts';

export interface FiringDependencies extends Pick<WorkerOptions, 'client' | 'sealer' | 'secrets' | 'endpointHosts'> {
  /** Ends waiting for answers. The outcome of a request that was already sent is then unknown. */
  givingUp?: AbortSignal | undefined;
}

/** Shorter than the lease, so that a server keeps the lease while it waits for an answer. */
const answerMs = 45_000;

/**
 * A server whose secret command took longer than this after the claim, or that was suspended, does not send: its lease could end before the
 * answer.
 */
const startMs = leaseMs - answerMs;

/** Longer answers are not job ids. */
const longestId = 200;

interface Prepared {
  trigger: Trigger;
  delivery: DeliverySpec | undefined;
}

/** Returns the milliseconds since its creation. */
export type Stopwatch = () => number;

/**
 * Measures elapsed time, including time that the machine was asleep. `performance.now()` stands still during sleep and people may set
 * `Date.now()` back, so the larger difference counts: an estimate that is too long only delays a run.
 */
export function stopwatch(): Stopwatch {
  const [monotonicStart, wallStart] = [performance.now(), Date.now()];
  return () => Math.max(performance.now() - monotonicStart, Date.now() - wallStart);
}

/** `sinceClaim` was started before the claim was made. */
export async function fire(
  claim: Claim,
  sinceClaim: Stopwatch,
  dependencies: FiringDependencies,
): Promise<TriggerOutcome> {
  let prepared: Prepared;
  try {
    prepared = await prepare(claim, dependencies);
  } catch (error) {
    const text = messageOf(error);
    if (isTemporaryFailure(error)) return { status: 'not-prepared', text };
    return { status: 'refused', text: `nothing was sent: ${text}` };
  }
  // A defect in what follows must not say that nothing was sent.
  return send(prepared, claim, sinceClaim, dependencies);
}

async function prepare(
  { run, spec: sealed, delivery: stored }: Claim,
  { sealer, secrets, endpointHosts: hosts, client }: FiringDependencies,
): Promise<Prepared> {
  const spec = sealer.open(sealed) as ScheduleSpec;
  if (stored === undefined && spec.delivery !== undefined)
    throw new Error(`delivery ${String(spec.delivery)} is not registered`);
  const delivery = stored && deliveryOfRun(await withSecrets(sealer.open(stored) as DeliverySpec, secrets), run);
  const problems: Problem[] = delivery
    ? [...deliveryMisfits(spec, delivery), ...endpointProblems(delivery, { allowPrivate: true, hosts })]
    : [];
  assertNoProblems(problems);
  // `{tick}` in a run name helps a person to find the run in the control panel.
  const runName = spec.runName?.replaceAll('{tick}', new Date(run.tickAt).toISOString());
  return { trigger: triggerOf({ ...spec, runName }, delivery, client.profile), delivery };
}

async function send(
  { trigger, delivery }: Prepared,
  claim: Claim,
  since: Stopwatch,
  { client, givingUp }: FiringDependencies,
): Promise<TriggerOutcome> {
  if (since() > startMs)
    return {
      status: 'not-sent',
      text: 'the preparation took too long, or this server was suspended: nothing was sent',
    };
  // The timer of an `AbortSignal.timeout` would stay long after the answer, a thousand of them after a busy minute.
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), answerMs);
  const signal = AbortSignal.any([late.signal, ...(givingUp ? [givingUp] : [])]);
  try {
    const id =
      trigger.target === 'collector'
        ? (await client.collectors.trigger(trigger.trigger, { signal })).collectionId
        : (await client.datasets.trigger(trigger.trigger, { signal })).snapshotId;
    if (id.length > 0 && id.length <= longestId && !/[\p{Cc}\s]/u.test(id))
      return { status: 'accepted', collectionId: id };
    const shown = JSON.stringify(shorten(id));
    return {
      status: 'lost',
      text: `${unknownOutcome}. The answer has no usable id: ${shown}, ${id.length} characters`,
    };
  } catch (error) {
    return failureOutcome(error, claim, delivery);
  } finally {
    clearTimeout(timer);
  }
}

/** Requests that did not leave this process: they waited too long for their turn, or no connection was made. */
const unsent: ReadonlySet<ServiceErrorCode> = new Set(['aborted', 'unreachable']);

const unknownOutcome = 'outcome unknown: it may have been accepted and billed';

/** Classifies a failed request. `maySendAgain` decides which errors allow another attempt. */
function failureOutcome(error: unknown, { spec }: Claim, delivery: DeliverySpec | undefined): TriggerOutcome {
  if (error instanceof ProblemError) return { status: 'refused', text: `nothing was sent: ${error.message}` };
  if (!(error instanceof ServiceError)) return { status: 'lost', text: `${unknownOutcome}. ${messageOf(error)}` };
  const text = reasonOf(error, delivery);
  const { retryAfterMs } = error;
  const repeats = spec.dataset === undefined && spec.retryOn5xx ? 'after-server-error' : 'without-effect';
  if (maySendAgain(error, repeats)) {
    if (error.effect === 'none') return { status: 'not-sent', text, retryAfterMs };
    const mayBeBilled = `${text}. It may have been accepted and billed`;
    return { status: 'not-sent', text: mayBeBilled, retryAfterMs, mayBeAccepted: true };
  }
  if (error.effect === 'none') return { status: unsent.has(error.code) ? 'not-sent' : 'refused', text };
  return { status: 'lost', text: `${unknownOutcome}. ${text}` };
}

/**
 * Returns the reason without the query of its URL, which repeats the delivery, and with endpoints of the delivery cut to their
 * origins: their paths may contain tokens.
 */
function reasonOf(error: ServiceError, delivery: DeliverySpec | undefined): string {
  const { url } = error.request;
  const [address = url] = url.split('?', 1);
  let text = causeFirst(error).replaceAll(url, address);
  for (const endpoint of [delivery?.endpoint, delivery?.notify?.endpoint]) {
    if (endpoint === undefined) continue;
    const shown = `${URL.parse(endpoint)?.origin ?? ''}/…`;
    text = text.replaceAll(endpoint, shown).replaceAll(encodeURIComponent(endpoint), shown);
  }
  return text.replaceAll(encodedUrl, readableOrigin);
}

/** A URL in a query, up to the end of its parameter. */
const encodedUrl = /https?%3A%2F%2F[^\s&"'<>,;)]+/gi;

function readableOrigin(encoded: string): string {
  try {
    return `${new URL(decodeURIComponent(encoded)).origin}/…`;
  } catch {
    return encoded;
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
