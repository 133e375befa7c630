/** The history as JSON, and the schema of the document. */
import { z } from 'zod';
import { printableJson } from '../../base/values/printable.ts';
import type { Run } from '../../engine/doors/history.ts';
import { startedBySchema } from '../../engine/doors/plan.ts';
import { fromKinds } from '../../kinds/knownKinds.ts';
import { journaledDocument, resourceIdOf } from '../../report/json/json.ts';
import { journaledCall, planCommands } from '../../report/json/schema.ts';
import { meta, resourceId, time } from '../../report/json/schemaParts.ts';
import { withoutFolders } from '../../report/model/locations.ts';

export const historySchema = fromKinds(() =>
  z
    .object({
      format: z.literal('webdata.history/1').describe('The name of this format, and its version.'),
      runs: z
        .array(
          z.object({
            id: z.string().describe('The id of the run.'),
            command: z
              .enum([...planCommands, 'zones migrate', 'unknown'])
              .describe('The command that ran; `unknown` if the first line of the run is missing or damaged.'),
            front: z
              .string()
              .optional()
              .describe('The front that made the run: `pulumi`, or `program`. Absent for the command line.'),
            by: startedBySchema.optional().describe('The maker of the run, and the commit.'),
            isElsewhere: z
              .boolean()
              .optional()
              .describe(
                'True for paid calls of another folder or front of this machine, which are not in this journal.',
              ),
            origin: meta.origin,
            account: meta.account,
            version: meta.version,
            plan: z.string().optional().describe('The plan file that was applied.'),
            undoes: z.string().optional().describe('The id of the run that was undone.'),
            startedAt: z.string().describe('ISO 8601, in UTC.'),
            endedAt: time.optional(),
            result: z
              .enum(['done', 'failed', 'interrupted'])
              .describe('The result; `interrupted` also while the run is in progress.'),
            damage: z
              .array(
                z.object({
                  line: z.int().describe('Number of the line in the journal, from 1.'),
                  found: z.string().describe('The problem of the line.'),
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
              .describe('The calls, in the order in which they were sent.'),
          }),
        )
        .describe('The runs, the newest first.'),
    })
    .describe('The journal.'),
);

export type HistoryDocument = z.output<ReturnType<typeof historySchema>>;

/** Yields the history as JSON in one part per run, since a long history does not fit into one string. `runs` are in journal order. */
export function* historyJson(runs: readonly Run[]): Generator<string> {
  const empty = { format: 'webdata.history/1', runs: [] } satisfies HistoryDocument;
  const [head, end] = JSON.stringify(empty, null, 2).split('[]');
  if (runs.length === 0) yield `${head}[]${end}\n`;
  for (const [index, run] of runs.toReversed().entries()) {
    const text = JSON.stringify(runDocumentOf(run), null, 2).replaceAll('\n', '\n    ');
    yield `${index === 0 ? `${head}[` : ','}\n    ${printableJson(text)}${index === runs.length - 1 ? `\n  ]${end}\n` : ''}`;
  }
}

function runDocumentOf(run: Run): HistoryDocument['runs'][number] {
  const { id, command, front, by, isElsewhere, origin, account, version, undoes, startedAt } = run;
  return {
    ...{ id, command, front, by, isElsewhere, origin, account, version, undoes, startedAt },
    plan: run.plan === undefined ? undefined : withoutFolders(run.plan),
    endedAt: run.ended?.at,
    result: run.ended?.result ?? 'interrupted',
    damage: run.damage?.map(({ line, found }) => ({ line, found })),
    calls: run.calls.map((journaled) => ({
      resource: resourceIdOf(journaled.resource),
      ...journaledDocument(journaled),
    })),
  };
}
