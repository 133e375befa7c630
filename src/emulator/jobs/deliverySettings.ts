/** What `deliver` says (B1), as a trigger and an account file write it. */
import { z } from 'zod';
import type { Dialect } from '../dialect/dialect.ts';

const shown = z.looseObject({
  bucket: z.string().optional(),
  credentials: z.looseObject({}).optional(),
  region: z.string().optional(),
  directory: z.string().optional(),
  delivery_type: z.string().optional(),
  filename: z.looseObject({ template: z.string().optional(), extension: z.string().optional() }).optional(),
});

const s3 = shown.extend({ type: z.literal('s3') });

/** The specification shows the fields of `s3` only; those of other types are taken where they have the same names and types. */
const other = z.looseObject({
  type: z.enum(['gcs', 'azure', 'sftp', 'snowflake', 'email']),
  bucket: shown.shape.bucket.catch(undefined),
  name: z.string().optional().catch(undefined),
  directory: shown.shape.directory.catch(undefined),
  filename: shown.shape.filename.catch(undefined),
});

/** The fields of a webhook are looked at by `deliverySettingsSchemaOf`: only the dialect knows their names. */
export const deliverySettingsSchema = z.discriminatedUnion('type', [
  s3,
  other,
  z.looseObject({ type: z.literal('webhook') }),
]);

/** What the fields of a webhook are called. */
export type WebhookFields = Dialect['webhookFields'];

export function deliverySettingsSchemaOf({
  endpoint,
  uncompressed,
  authorization,
}: WebhookFields): typeof deliverySettingsSchema {
  const fields = z.looseObject({
    [endpoint]: z.url({ protocol: /^https?$/ }),
    [uncompressed]: z.boolean().optional(),
    [authorization]: z.string().optional(),
  });
  return deliverySettingsSchema.superRefine((settings, context) => {
    if (settings.type !== 'webhook') return;
    const { error } = fields.safeParse(settings);
    for (const issue of error?.issues ?? []) context.addIssue({ ...issue, input: settings } as z.core.$ZodRawIssue);
  });
}

export type DeliverySettings = z.output<typeof deliverySettingsSchema>;
