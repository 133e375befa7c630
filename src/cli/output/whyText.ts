/** The reason why a plan moves an IP, or that it does not, as text. */

import { printable } from '../../base/values/printable.ts';
import { type Plan, problemsOf, type ResourcePlan, resourceTitle } from '../../engine/doors/plan.ts';
import type { Move } from '../../kinds/seam/move.ts';
import { describeCall } from '../../kinds/shownCalls.ts';
import { styleOf, type TextOptions } from '../../report/model/style.ts';
import { prose, table } from '../../report/text/layout.ts';

interface PlannedMove {
  move: Move;
  resource: ResourcePlan;
  /** The number of the call in the plan, from 1. */
  call: number;
}

/** Explains each planned move of an IP: the call, the reason, and the zones before and after. */
export function whyText(plan: Plan, ip: string, options: TextOptions): string {
  const style = styleOf(options);
  const moves = movesOf(plan, ip).map((each) => printable(each));
  const blocked = problemsOf(plan).length > 0 ? ['This plan is blocked: `webdata plan` shows its problems.'] : [];
  if (moves.length === 0) {
    const nothing = `This plan does not move ${ip}. \`webdata show --ip ${ip}\` shows the zone that holds it.`;
    return `${[nothing, ...blocked].map((line) => prose(line, style.width)).join('\n')}\n`;
  }
  const blocks = moves.map(({ move, resource, call }) => {
    const { from, to, country } = move;
    const name = resourceTitle(resource);
    const zones = [from, to].flatMap((zone) => zoneRow(zone, country, resource));
    const title = `${ip}${country && ` ${country}`} moves from ${from} to ${to}: call ${call} of the plan, for ${name}`;
    return [
      prose(style.paint.bold(title), style.width),
      prose(`  ${reasonSentences[move.reason](move)}`, style.width, 2),
      ...table(zones, 2, style.width),
    ].join('\n');
  });
  return `${[...blocks, ...blocked].join('\n\n')}\n`;
}

function movesOf({ resources }: Plan, ip: string): PlannedMove[] {
  let call = 0;
  return resources.flatMap((resource) =>
    resource.calls.flatMap((each) => {
      call += 1;
      const moves = describeCall(each).flow?.moves ?? [];
      return moves.filter((move) => move.ip === ip).map((move) => ({ move, resource, call }));
    }),
  );
}

const reasonSentences: Record<Move['reason'], (move: Move) => string> = {
  declared: ({ to }) => `The declaration lists this IP for ${to}.`,
  count: ({ from, to, country }) =>
    `${to} has fewer ${country || 'unknown'} IPs than its count, and ${from} can give some.`,
  surplus: ({ from, country }) => `${from} has more ${country || 'unknown'} IPs than its count.`,
  released: ({ from }) => `${from} does not declare this IP, and \`unmanaged: release\` moves such IPs to the spare.`,
};

function zoneRow(zone: string, country: string, { inventory = [] }: ResourcePlan) {
  const found = inventory.find((each) => each.zone === zone);
  const counts = found?.countries.find((each) => each.country === country);
  if (found === undefined || counts === undefined) return [];
  const { place } = found;
  const where = place === undefined ? [] : ['declared', 'at', `${place.file}:${place.line}:${place.column}`];
  return [{ cells: [zone, `${country || 'unknown'} ${counts.before} → ${counts.after} IPs`], words: where }];
}
