/** The types of calls that the registered kinds define. The journal and plan files look calls up here. */
import { z } from 'zod';
import { fromKinds, kinds } from './knownKinds.ts';
import type { Call, CallOutcome, ObjectBuilder, SentCall } from './seam/call.ts';
import type { CallType, Facts } from './seam/callType.ts';
import type { Move } from './seam/move.ts';

/** The types of calls, in the order in which summaries count them. Kinds may share a type. A call is passed only to its own type. */
export const callTypes = fromKinds((): readonly CallType<Call>[] => [...new Set(kinds.flatMap(({ calls }) => calls))]);

const byName = fromKinds(() => new Map(callTypes().map((callType) => [callType.type, callType])));

/** @throws TypeError for an unknown type, which the schemas of journal and plan file rule out */
export function callTypeOf({ type }: Call): CallType<Call> {
  const found = byName().get(type);
  if (found === undefined) throw new TypeError(`no kind defines calls of type ${type}`);
  return found;
}

export function callKey(call: Call): string {
  return callTypeOf(call).key(call);
}

export function areSameCalls(some: readonly Call[], others: readonly Call[]): boolean {
  return some.length === others.length && some.every((call, index) => isSameCall(call, others[index]));
}

function isSameCall(call: Call, other: Call | undefined): boolean {
  return call.type === other?.type && callKey(call) === callKey(other);
}

export function outcomeOf(sent: SentCall<Call>): CallOutcome {
  return callTypeOf(sent.call).result(sent).outcome;
}

/** The part of a call that is known to have taken effect, as a call of its own. */
export function effectOf(sent: SentCall<Call>): Call[] {
  return [callTypeOf(sent.call).result(sent).effect ?? []].flat();
}

/** Returns the facts about a call that reading the live state does not show. */
export function factsOf(sent: SentCall<Call>): Facts[] {
  return [callTypeOf(sent.call).facts(sent) ?? []].flat();
}

/** The IPs or other items that a call moves between two places; empty for other calls. */
export function movesOf(call: Call): readonly Move[] {
  return callTypeOf(call).flow(call)?.moves ?? [];
}

/** The IPs that a call is known to have moved. */
export function movedBy(sent: SentCall<Call>): string[] {
  return effectOf(sent).flatMap((effect) => movesOf(effect).map(({ ip }) => ip));
}

export function mayIncurCharges(call: Call): boolean {
  return callTypeOf(call).billed;
}

/** Calls as plan files and the journal hold them. */
export function callSchema(object: ObjectBuilder): z.ZodType<Call> {
  return unionOf(callTypes().map((callType) => callType.schema(object))) as unknown as z.ZodType<Call>;
}

/** The union of the schemas of calls, told apart by their type. */
export function unionOf(schemas: readonly z.ZodObject[]) {
  const [first, ...others] = schemas;
  if (first === undefined) throw new TypeError('no kind defines a type of call');
  return z.discriminatedUnion('type', [first, ...others]);
}
