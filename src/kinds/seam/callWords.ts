/** The words, the totals and the JSON of each type of call, for reports. Each kind provides them for its types of call. */
import type { z } from 'zod';
import type { Call } from './call.ts';
import type { CallType } from './callType.ts';
import type { PropertyChange } from './changes.ts';

/** The purpose of a plan. Reports word the same calls differently for each. */
export type PlanMode = 'plan' | 'drift' | 'destroy' | 'undo';

export interface CallWords<C> {
  /** The part of a report that lists these calls. */
  section: ReportSection;
  /** The words that say that a refused call had no effect: `nothing moved`. */
  noEffect: string;
  /** Describes the changes of the call, without a report format. `changes` are those of the resource that sends the call. */
  describe(call: C, changes: readonly PropertyChange[]): CallDescription;
  /** The totals of these calls, in the order of the summary. */
  totals: readonly CallTotal<C>[];
  /** The number of things that the call adds, changes and removes. By default, each change of `describe` is a thing. */
  tally?(call: C): Tally;
  /** A shorter form for JSON reports, for calls that repeat themselves. By default, reports show the fields of `schema`. */
  document?: { schema(): z.ZodObject; of(call: C): object };
}

const known = new Map<string, CallWords<Call>>();

export const callWords = {
  provide<C extends Call>({ type }: CallType<C>, words: CallWords<C>): void {
    known.set(type, words);
  },
  /** @throws TypeError for a type whose kind provides no words */
  of({ type }: Pick<Call, 'type'>): CallWords<Call> {
    const found = known.get(type);
    if (found === undefined) throw new TypeError(`no kind provides words for calls of type ${type}`);
    return found;
  },
};

export type Tally = Readonly<Record<CallChange['kind'], number>>;

export interface ReportSection {
  id: string;
  title: string;
}

export interface CallDescription {
  /** The subject of the call, in a word or two: `settings`, `ports`, `delivery`, or the zone that receives IPs. */
  subject: string;
  /** The server that receives the call, if it is not the service itself. */
  place?: string;
  /** The changes of the call, row by row. Empty for calls that move IPs. */
  changes: readonly CallChange[];
  /** The same in one line, item by item: `logs 1000 → 500`, `registers nightly`. Empty for calls that move IPs. */
  items: readonly string[];
}

export interface CallChange {
  kind: PropertyChange['kind'];
  /** The property: `logs`, `port`, `inputs.row 1`. */
  name: string;
  /** Both values as text. A missing `before` did not exist; a missing `after` will not exist. */
  before?: string | undefined;
  after?: string | undefined;
  /** True for something that must not exist because the declaration says so, such as a port in `absentPorts`. */
  isForbidden?: boolean | undefined;
  /** True for a value that the declaration leaves out. */
  isDefault?: boolean | undefined;
}

export interface CallTotal<C> {
  /** The field of JSON summaries. */
  name: string;
  description: { plan: string; run: string };
  count(calls: readonly C[]): number;
  /** The total in the last line of a plan and of a run. Left out of both by default. */
  words?: { planned(count: number, calls: number, mode: PlanMode): string; done(count: number, calls: number): string };
  /** More about the calls that are counted, which follows the words: `4 moves in all`. Differences of drift have none. */
  detail?(calls: readonly C[], count: number): string | undefined;
}

export const changeSigns = { add: '+', remove: '-', change: '~' } as const;

/** `1000 → 500`, or the one value that is added or removed. */
export function changeWords({ kind, before, after }: CallChange): string {
  return kind === 'change' ? `${before} → ${after}` : (after ?? before ?? '');
}

/** Names what is live and what is declared, because drift may be corrected on either side. */
export function driftWords({ kind, before = '', after = '', isForbidden }: CallChange): string {
  if (kind === 'add') return `${after}, declared but not live`;
  if (kind === 'change') return `${before} live, ${after} declared`;
  return `${before}, live but ${isForbidden ? 'declared absent' : 'not declared'}`;
}
