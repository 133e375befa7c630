/** The types of calls that the registered kinds define. The journal, plan files and reports look calls up here. */
import { z } from 'zod';
import type { Call, CallOutcome, ObjectBuilder, SentCall } from './call.ts';
import type { CallDescription, CallTotal, CallType, Facts, Tally } from './callType.ts';
import type { Move } from './move.ts';
import { fromKinds, kinds } from './registry.ts';

/** The types of calls, in the order in which summaries count them. Kinds may share a type. A call is passed only to its own type. */
const callTypes = fromKinds((): readonly CallType<Call>[] => [...new Set(kinds.flatMap(({ calls }) => calls))]);

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
  return callTypeOf(sent.call).outcome(sent);
}

/** The part of a call that is known to have taken effect, as a call of its own. */
export function effectOf(sent: SentCall<Call>): Call[] {
  return [callTypeOf(sent.call).effect(sent) ?? []].flat();
}

/** Returns the facts about a call that reading the live state does not show. */
export function factsOf(sent: SentCall<Call>): Facts[] {
  return [callTypeOf(sent.call).facts?.(sent) ?? []].flat();
}

/** The IPs or other items that a call moves between two places; empty for other calls. */
export function movesOf(call: Call): readonly Move[] {
  return callTypeOf(call).describe(call, []).flow?.moves ?? [];
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

const charges = {
  mayIncurCharges: z.boolean().describe('True if the service may charge for the call. Amounts are never stated.'),
};

/** Calls as JSON reports show them. */
export const callDocumentSchema = fromKinds(() =>
  unionOf(
    callTypes().map(({ document, schema }) => {
      const shown = document?.schema ?? schema(z.object);
      return shown.extend(charges).describe(shown.description ?? '');
    }),
  ).describe('One call, as it is sent.'),
);

/** Drops every field that the schema does not name, so that no report shows a field by accident. */
export function callDocument(call: Call): z.output<ReturnType<typeof callDocumentSchema>> {
  const { document, schema, billed } = callTypeOf(call);
  const shown = document?.of(call) ?? schema(z.object).parse(call);
  return { ...shown, mayIncurCharges: billed };
}

/** The totals of all types of call. */
export const allTotals = fromKinds(() => callTypes().flatMap(({ totals }) => totals));

export interface CountedTotal {
  total: CallTotal<Call>;
  count: number;
  /** The number of calls that are counted. */
  calls: number;
  /** The detail of the total, if there is one. */
  detail?: string | undefined;
  billed: boolean;
}

/** Counts the calls for every total. Totals that are zero are included. */
export function totalsOf(calls: readonly Call[]): CountedTotal[] {
  return callTypes().flatMap(({ type, totals, billed }) => {
    const its = calls.filter((call) => call.type === type);
    return totals.map((total) => {
      const count = total.count(its);
      return { total, count, calls: its.length, detail: total.detail?.(its, count), billed };
    });
  });
}

/** Counts what the calls add, change and remove, except for the items that they move. */
export function tallyOf(calls: readonly Call[]): Tally {
  const tallies = calls.map((call) => {
    const type = callTypeOf(call);
    return type.tally?.(call) ?? tallyOfChanges(type.describe(call, []));
  });
  const sum = (kind: keyof Tally) => tallies.reduce((total, tally) => total + tally[kind], 0);
  return { add: sum('add'), change: sum('change'), remove: sum('remove') };
}

/** A call that neither moves items nor describes its changes counts as one change. */
function tallyOfChanges({ changes, flow }: CallDescription): Tally {
  if (changes.length === 0) return { add: 0, change: flow === undefined ? 1 : 0, remove: 0 };
  const count = (kind: keyof Tally) => changes.filter((change) => change.kind === kind).length;
  return { add: count('add'), change: count('change'), remove: count('remove') };
}

/** Totals as fields of a JSON summary. */
export function countsByName(totals: readonly CountedTotal[]): Record<string, number> {
  return Object.fromEntries(totals.map(({ total, count }) => [total.name, count]));
}

function unionOf(schemas: readonly z.ZodObject[]) {
  const [first, ...others] = schemas;
  if (first === undefined) throw new TypeError('no kind defines a type of call');
  return z.discriminatedUnion('type', [first, ...others]);
}
