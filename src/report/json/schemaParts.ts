/** Parts that several JSON documents share: their schemas, and how problems and locations are written. */
import { z } from 'zod';
import type { Location, Problem } from '../../base/diagnostics/problem.ts';
import { errorAddress } from '../../docsAddress.ts';
import { causes, whys } from '../../engine/doors/plan.ts';
import { withoutFolders } from '../model/locations.ts';

export const resourceId = {
  kind: z.string().describe('The kind, such as `ZoneIpAllocation`.'),
  collection: z.string().describe('The map in the file, such as `zoneIpAllocations`.'),
  name: z.string().describe('The key in that map.'),
};

export const change = z
  .object({
    path: z.array(z.union([z.string(), z.number()])).describe('Keys from the top of the resource.'),
    kind: z.enum(['add', 'remove', 'change']).describe('The kind of change.'),
    before: z.unknown().optional().describe('The live value.'),
    after: z.unknown().optional().describe('The declared value.'),
  })
  .describe('A property that differs. Lists without order are sets: the entry is the last step of the path.');

const muted = z
  .object({
    reason: z.string().describe('The `reason` of the exception.'),
    owner: z.string().describe('The `owner` of the exception.'),
    until: z.string().describe('The last day of the exception: `2026-12-31`.'),
  })
  .describe('The exception that mutes the alarm.');

export const difference = change
  .extend({
    cause: z
      .enum(causes)
      .describe(
        '`drift`: the live state differs from the baseline. `pending`: the declaration differs from it. `both`: all three differ. Without a baseline, always `drift`.',
      ),
    baseline: z.unknown().optional().describe('For `both`, the value that was applied last, if it is known.'),
    muted: muted.optional(),
    run: z
      .string()
      .optional()
      .describe(
        'For `pending`, the run that made a part of the change and did not end well; for `drift`, the run that caused it, if one did.',
      ),
    by: z.string().optional().describe('For people: the maker of the run, and the commit.'),
  })
  .describe('A difference between the declaration and the live state. A count of IPs is one difference.');

export const why = z
  .object({
    why: z
      .enum(whys)
      .describe(
        '`change`: the declaration differs from what was applied. `unfinished`: finishes a run of it. `run`: takes back what another run did. `manual`: reverses a manual change. Otherwise only the reason of the move is known.',
      ),
    run: z.string().optional().describe('The run, for `unfinished` and `run`.'),
    by: z.string().optional().describe('For people: the maker of the run, and the commit.'),
    ips: z.array(z.string()).describe('The IPs.'),
  })
  .describe('Why IPs move.');

export const note = z
  .object({
    code: z.string().describe('Stable.'),
    text: z.string().describe('For people.'),
    ips: z.array(z.string()).optional().describe('The IPs that the note is about.'),
    muted: muted.optional(),
  })
  .describe('Information for a reviewer that is not a change.');

export const place = z
  .object({
    file: z.string().describe('The file as named on the command line.'),
    line: z.int().describe('Counted from 1.'),
    column: z.int().describe('Counted from 1.'),
  })
  .describe('A location in a file. Never an absolute path.');

const path = z.array(z.union([z.string(), z.number()])).describe('Keys from the top of the file.');

export const reportProblem = z
  .object({
    code: z.string().describe('Stable.'),
    docs: z.string().describe('The address of the documentation of the code.'),
    found: z.string().describe('The fault.'),
    allowed: z.string().optional().describe('The allowed values.'),
    fix: z.string().optional().describe('A solution.'),
    path: path.optional(),
    place: place.optional(),
    also: z
      .array(z.object({ path, place: place.optional(), what: z.string().describe('The content at the location.') }))
      .optional()
      .describe('Related locations.'),
  })
  .describe('A problem: why something cannot be done, or was not done.');

export const meta = {
  origin: z.string().describe('The origin of the service; empty if it is not known.'),
  account: z.string().optional().describe('The `account` of the declaration.'),
  version: z.string().describe('The version of the tool.'),
  createdAt: z.string().optional().describe('ISO 8601, in UTC.'),
};

export const naturalNumber = z.int().min(0);

export const cost = z
  .object({
    amount: z.number().describe('The amount.'),
    currency: z.string().optional().describe('The `currency` of `prices`.'),
  })
  .describe('The cost of the moves, by `prices` of the declaration. Absent without a price.');

export const inventory = z
  .array(
    z.object({
      zone: z.string().describe('The name of the zone.'),
      countries: z
        .array(
          z.object({
            country: z.string().describe('The country code in lower case; empty if it is not known.'),
            before: naturalNumber.describe('IPs that the zone holds.'),
            after: naturalNumber.describe('IPs that it holds after the calls.'),
          }),
        )
        .describe('The IPs of the zone by country.'),
    }),
  )
  .describe(
    'For an allocation: the zones that it names or changes, and their IPs by country, before and after the calls.',
  );

export const time = z.string().describe('ISO 8601, in UTC.');

export const callOutcome = z
  .enum(['done', 'accepted', 'partly', 'refused', 'unknown'])
  .describe(
    '`done`: confirmed by reading back. `accepted`: not read back. `partly`: some of it took effect. `refused`: nothing did. `unknown`: not known.',
  );

type ProblemDocument = z.output<typeof reportProblem>;

export function problemDocument({ code, found, allowed, fix, path, place, also }: Problem): ProblemDocument {
  return {
    code,
    docs: errorAddress(code),
    found,
    allowed,
    fix,
    path: path?.map(jsonStep),
    place: place && documentLocation(place),
    also: also?.map((other) => ({
      path: other.path.map(jsonStep),
      place: other.place && documentLocation(other.place),
      what: other.what,
    })),
  };
}

export function documentLocation({ file, line, column }: Location): Location {
  return { file: withoutFolders(file), line, column };
}

export function jsonStep(step: PropertyKey): string | number {
  return typeof step === 'symbol' ? String(step) : step;
}
