/** Delivery settings (`deliver`, B1) in triggers and account files. */
import { z } from 'zod';

/** Settings of which the emulator needs nothing: it has no such destinations. */
const other = z.looseObject({ type: z.enum(['s3', 'gcs', 'azure', 'sftp', 'snowflake', 'email']) });

const webhook = z.looseObject({
  type: z.literal('webhook'),
  endpoint: z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }),
  uncompressed_webhook: z.boolean('must be true or false').optional(),
  webhook_header_Authorization: z.string('must be a string').optional(),
});

export const deliverySettingsSchema = z.discriminatedUnion('type', [other, webhook]);

export type DeliverySettings = z.output<typeof deliverySettingsSchema>;
