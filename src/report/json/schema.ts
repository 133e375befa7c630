/** The schemas of JSON documents for programs. Within a version, fields may be added, but are not renamed or removed. */
import { z } from 'zod';
import { fromKinds } from '../../kinds/knownKinds.ts';
import { allTotals, callDocumentSchema } from '../../kinds/shownCalls.ts';
import {
  callOutcome,
  change,
  cost,
  difference,
  inventory,
  meta,
  naturalNumber,
  note,
  place,
  reportProblem,
  resourceId,
  time,
  why,
} from './schemaParts.ts';

/** One field for each total of each type of call. */
function totalsFor(about: 'plan' | 'run'): Record<string, z.ZodInt> {
  return Object.fromEntries(
    allTotals().map(({ name, description }) => [name, naturalNumber.describe(description[about])]),
  );
}

export const planSchema = fromKinds(() =>
  z
    .object({
      format: z.literal('webdata.plan/1').describe('The name of this format, and its version.'),
      ...meta,
      mode: z
        .enum(['plan', 'drift', 'destroy', 'undo'])
        .describe('The purpose of the calls. Drift leaves out calls whose effect cannot be observed.'),
      baseline: z
        .boolean()
        .optional()
        .describe('True if the differences were compared with a baseline. Absent for a destroy or an undo.'),
      summary: z
        .object({
          ...totalsFor('plan'),
          add: naturalNumber.describe(
            'Things to add: registrations, and entries of settings. IPs that move are not counted.',
          ),
          change: naturalNumber.describe('Things to change.'),
          remove: naturalNumber.describe('Things to remove.'),
          schedulesAmiss: naturalNumber.describe('Schedules that missed a tick, or whose last run is unknown.'),
          unmanagedIps: naturalNumber.describe('IPs in managed zones that are not declared and that stay.'),
          cost: cost.optional(),
          problems: naturalNumber.describe('Problems, including those of resources.'),
          driftDifferences: naturalNumber.optional().describe('Differences with the cause `drift` that are not muted.'),
          pendingDifferences: naturalNumber.optional().describe('Differences with the cause `pending`.'),
          bothDifferences: naturalNumber.optional().describe('Differences with the cause `both` that are not muted.'),
          mutedDifferences: naturalNumber.optional().describe('Differences and notes whose alarm an exception mutes.'),
        })
        .describe('The totals of the plan.'),
      problems: z
        .array(reportProblem)
        .describe('Problems that belong to no resource, such as a file that cannot be read.'),
      warnings: z
        .array(reportProblem)
        .optional()
        .describe('Problems that block nothing, such as an exception that has expired.'),
      resources: z
        .array(
          z.object({
            ...resourceId,
            place: place.optional().describe('The location of the declaration.'),
            calls: z.array(callDocumentSchema()).describe('The calls, in the order in which they are sent.'),
            changes: z.array(change).describe('The changes that the calls make.'),
            differences: z
              .array(difference)
              .optional()
              .describe(
                'The changes in the terms of the declaration, each with its cause. Absent where nothing was compared.',
              ),
            why: z.array(why).optional().describe('Why the calls move IPs. Absent without a baseline.'),
            inventory: inventory.optional(),
            notes: z.array(note).describe('Information for a reviewer besides the changes.'),
            problems: z
              .array(reportProblem)
              .describe('The problems of the resource. While there is one, no call is sent.'),
          }),
        )
        .describe('All declared and selected resources, in the order in which they are handled.'),
    })
    .describe('A plan of an apply, a destroy or an undo, or drift.'),
);

export const journaledCall = () => ({
  call: callDocumentSchema(),
  outcome: callOutcome,
  movedIps: z.array(z.string()).describe('IPs that are known to have moved.'),
  sentAt: time.describe('The time of sending: ISO 8601, in UTC.'),
  answered: z
    .object({ at: time, count: z.int().optional().describe('The number of moved IPs according to the service.') })
    .optional()
    .describe('The answer, if there was one.'),
  failed: z
    .object({
      at: time,
      code: z.string().describe('Stable.'),
      message: z.string().describe('For people.'),
      effect: z.enum(['none', 'unknown']).describe('`unknown` if the call may have taken effect.'),
    })
    .optional()
    .describe('The error, if there was no good answer.'),
  seen: z
    .object({
      at: time,
      took: z.boolean().optional().describe('For settings and ports: true if the read-back showed the wanted values.'),
      moved: z.array(z.string()).optional().describe('IPs that are in the target zone.'),
      notMoved: z.array(z.string()).optional().describe('IPs that are still in the source zone.'),
      elsewhere: z.array(z.string()).optional().describe('IPs that another user moved elsewhere.'),
      notVisible: z.array(z.string()).optional().describe('IPs that are listed in no zone, or in two.'),
    })
    .optional()
    .describe('The result of the last read-back.'),
});

export const planCommands = ['apply', 'destroy', 'undo'] as const;
const command = z.enum(planCommands).describe('The command that ran.');

export const applySchema = fromKinds(() =>
  z
    .object({
      format: z.literal('webdata.apply/1').describe('The name of this format, and its version.'),
      ...meta,
      command,
      result: z.enum(['done', 'failed']).describe('`done` if the whole run succeeded.'),
      summary: z
        .object({
          calls: naturalNumber.describe('All calls: made, refused, unknown and not sent.'),
          made: naturalNumber.describe('Calls that are known to have taken effect.'),
          refused: naturalNumber.describe('Calls without effect.'),
          unknown: naturalNumber.describe('Calls that were sent and whose outcome is not known.'),
          notSent: naturalNumber.describe('Calls that were planned but not sent.'),
          ...totalsFor('run'),
          problems: naturalNumber.describe('Problems of all resources.'),
        })
        .describe('The totals of the run.'),
      resources: z
        .array(
          z.object({
            ...resourceId,
            outcome: z
              .enum(['done', 'nothing', 'failed', 'skipped'])
              .describe('`nothing`: no changes were needed. `skipped`: an earlier call failed.'),
            made: z.array(z.object(journaledCall())).describe('Calls that were sent, in their order.'),
            notMade: z.array(callDocumentSchema()).describe('Calls that were planned but not sent.'),
            problems: z.array(reportProblem).describe('The problems that made it fail.'),
          }),
        )
        .describe('The resources, in the order in which they were handled.'),
    })
    .describe('The result of an apply, a destroy or an undo.'),
);

export const accountsSchema = fromKinds(() =>
  z
    .object({
      format: z.literal('webdata.accounts/1').describe('The name of this format, and its version.'),
      version: meta.version,
      createdAt: meta.createdAt,
      command: z.enum(['plan', 'apply', 'drift']).describe('The command that ran.'),
      summary: z
        .object({
          accounts: naturalNumber.describe('All accounts.'),
          changed: naturalNumber.describe('Accounts with changes or drift.'),
          failed: naturalNumber.describe('Accounts with problems, and those that were not applied.'),
        })
        .describe('The number of accounts.'),
      accounts: z
        .array(
          z.object({
            account: z.string().describe('The name of the account: `account`, or the host of the service.'),
            file: z.string().describe('The declaration of the account.'),
            exitCode: z.int().describe('The exit code of the command for this account alone.'),
            state: z
              .string()
              .describe(
                'For people: `changes`, `no changes`, `drift`, `no drift`, `blocked`, `done`, `failed`, `not applied`.',
              ),
            report: z.union([planSchema(), applySchema()]).describe('The report of this account.'),
          }),
        )
        .describe('The accounts, in the order of their files.'),
    })
    .describe('The reports of several accounts: `--all`.'),
);

export type PlanDocument = z.output<ReturnType<typeof planSchema>>;
export type ApplyDocument = z.output<ReturnType<typeof applySchema>>;
export type AccountsDocument = z.output<ReturnType<typeof accountsSchema>>;
