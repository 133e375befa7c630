/** Sends one trigger, once, and says what became of it. */
import { ProblemError } from '../../input/problem.ts';
import type { Client } from '../../service/client.ts';
import { ServiceError, type ServiceErrorCode } from '../../service/errors.ts';
import type { DeliverySpec } from '../deliverySpec.ts';
import { type Claim, leaseMs } from '../ledger/claiming.ts';
import type { Outcome } from '../ledger/outcomes.ts';
import { deliveryMisfits, type ScheduleSpec } from '../scheduleSpec.ts';
import type { Sealer } from '../secrets.ts';
import { type Trigger, triggerOf } from '../trigger.ts';
import { type SecretSources, withSecrets } from './secretSources.ts';
import type { Stopwatch } from './stopwatch.ts';

export interface Firing {
  /** Sends nothing again by itself: the ledger counts attempts, and no crash forgets them. */
  client: Client;
  sealer: Sealer;
  secrets: SecretSources;
  /** Ends waiting for answers: what was sent is then not known to be accepted. */
  givingUp?: AbortSignal | undefined;
  /** As it is stored; undefined where none of this name is registered. */
  delivery(owner: string, name: string): Promise<DeliverySpec | undefined>;
}

/** Shorter than the lease, so that whoever is still waiting for an answer holds it. */
const answerMs = 45_000;

/** Who was stopped for so long since the claim does not begin to send. */
const startMs = leaseMs - answerMs;

/** `since` the claim. */
export async function fire(claim: Claim, since: Stopwatch, firing: Firing): Promise<Outcome> {
  let trigger: Trigger;
  try {
    trigger = await prepared(claim, firing);
  } catch (error) {
    return { as: 'refused', text: `nothing was sent: ${error instanceof Error ? error.message : String(error)}` };
  }
  if (since() > startMs) return { as: 'not-sent', text: 'this server stood still before it could send' };
  try {
    return { as: 'accepted', collectionId: await send(trigger, firing) };
  } catch (error) {
    return outcomeOf(error, claim.spec);
  }
}

async function prepared({ run, spec: sealed }: Claim, firing: Firing): Promise<Trigger> {
  const spec = firing.sealer.open(sealed) as ScheduleSpec;
  const stored = typeof spec.delivery === 'string' ? await firing.delivery(run.owner, spec.delivery) : spec.delivery;
  if (stored === undefined && spec.delivery !== undefined)
    throw new Error(`no delivery ${spec.delivery} is registered`);
  const delivery = stored && ((await withSecrets(firing.sealer.open(stored), firing.secrets)) as DeliverySpec);
  const misfits = delivery === undefined ? [] : deliveryMisfits(spec, delivery);
  if (misfits.length > 0) throw new ProblemError(misfits);
  return triggerOf({ ...spec, ...runNameOf(spec, run) }, delivery, firing.client.profile);
}

/** `{tick}` stands for the time of the tick: by it a person finds the run in the control panel. */
function runNameOf({ runName }: ScheduleSpec, { tickAt }: Claim['run']): { runName?: string } {
  return runName === undefined ? {} : { runName: runName.replaceAll('{tick}', new Date(tickAt).toISOString()) };
}

async function send({ target, trigger }: Trigger, { client, givingUp }: Firing): Promise<string> {
  const { collectors, datasets } = client;
  const signal = AbortSignal.any([AbortSignal.timeout(answerMs), ...(givingUp ? [givingUp] : [])]);
  if (target === 'collector') return (await collectors.trigger(trigger, { signal })).collectionId;
  return (await datasets.trigger(trigger, { signal })).snapshotId;
}

/** It did not get out of this process: it waited for its turn for too long, or the service could not be found. */
const unsent: ReadonlySet<ServiceErrorCode> = new Set(['aborted', 'unreachable']);

/** A 5xx counts as not accepted where the schedule says so, which is what the specification asks for. */
function outcomeOf(error: unknown, { retryOn5xx }: ScheduleSpec): Outcome {
  if (!(error instanceof ServiceError))
    return { as: 'lost', text: error instanceof Error ? error.message : String(error) };
  const { message: text, retryAfterMs } = error;
  const notSent: Outcome = { as: 'not-sent', text, retryAfterMs };
  if (error.effect === 'none') return error.transient || unsent.has(error.code) ? notSent : { as: 'refused', text };
  if (error.code === 'server-error' && retryOn5xx) return notSent;
  return { as: 'lost', text: `${text}: it may have been accepted` };
}
