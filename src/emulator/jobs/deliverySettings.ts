/** Delivery settings (`deliver`, B1) in triggers and account files. */
import { z } from 'zod';

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

const webhook = z.looseObject({
  type: z.literal('webhook'),
  endpoint: z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }),
  uncompressed_webhook: z.boolean('must be true or false').optional(),
  webhook_header_Authorization: z.string('must be a string').optional(),
});

export const deliverySettingsSchema = z.discriminatedUnion('type', [s3, other, webhook]);

export type DeliverySettings = z.output<typeof deliverySettingsSchema>;
