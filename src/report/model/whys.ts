/** Why a plan moves each IP, in words, which are the same wherever a report says them. */
import { counted, formatNumber } from '../../base/diagnostics/valueWords.ts';
import { type MoveWhy, type Plan, type ResourcePlan, whys } from '../../engine/doors/plan.ts';
import type { Move } from '../../kinds/seam/move.ts';

export const thisChange = 'this change';

/** For one move or a row of them, and for a number of moves in a row. */
const words: Record<MoveWhy['why'], readonly [one: string, many: string]> = {
  change: [thisChange, thisChange],
  unfinished: ['finishes run', 'finish run'],
  run: ['takes back run', 'take back run'],
  manual: ['reverses a manual change', 'reverse a manual change'],
  declared: ['declared by address', 'declared by address'],
  count: ['fills a count', 'fill a count'],
  surplus: ['exceeds a count', 'exceed a count'],
  released: ['not declared', 'not declared'],
};

type Whose = Pick<MoveWhy, 'why' | 'run'>;

/** Returns a function that finds why a resource moves an IP. */
export function whyFinder({ whys: known = [] }: Pick<ResourcePlan, 'whys'> = {}): (move: Move) => Whose {
  const byIp = new Map(known.flatMap((why) => why.ips.map((ip) => [ip, why] as const)));
  return ({ ip, reason }) => byIp.get(ip) ?? { why: reason };
}

/** `this change`, `finishes run 1a2b3c4d`. */
export function whyWords({ why, run }: Whose, moves = 1): string {
  const text = words[why][moves === 1 ? 0 : 1];
  return run === undefined ? text : `${text} ${run}`;
}

/** Reports whether all moves follow from a change of the declaration, as far as is known. */
export function isOwnChange(all: readonly MoveWhy[]): boolean {
  return all.every(({ why }) => why !== 'unfinished' && why !== 'run' && why !== 'manual');
}

/** `Of 9 moves, 5 come from this change, 3 reverse a manual change, 1 finishes run 1a2b3c4d (deploy@laptop).` Empty for a change alone. */
export function whySentence({ resources }: Plan): string {
  const all = resources
    .flatMap((resource) => resource.whys ?? [])
    .sort((a, b) => whys.indexOf(a.why) - whys.indexOf(b.why));
  if (isOwnChange(all)) return '';
  const count = (some: readonly MoveWhy[]) => some.reduce((sum, { ips }) => sum + ips.length, 0);
  const groups = Map.groupBy(all, (why) => whyWords(why));
  const parts = [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const moves = count(group);
    const by = first.by === undefined ? '' : ` (${first.by})`;
    return [`${formatNumber(moves)} ${verbOf(first, moves)}${whyWords(first, moves)}${by}`];
  });
  return `Of ${counted(count(all), 'move')}, ${parts.join(', ')}.`;
}

/** Returns the verb before words that have none. */
function verbOf({ why }: Whose, moves: number): string {
  if (why === 'change') return moves === 1 ? 'comes from ' : 'come from ';
  if (why === 'declared' || why === 'released') return moves === 1 ? 'is ' : 'are ';
  return '';
}
