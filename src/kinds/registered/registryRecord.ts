/** Compares registrations of the trigger service with the declaration, registers and removes them. */

import { z } from 'zod';
import { assertNoProblems, type Problem, ProblemError } from '../../base/diagnostics/problem.ts';
import { once } from '../../base/values/once.ts';
import { ServiceError } from '../../client/errors.ts';
import type { RegisteredDelivery, RegisteredSchedule } from '../../triggers/api/records.ts';
import type { TriggersClient } from '../../triggers/api/triggersClient.ts';
import { deliverySpec } from '../../triggers/declared/deliverySpec.ts';
import { scheduleSpec } from '../../triggers/declared/scheduleSpec.ts';
import { comparableSpecs, specDigest } from '../../triggers/declared/specDigest.ts';
import { literalSecretsIn, noEncryptionKey } from '../../triggers/secrets/secrets.ts';
import { assertPlannedCalls } from '../seam/approvedCalls.ts';
import type { Call } from '../seam/call.ts';
import { type PropertyChange, propertyChanges } from '../seam/changes.ts';
import type { CallRecord, Context } from '../seam/context.ts';
import type { Diff } from '../seam/kind.ts';
import type { Note } from '../seam/notes.ts';
import { readBackMismatch } from '../seam/readBackMismatch.ts';
import type { Views } from '../seam/views.ts';
import {
  isRegistration,
  type RegisterCall,
  type RegistrationCall,
  type UnregisterCall,
  unregisterCall,
} from './calls/registrationCall.ts';
import { specProperties } from './specProperties.ts';
import { recordsOf, registeredView } from './view.ts';

/** A record of the trigger service. */
export interface FoundRecord extends Omit<UnregisterCall, 'type'> {
  /** The result of `registeredSpec`. */
  registered: object | undefined;
  /** False if the trigger service refuses secrets. */
  encrypts?: boolean;
}

/** A record with its declaration. */
export interface RegistryRecord<Spec> extends FoundRecord {
  /** The spec to register, or the problems that prevent it. */
  declared: { spec: Spec } | { problems: readonly Problem[] };
}

/** @throws ProblemError, ServiceError */
export async function findRecord(record: FoundRecord['record'], context: Context): Promise<FoundRecord> {
  const { name } = context;
  const owner = context.owner();
  const { url: triggers } = context.triggers();
  const { encrypts } = await context.view(registeredView).of(owner);
  const registered = await registeredSpec({ record, owner, name }, context);
  return { triggers, record, owner, name, encrypts, registered };
}

/** Returns the registered spec with sealed secrets, or undefined if it is not registered. @throws ServiceError */
export async function registeredSpec(
  { record, owner, name }: Pick<FoundRecord, 'record' | 'owner' | 'name'>,
  views: Views,
): Promise<object | undefined> {
  return recordsOf(record, await views.view(registeredView).of(owner)).get(name)?.spec;
}

/** The registration that the calls on a record depend on. */
export function recordFingerprint({ record, owner, name, registered }: FoundRecord): Record<string, unknown> {
  return { [`${record} ${name} of ${owner}`]: registered === undefined ? null : specDigest(registered) };
}

/** Compares the registration with the declaration. */
export function registrationDiff(state: RegistryRecord<object>): Diff<RegisterCall> {
  const { declared, registered } = state;
  if ('problems' in declared) return { changes: [], calls: [], notes: [], problems: [...declared.problems] };
  const changes = changesTo(declared.spec, registered);
  if (registered === undefined) markDefaults(changes, state.record);
  const calls = registered !== undefined && changes.length === 0 ? [] : [registerCall(state, declared.spec)];
  const isRefused = calls.length > 0 && state.encrypts === false && literalSecretsIn(declared.spec).length > 0;
  return { changes, calls, notes: [], problems: isRefused ? [noEncryptionKey] : [] };
}

/** Returns the call that removes the record, if it is registered. */
export function removalDiff(state: FoundRecord): Diff<UnregisterCall> {
  const { registered } = state;
  if (registered === undefined) return { changes: [], calls: [], notes: [notRegistered], problems: [] };
  return { changes: [], calls: [unregisterCall(state)], notes: [], problems: [] };
}

const notRegistered: Note = { code: 'left-as-is', text: 'it is not registered: there is nothing to remove' };

const defaults = once(() => ({ delivery: defaultsOf(deliverySpec()), schedule: defaultsOf(scheduleSpec()) }));

/** The default values of the fields of a schema, as JSON. */
function defaultsOf({ shape }: z.ZodObject): ReadonlyMap<PropertyKey, string> {
  const fields = Object.entries(shape).flatMap(([name, field]): [string, string][] =>
    field instanceof z.ZodDefault ? [[name, JSON.stringify(field.def.defaultValue)]] : [],
  );
  return new Map(fields);
}

/** Marks the fields of a new record that have their default value. */
function markDefaults(changes: readonly PropertyChange[], record: FoundRecord['record']): void {
  for (const change of changes) {
    const [name = '', ...rest] = change.path;
    if (rest.length === 0 && defaults()[record].get(name) === JSON.stringify(change.after)) change.isDefault = true;
  }
}

export function changesTo(declared: object, registered: object | undefined): PropertyChange[] {
  const sides = comparableSpecs(declared, registered ?? {});
  return propertyChanges(specProperties(sides.sealed), specProperties(sides.declared));
}

function registerCall(state: FoundRecord, spec: object): RegisterCall {
  const { triggers, record, owner, name, registered } = state;
  const delivery = 'delivery' in spec && typeof spec.delivery === 'string' ? { delivery: spec.delivery } : {};
  const before = registered === undefined ? null : specDigest(registered);
  return { type: 'register', triggers, record, owner, name, digest: specDigest(spec), before, ...delivery };
}

/** Reports calls for other records: a plan file may have been edited. */
export function foreignCalls({ triggers, record, owner, name }: FoundRecord, calls: readonly Call[]): Problem[] {
  const isOwn = (call: Call) =>
    isRegistration(call) &&
    call.triggers === triggers &&
    call.record === record &&
    call.owner === owner &&
    call.name === name;
  return calls
    .filter((call) => !isOwn(call))
    .map((call) => ({
      code: 'foreign-record',
      found: `the plan would ${isRegistration(call) ? `change the ${call.record} ${call.name} of ${call.owner}` : call.type}`,
      allowed: `the ${record} ${name} of ${owner}`,
      fix: 'plan again',
    }));
}

/** Registers the record if it differs, and compares the answer. @throws ProblemError, ServiceError */
export async function registerRecord<Spec extends object>(
  state: RegistryRecord<Spec>,
  put: (client: TriggersClient, spec: Spec) => Promise<RegisteredDelivery | RegisteredSchedule>,
  context: Context,
): Promise<void> {
  const { calls, problems } = registrationDiff(state);
  if (problems.length > 0 || 'problems' in state.declared) throw new ProblemError(problems);
  assertPlannedCalls(calls, context);
  const { spec } = state.declared;
  const [call] = calls;
  if (call === undefined) return;
  const isTaken = (found: object | undefined) => found !== undefined && changesTo(spec, found).length === 0;
  const answer = await send(call, context, () => put(context.triggers(), spec), isTaken);
  const differing = answer === undefined ? [] : changesTo(spec, answer.spec);
  assertNoProblems(differing.map(notTaken));
}

function notTaken({ path, before, after }: PropertyChange): Problem {
  const fix = 'check that the trigger service and this tool have the same version';
  return readBackMismatch({ path, wanted: after, got: before, by: 'the trigger service', fix });
}

/** Removes the record if it is registered. Idempotent. @throws ProblemError, ServiceError */
export async function removeRecord(record: FoundRecord['record'], context: Context): Promise<void> {
  const { calls } = removalDiff(await findRecord(record, context));
  assertPlannedCalls(calls, context);
  for (const call of calls) await sendRemoval(call, context);
}

/** @throws ProblemError, ServiceError */
export async function sendRemoval(call: UnregisterCall, context: Context): Promise<void> {
  const { record, owner, name } = call;
  const remove = async () => {
    const { deleteDelivery, deleteSchedule } = context.triggers();
    await (record === 'delivery' ? deleteDelivery : deleteSchedule)(owner, name, { signal: context.signal });
    return undefined;
  };
  await send(call, context, remove, (found) => found === undefined);
}

type Answer = RegisteredDelivery | RegisteredSchedule | undefined;

/** Sends the call. If its effect is unknown, the registry is read to find out. */
async function send(
  call: RegistrationCall,
  context: Context,
  make: () => Promise<Answer>,
  isTaken: (registered: object | undefined) => boolean,
): Promise<Answer> {
  context.signal?.throwIfAborted();
  const record = await context.recorder.sending(call);
  try {
    const answer = await make();
    await record.answered({});
    await record.seen({ took: isTaken(answer?.spec) });
    context.view(registeredView).took(call, answer);
    return answer;
  } catch (error) {
    context.view(registeredView).forget();
    await recordFailure(error, record);
    if (!(error instanceof ServiceError) || error.effect === 'none') throw error;
    const found = await registeredSpec(call, context).catch(() => {
      throw error;
    });
    // The effect may still come.
    if (!isTaken(found)) throw error;
    await record.seen({ took: true });
    return undefined;
  }
}

async function recordFailure(error: unknown, record: CallRecord): Promise<void> {
  if (error instanceof ProblemError) {
    await record.failed({ code: error.problems[0]?.code ?? 'refused', message: error.message, effect: 'none' });
  }
  if (error instanceof ServiceError) {
    await record.failed({ code: error.code, message: error.message, effect: error.effect });
  }
}
