/** Calls as reports show them: described, counted, and as JSON. */
import { z } from 'zod';
import { callTypeOf, callTypes, unionOf } from './knownCalls.ts';
import { fromKinds } from './knownKinds.ts';
import type { Call } from './seam/call.ts';
import type { Flow } from './seam/callType.ts';
import { type CallDescription, type CallTotal, callWords, type Tally } from './seam/callWords.ts';
import type { PropertyChange } from './seam/changes.ts';

interface DescribedCall extends CallDescription {
  /** For calls that move IPs. */
  flow: Flow | undefined;
}

/** `changes` are those of the resource that sends the call. */
export function describeCall(call: Call, changes: readonly PropertyChange[] = []): DescribedCall {
  return { ...callWords.of(call).describe(call, changes), flow: callTypeOf(call).flow(call) };
}

const charges = {
  mayIncurCharges: z.boolean().describe('True if the service may charge for the call.'),
};

/** Calls as JSON reports show them. */
export const callDocumentSchema = fromKinds(() =>
  unionOf(
    callTypes().map((callType) => {
      const shown = callWords.of(callType).document?.schema() ?? callType.schema(z.object);
      return shown.extend(charges).describe(shown.description ?? '');
    }),
  ).describe('One call, as it is sent.'),
);

/** Drops every field that the schema does not name, so that no report shows a field by accident. */
export function callDocument(call: Call): z.output<ReturnType<typeof callDocumentSchema>> {
  const { schema, billed } = callTypeOf(call);
  const shown = callWords.of(call).document?.of(call) ?? schema(z.object).parse(call);
  return { ...shown, mayIncurCharges: billed };
}

/** The totals of all types of call. */
export const allTotals = fromKinds(() => callTypes().flatMap((callType) => callWords.of(callType).totals));

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
  return callTypes().flatMap(({ type, billed }) => {
    const ofType = calls.filter((call) => call.type === type);
    return callWords.of({ type }).totals.map((total) => {
      const count = total.count(ofType);
      return { total, count, calls: ofType.length, detail: total.detail?.(ofType, count), billed };
    });
  });
}

/** Counts what the calls add, change and remove, except for the items that they move. */
export function tallyOf(calls: readonly Call[]): Tally {
  const tallies = calls.map((call) => callWords.of(call).tally?.(call) ?? tallyOfChanges(describeCall(call)));
  const sum = (kind: keyof Tally) => tallies.reduce((total, tally) => total + tally[kind], 0);
  return { add: sum('add'), change: sum('change'), remove: sum('remove') };
}

/** A call that neither moves items nor describes its changes counts as one change. */
function tallyOfChanges({ changes, flow }: DescribedCall): Tally {
  if (changes.length === 0) return { add: 0, change: flow === undefined ? 1 : 0, remove: 0 };
  const count = (kind: keyof Tally) => changes.filter((change) => change.kind === kind).length;
  return { add: count('add'), change: count('change'), remove: count('remove') };
}

/** Totals as fields of a JSON summary. */
export function countsByName(totals: readonly CountedTotal[]): Record<string, number> {
  return Object.fromEntries(totals.map(({ total, count }) => [total.name, count]));
}
