/** The differences of a resource in words, for every format that people read. */
import { counted, formatNumber, shorten } from '../../base/diagnostics/valueWords.ts';
import type { CausedChange, ResourcePlan } from '../../engine/doors/plan.ts';
import { kinds } from '../../kinds/knownKinds.ts';
import { type DescribedDifference, driftComparison } from '../../kinds/seam/comparison.ts';
import { listed, plainStyle } from './style.ts';

/** A number of IPs that differs, without a call that shows it: which IPs would fill the count is the choice of a plan. */
export type DifferingCount = Extract<DescribedDifference, { is: 'count' }>;

/** Returns those of one zone after each other. */
export function differingCounts({ kind, causes = [] }: Pick<ResourcePlan, 'kind' | 'causes'>): DifferingCount[] {
  const describe = describer(kind);
  const counts = causes.flatMap((difference) => {
    const described = describe(difference);
    return described?.is === 'count' && described.live !== described.declared ? [described] : [];
  });
  return [...Map.groupBy(counts, ({ zone }) => zone).values()].flat();
}

/** Names the IPs that are counted: `us`, `all`, `not declared`. */
export function countedIps({ of }: DifferingCount): string {
  return of === 'undeclared' ? 'not declared' : (of.country ?? 'all');
}

/** `checkout has 19 us IPs, 20 are declared`. */
function countSentence({ zone, of, live, declared }: DifferingCount): string {
  if (of === 'undeclared') return `${zone} has ${counted(live, 'IP')} that ${live === 1 ? 'is' : 'are'} not declared`;
  const ipWord = of.country === undefined ? 'IP' : `${of.country} IP`;
  if (live === declared) return `${zone} is to keep ${counted(live, ipWord)} while others arrive or leave`;
  const held = counted(live, ipWord);
  return `${zone} has ${held}, ${declared === 0 ? 'none' : formatNumber(declared)} ${declared > 1 ? 'are' : 'is'} declared`;
}

/** Returns the differences in words. IPs that are in one zone and declared in another one share their words. */
export function differenceWords(kind: string, changes: readonly CausedChange[]): string[] {
  const describe = describer(kind);
  const misplaced = new Map<string, string[]>();
  const words = changes.flatMap((change) => {
    const described = describe(change);
    if (described?.is === 'count') return [`${countSentence(described)}${appliedWords(change)}`];
    const name = change.path.length === 0 ? 'the whole resource' : change.path.map(String).join(' ');
    if (described === undefined) return [`${name}${appliedWords(change)}`];
    const where = `in ${described.live}, declared in ${described.declared}${appliedWords(change)}`;
    misplaced.set(where, [...(misplaced.get(where) ?? []), described.item]);
    return [];
  });
  const places = [...misplaced].map(([where, items]) =>
    items.length === 1
      ? `${items[0]} is ${where}`
      : `${counted(items.length, 'IP')} are ${where}: ${listed(items, plainStyle).join(' ')}`,
  );
  return [...places, ...words];
}

function describer(kind: string): (difference: CausedChange) => DescribedDifference | undefined {
  const definition = kinds.find(({ name }) => name === kind);
  const { describe } = (definition && driftComparison.of(definition)) ?? {};
  return (difference) => describe?.(difference);
}

const longestValue = 60;

function appliedWords({ cause, baseline }: CausedChange): string {
  if (cause !== 'both' || baseline === undefined || typeof baseline === 'object') return '';
  return ` (applied: ${shorten(String(baseline), longestValue)})`;
}
