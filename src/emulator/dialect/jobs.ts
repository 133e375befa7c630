/** Dialect of collectors and datasets: triggers, results and deliveries (B, C, Events). */
import { z } from 'zod';

const name = z.string().min(1);

const triggerAnswers = z.strictObject({
  collectorId: name.default('collection_id').describe('Field with the ID of a collector job.'),
  snapshotId: name.default('snapshot_id').describe('Field with the ID of a snapshot.'),
  startEta: z
    .enum(['iso', 'missing', 'null', 'seconds', 'words'])
    .default('iso')
    .describe('`start_eta`: ISO 8601, missing, null, seconds since 1970, or words.'),
  status: z.int().min(200).max(299).default(200).describe('Status of the answer.'),
});

const results = z.strictObject({
  states: z
    .array(z.string().min(1))
    .min(1)
    .default(['building'])
    .describe('State words of a collector job that is not ready, in order of progress; `{detail}` of `job-building`.'),
  unknownSeconds: z
    .number()
    .nonnegative()
    .default(0)
    .describe('Seconds after its trigger for which a job is refused as `unknown-snapshot`.'),
});

const delivery = z.strictObject({
  attempts: z.int().min(1).default(4).describe('Total number of attempts.'),
  firstDelayMs: z
    .number()
    .nonnegative()
    .default(1000)
    .describe('Milliseconds before the second attempt; doubled for each further one.'),
  acknowledgeMs: z.int().min(1).default(30_000).describe('Milliseconds within which the webhook must answer 200.'),
  test: z
    .boolean()
    .default(false)
    .describe('Sends an empty POST with the same Authorization before the first attempt, and ignores the answer.'),
});

export const jobFields = {
  snapshotRoutes: z
    .enum(['download', 'snapshot', 'both'])
    .default('download')
    .describe(
      'Routes of snapshots: the specified download, or `/datasets/v3/snapshot/ID` with progress and cancel, or both.',
    ),
  triggerAnswers: triggerAnswers.prefault({}).describe('Form of the answer to a trigger.'),
  results: results.prefault({}).describe('Result of a collector job before it is ready.'),
  delivery: delivery.prefault({}).describe('Attempts to deliver to a webhook.'),
};
