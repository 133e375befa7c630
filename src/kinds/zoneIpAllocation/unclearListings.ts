/** Zones whose listing was answered with something that most likely means an empty list. They are read as empty, and not filled for a count. */

import { renderFix } from '../../base/diagnostics/fix.ts';
import type { Problem } from '../../base/diagnostics/problem.ts';
import type { Note } from '../notes.ts';
import type { MigrateBatch } from './solver/model.ts';
import type { AllocationState } from './state.ts';

export function unclearListingNotes(zones: readonly string[], unclear: AllocationState['unclear']): Note[] {
  return zones.flatMap((zone): Note[] => {
    const answer = unclear.get(zone);
    if (answer === undefined) return [];
    return [
      { code: 'unclear-listing', text: `${zone} lists no IPs: the service answered with ${answer} instead of a list` },
    ];
  });
}

/** A zone that is filled up to a count may hold IPs that such an answer does not show. */
export function unclearListingProblems(
  batches: readonly MigrateBatch[],
  { unclear, allowUnclearListings }: Pick<AllocationState, 'unclear' | 'allowUnclearListings'>,
): Problem[] {
  if (allowUnclearListings) return [];
  const filled = batches.flatMap(({ to, moves }) => (moves.some(({ reason }) => reason === 'count') ? [to] : []));
  return [...new Set(filled)].flatMap((zone): Problem[] => {
    const answer = unclear.get(zone);
    if (answer === undefined) return [];
    return [
      {
        code: 'unclear-listing',
        path: ['zones', zone],
        found: `${zone} would be filled, but the service answered its listing with ${answer} instead of a list of IPs`,
        allowed: 'a listing that shows what the zone holds',
        ...renderFix(
          (words) => `make sure in the control panel that ${zone} is empty, then ${words.allowUnclearListing}`,
        ),
      },
    ];
  });
}
