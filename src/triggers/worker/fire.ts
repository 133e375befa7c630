/** Prepares one trigger, sends it once, and reports what became of it. */
import { type Problem, ProblemError } from '../../diagnostics/problem.ts';
import { shorten } from '../../diagnostics/valueWords.ts';
import type { Client } from '../../service/client.ts';
import { ServiceError, type ServiceErrorCode } from '../../service/errors.ts';
import { maySendAgain } from '../../service/transport/resend.ts';
import type { Claim } from '../ledger/claiming.ts';
import { leaseMs } from '../ledger/leases.ts';
import type { Outcome } from '../ledger/outcomes.ts';
import type { Sealer } from '../secrets/secrets.ts';
import type { DeliverySpec } from '../spec/deliverySpec.ts';
import { endpointProblems } from '../spec/endpoint.ts';
import { deliveryMisfits, type ScheduleSpec } from '../spec/scheduleSpec.ts';
import { reasonOf } from './reason.ts';
import { canPass, type SecretSources, withSecrets } from './secretSources.ts';
import { type Stopwatch, stopwatch } from './stopwatch.ts';
import { type Trigger, triggerOf } from './trigger.ts';

export interface Firing {
  /** Sends nothing again by itself: the ledger counts attempts, and a crash loses none of them. */
  client: Client;
  sealer: Sealer;
  secrets: SecretSources;
  /** The only hosts of endpoints, any by default: checked again, as there may have been others when a delivery was registered. */
  endpointHosts?: readonly string[] | undefined;
  /** Ends waiting for answers: a request that was sent is then not known to be accepted. */
  givingUp?: AbortSignal | undefined;
  /** Records that a run whose secrets were looked up is about to be sent. False where another server has taken it. */
  startSending(claim: Claim): Promise<boolean>;
}

/** Shorter than the lease, so that a server that still waits for an answer holds the lease. */
const answerMs = 45_000;

/** A server that stood still for longer since the run was claimed does not send. */
const startMs = leaseMs - answerMs;

/** An id that is longer than this is no id. */
const longestId = 200;

interface Prepared {
  trigger: Trigger;
  delivery: DeliverySpec | undefined;
}

/** `since` is the time since the claim. */
export async function fire(claim: Claim, since: Stopwatch, firing: Firing): Promise<Outcome> {
  let prepared: Prepared;
  try {
    prepared = await prepare(claim, firing);
  } catch (error) {
    const text = wordsOf(error);
    return canPass(error) ? { as: 'not-prepared', text } : { as: 'refused', text: `nothing was sent: ${text}` };
  }
  if (!claim.isPreparing) return send(prepared, claim, since, firing);
  const started = stopwatch();
  try {
    if (!(await firing.startSending(claim))) return { as: 'not-prepared', text: 'another server has taken the run' };
  } catch (error) {
    return { as: 'not-prepared', text: `the store could not be written: ${wordsOf(error)}` };
  }
  return send(prepared, claim, started, firing);
}

async function prepare({ run, spec: sealed, delivery: stored }: Claim, firing: Firing): Promise<Prepared> {
  const spec = firing.sealer.open(sealed) as ScheduleSpec;
  if (stored === undefined && spec.delivery !== undefined)
    throw new Error(`no delivery ${String(spec.delivery)} is registered`);
  const delivery = stored && (await withSecrets(firing.sealer.open(stored) as DeliverySpec, firing.secrets));
  const rules = { allowPrivate: true, hosts: firing.endpointHosts };
  if (delivery !== undefined) assertAllowed([...deliveryMisfits(spec, delivery), ...endpointProblems(delivery, rules)]);
  return { trigger: triggerOf({ ...spec, ...runNameOf(spec, run) }, delivery, firing.client.profile), delivery };
}

function assertAllowed(problems: readonly Problem[]): void {
  if (problems.length > 0) throw new ProblemError(problems);
}

/** `{tick}` stands for the time of the tick, by which a person finds the run in the control panel. */
function runNameOf({ runName }: ScheduleSpec, { tickAt }: Claim['run']): { runName?: string } {
  return runName === undefined ? {} : { runName: runName.replaceAll('{tick}', new Date(tickAt).toISOString()) };
}

async function send({ trigger, delivery }: Prepared, claim: Claim, since: Stopwatch, firing: Firing): Promise<Outcome> {
  if (since() > startMs) return { as: 'not-sent', text: 'this server stood still before it could send' };
  try {
    return acceptedAs(await request(trigger, firing));
  } catch (error) {
    return outcomeOf(error, claim, delivery);
  }
}

async function request({ target, trigger }: Trigger, { client, givingUp }: Firing): Promise<string> {
  const { collectors, datasets } = client;
  const signal = AbortSignal.any([AbortSignal.timeout(answerMs), ...(givingUp ? [givingUp] : [])]);
  if (target === 'collector') return (await collectors.trigger(trigger, { signal })).collectionId;
  return (await datasets.trigger(trigger, { signal })).snapshotId;
}

function acceptedAs(id: string): Outcome {
  if (id.length > 0 && id.length <= longestId && !/[\p{Cc}\s]/u.test(id)) return { as: 'accepted', collectionId: id };
  const shown = JSON.stringify(shorten(id));
  return { as: 'lost', text: `${unknownOutcome}. The answer has no usable id: ${shown}, ${id.length} characters` };
}

/** It did not leave this process: it waited for its turn for too long, or the service was not reached. */
const unsent: ReadonlySet<ServiceErrorCode> = new Set(['aborted', 'unreachable']);

const unknownOutcome = 'outcome unknown: it may have been accepted and billed';

/** What a failed request means for the run. A server error counts as not accepted only where `resend.ts` says so. */
function outcomeOf(error: unknown, { spec }: Claim, delivery: DeliverySpec | undefined): Outcome {
  if (error instanceof ProblemError) return { as: 'refused', text: `nothing was sent: ${error.message}` };
  if (!(error instanceof ServiceError)) return { as: 'lost', text: `${unknownOutcome}. ${wordsOf(error)}` };
  const text = reasonOf(error, delivery);
  const { retryAfterMs } = error;
  const repeats = spec.dataset === undefined && spec.retryOn5xx ? 'after-server-error' : 'without-effect';
  if (maySendAgain(error, repeats)) {
    if (error.effect === 'none') return { as: 'not-sent', text, retryAfterMs };
    return { as: 'not-sent', text: `${text}. It may have been accepted and billed`, retryAfterMs, isOpen: true };
  }
  if (error.effect === 'none') return unsent.has(error.code) ? { as: 'not-sent', text } : { as: 'refused', text };
  return { as: 'lost', text: `${unknownOutcome}. ${text}` };
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
