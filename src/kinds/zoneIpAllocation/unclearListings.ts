/**
 * Zones whose listing does not show what they hold. An answer that most likely means an empty list is read as one, and the zone is not filled for a
 * count. Where an answer is only a part of the listing, nothing moves into the zone or out of it.
 */

import { renderFix } from '../../base/diagnostics/fix.ts';
import type { Problem } from '../../base/diagnostics/problem.ts';
import { listingRemarks } from '../../client/areas/zones/listing.ts';
import type { Note } from '../seam/notes.ts';
import type { MigrateBatch } from './solver/model.ts';
import type { AllocationState } from './state.ts';

export function unclearListingNotes(zones: readonly string[], { remarks }: Pick<AllocationState, 'remarks'>): Note[] {
  const texts = zones.flatMap((zone) => {
    const remark = remarks.get(zone);
    return remark === undefined ? [] : listingRemarks(zone, remark);
  });
  return texts.map((text) => ({ code: 'unclear-listing', text }));
}

/** A zone that is filled up to a count may hold IPs that such an answer does not show. */
export function unclearListingProblems(
  batches: readonly MigrateBatch[],
  { remarks, allowUnclearListings }: Pick<AllocationState, 'remarks' | 'allowUnclearListings'>,
): Problem[] {
  if (allowUnclearListings) return [];
  const touched = new Set(batches.flatMap(({ from, to }) => [from, to]));
  const parts = [...touched].flatMap((zone) => {
    const part = remarks.get(zone)?.partial;
    return part === undefined ? [] : [notWhole(zone, part)];
  });
  const filled = batches.flatMap(({ to, moves }) => (moves.some(({ reason }) => reason === 'count') ? [to] : []));
  const unknown = [...new Set(filled)].flatMap((zone): Problem[] => {
    const answer = remarks.get(zone)?.unclear;
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
  return [...parts, ...unknown];
}

function notWhole(zone: string, part: string): Problem {
  return {
    code: 'unclear-listing',
    found: `IPs would move into or out of ${zone}, but its listing is not whole: ${part}`,
    allowed: 'a listing of all IPs of the zone',
    ...renderFix(
      (words) => `ask the service for whole listings; to move IPs by this part, ${words.allowUnclearListing}`,
    ),
  };
}
