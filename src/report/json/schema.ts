/** The documents that programs read, one schema each. Fields may be added within a version; none is renamed or taken away. */
import { z } from 'zod';
import { allTotals, callDocumentSchema } from '../../kinds/knownCalls.ts';
import { fromKinds } from '../../kinds/registry.ts';

const resourceId = {
  kind: z.string().describe('Such as `ZoneIpAllocation`.'),
  collection: z.string().describe('Its map in the file, such as `zoneIpAllocations`.'),
  name: z.string().describe('Its key in that map.'),
};

const change = z
  .object({
    path: z.array(z.union([z.string(), z.number()])).describe('Keys from the top of the resource.'),
    kind: z.enum(['add', 'remove', 'change']).describe('What becomes of it.'),
    before: z.unknown().optional().describe('As it is live.'),
    after: z.unknown().optional().describe('As it is declared.'),
  })
  .describe(
    'One property that differs. Lists whose order does not matter are sets: an entry is the last step of the path.',
  );

const note = z
  .object({
    code: z.string().describe('Stable.'),
    text: z.string().describe('For people.'),
    ips: z.array(z.string()).optional().describe('The IPs it is about.'),
  })
  .describe('What a reviewer should know that is no change.');

const place = z
  .object({
    file: z.string().describe('As the command line names it.'),
    line: z.int().describe('Counted from 1.'),
    column: z.int().describe('Counted from 1.'),
  })
  .describe('Where in a file, counted from 1. Never an absolute path.');

const path = z.array(z.union([z.string(), z.number()])).describe('Keys from the top of the file.');

const problem = z
  .object({
    code: z.string().describe('Stable.'),
    found: z.string().describe('What was found.'),
    allowed: z.string().optional().describe('What is allowed there.'),
    fix: z.string().optional().describe('What to do about it.'),
    path: path.optional(),
    place: place.optional(),
    also: z
      .array(z.object({ path, place: place.optional(), what: z.string().describe('What stands there.') }))
      .optional()
      .describe('Other places that matter.'),
  })
  .describe('Why something cannot be done, or was not.');

const meta = {
  origin: z.string().describe('Of the API; empty where it is not known.'),
  version: z.string().describe('Of the tool.'),
  createdAt: z.string().optional().describe('ISO 8601, in UTC.'),
};

const count = z.int().min(0);

/** One field for each total of each type of call. */
function totalsFor(about: 'plan' | 'run'): Record<string, z.ZodInt> {
  return Object.fromEntries(allTotals().map(({ name, description }) => [name, count.describe(description[about])]));
}

const inventory = z
  .array(
    z.object({
      zone: z.string().describe('Its name.'),
      countries: z
        .array(
          z.object({
            country: z.string().describe('In lower case; empty where no database knows it.'),
            before: count.describe('IPs that the zone holds.'),
            after: count.describe('IPs that it will hold.'),
          }),
        )
        .describe('Its IPs, country by country.'),
    }),
  )
  .describe(
    'Of an allocation: the zones that it names or touches, and their IPs by country, before and after the calls.',
  );

export const planSchema = fromKinds(() =>
  z
    .object({
      format: z.literal('webdata.plan/1').describe('The name of this format, and its version.'),
      ...meta,
      mode: z
        .enum(['plan', 'drift', 'destroy', 'undo'])
        .describe('What the calls are for. Drift leaves out what cannot be observed.'),
      summary: z
        .object({
          ...totalsFor('plan'),
          schedulesAmiss: count.describe('Schedules that missed a tick, or whose last run is unknown.'),
          unmanagedIps: count.describe('IPs in managed zones that nothing asks for and that stay.'),
          problems: count.describe('Problems, those of resources included.'),
        })
        .describe('The plan in numbers.'),
      problems: z
        .array(problem)
        .describe('Those that belong to no resource: why there is no plan at all, such as a file that cannot be read.'),
      resources: z
        .array(
          z.object({
            ...resourceId,
            place: place.optional().describe('Where it is declared.'),
            calls: z.array(callDocumentSchema()).describe('In the order in which they are made.'),
            changes: z.array(change).describe('What the calls change.'),
            inventory: inventory.optional(),
            notes: z.array(note).describe('What a reviewer should know beside the changes.'),
            problems: z.array(problem).describe('Nothing is called while there is one.'),
          }),
        )
        .describe('All that are declared and selected, in the order in which they are handled.'),
    })
    .describe('A plan, or drift, or what a destroy or an undo would do.'),
);

const time = z.string().describe('ISO 8601, in UTC.');

const journaledCall = () => ({
  call: callDocumentSchema(),
  outcome: z
    .enum(['done', 'accepted', 'partly', 'refused', 'unknown'])
    .describe(
      'Done and read back; answered in full and not read back; some of it took effect; none of it did; or it is not known whether any did.',
    ),
  movedIps: z.array(z.string()).describe('IPs that are known to have moved.'),
  sentAt: time.describe('When it was sent: ISO 8601, in UTC.'),
  answered: z
    .object({ at: time, count: z.int().optional().describe('How many IPs the service says it moved.') })
    .optional()
    .describe('The answer, where there was one.'),
  failed: z
    .object({
      at: time,
      code: z.string().describe('Stable.'),
      message: z.string().describe('For people.'),
      effect: z.enum(['none', 'unknown']).describe('Whether it may have taken effect all the same.'),
    })
    .optional()
    .describe('Why there was no good answer.'),
  seen: z
    .object({
      at: time,
      took: z.boolean().optional().describe('Of settings and ports: whether the read-back was as wanted.'),
      moved: z.array(z.string()).optional().describe('IPs that are where the call was to move them.'),
      notMoved: z.array(z.string()).optional().describe('IPs that are still where they were.'),
      elsewhere: z.array(z.string()).optional().describe('Somebody else has moved them.'),
      notVisible: z.array(z.string()).optional().describe('Listed nowhere, or in two zones.'),
    })
    .optional()
    .describe('What the last read-back showed.'),
});

const planCommands = ['apply', 'destroy', 'undo'] as const;
const command = z.enum(planCommands).describe('The command that ran.');
const handCommands = ['zones migrate', 'manager delete-ports'] as const;

export const applySchema = fromKinds(() =>
  z
    .object({
      format: z.literal('webdata.apply/1').describe('The name of this format, and its version.'),
      ...meta,
      command,
      result: z.enum(['done', 'failed']).describe('Whether all of it was done.'),
      summary: z
        .object({
          calls: count.describe('Made, refused, unknown and not sent together.'),
          made: count.describe('Took effect, as far as is known.'),
          refused: count.describe('Took no effect.'),
          unknown: count.describe('Sent, and nothing is known of them.'),
          notSent: count.describe('Planned, and not sent.'),
          ...totalsFor('run'),
          problems: count.describe('Problems of all resources.'),
        })
        .describe('The run in numbers.'),
      resources: z
        .array(
          z.object({
            ...resourceId,
            outcome: z
              .enum(['done', 'nothing', 'failed', 'skipped'])
              .describe('`nothing` had to be done; `skipped` because of a failure before it.'),
            made: z.array(z.object(journaledCall())).describe('Calls that were sent, in their order.'),
            notMade: z.array(callDocumentSchema()).describe('Planned and not sent.'),
            problems: z.array(problem).describe('Why it failed.'),
          }),
        )
        .describe('In the order in which they were handled.'),
    })
    .describe('What an apply, a destroy or an undo did.'),
);

export const historySchema = fromKinds(() =>
  z
    .object({
      format: z.literal('webdata.history/1').describe('The name of this format, and its version.'),
      runs: z
        .array(
          z.object({
            id: z.string().describe('Of the run.'),
            command: z
              .enum([...planCommands, ...handCommands, 'unknown'])
              .describe('The command that ran; `unknown` where the first line of the run is missing or damaged.'),
            origin: meta.origin,
            version: meta.version,
            plan: z.string().optional().describe('The plan file that was applied.'),
            undoes: z.string().optional().describe('The id of the run that was undone.'),
            startedAt: z.string().describe('ISO 8601, in UTC.'),
            endedAt: time.optional(),
            result: z
              .enum(['done', 'failed', 'interrupted'])
              .describe('`interrupted` also while it is still under way.'),
            damage: z
              .array(
                z.object({
                  line: z.int().describe('Number of the line in the journal, from 1.'),
                  found: z.string().describe('What is wrong with it.'),
                }),
              )
              .optional()
              .describe('Damaged lines of the journal: the calls of this run may be incomplete.'),
            calls: z
              .array(
                z.object({
                  resource: z.object(resourceId).describe('The resource that the call is for.'),
                  ...journaledCall(),
                }),
              )
              .describe('In the order in which they were sent.'),
          }),
        )
        .describe('The newest first.'),
    })
    .describe('The journal.'),
);

export type PlanDocument = z.output<ReturnType<typeof planSchema>>;
export type ApplyDocument = z.output<ReturnType<typeof applySchema>>;
export type HistoryDocument = z.output<ReturnType<typeof historySchema>>;
export type ProblemDocument = z.output<typeof problem>;
