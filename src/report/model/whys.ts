/** Why a plan moves each IP, in words, which are the same wherever a report says them. */
import type { MoveWhy, ResourcePlan } from '../../engine/doors/plan.ts';
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
export function whyFinder({ whys = [] }: Pick<ResourcePlan, 'whys'> = {}): (move: Move) => Whose {
  const byIp = new Map(whys.flatMap((why) => why.ips.map((ip) => [ip, why] as const)));
  return ({ ip, reason }) => byIp.get(ip) ?? { why: reason };
}

/** `this change`, `finishes run 1a2b3c4d`. */
export function whyWords({ why, run }: Whose, moves = 1): string {
  const text = words[why][moves === 1 ? 0 : 1];
  return run === undefined ? text : `${text} ${run}`;
}
