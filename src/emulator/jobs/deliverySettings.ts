/** Delivery settings (`deliver`, B1) in triggers and account files. */
import { z } from 'zod';
import type { Dialect } from '../dialect/dialect.ts';

const s3 = z.looseObject({
  type: z.literal('s3'),
  bucket: z.string().optional(),
  credentials: z.looseObject({}).optional(),
  region: z.string().optional(),
  directory: z.string().optional(),
  delivery_type: z.string().optional(),
  filename: z.looseObject({ template: z.string().optional(), extension: z.string().optional() }).optional(),
});

/** Settings of other types, whose fields the specification does not show. */
const other = z.looseObject({ type: z.enum(['gcs', 'azure', 'sftp', 'snowflake', 'email']) });

/** Delivery settings. `deliverySettingsSchemaOf` checks the fields of a webhook, because the dialect names them. */
export const deliverySettingsSchema = z.discriminatedUnion('type', [
  s3,
  other,
  z.looseObject({ type: z.literal('webhook') }),
]);

/** Names of the fields of a webhook. */
export type WebhookFields = Dialect['webhookFields'];

export function deliverySettingsSchemaOf({
  endpoint,
  uncompressed,
  authorization,
}: WebhookFields): typeof deliverySettingsSchema {
  const fields = z.looseObject({
    [endpoint]: z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }),
    [uncompressed]: z.boolean('must be true or false').optional(),
    [authorization]: z.string('must be a string').optional(),
  });
  return deliverySettingsSchema.superRefine((settings, context) => {
    if (settings.type !== 'webhook') return;
    const { error } = fields.safeParse(settings);
    for (const issue of error?.issues ?? []) context.addIssue({ ...issue, input: settings } as z.core.$ZodRawIssue);
  });
}

export type DeliverySettings = z.output<typeof deliverySettingsSchema>;
