/** Destinations of results and notifications: a webhook, which is called, or a place that the emulator does not have. */
import { z } from 'zod';
import type { DeliverySettings, WebhookFields } from './deliverySettings.ts';

const webhook = z.strictObject({
  type: z.literal('webhook'),
  url: z.string(),
  uncompressed: z.boolean(),
  authorization: z.string().optional(),
});

const place = z.strictObject({ type: z.enum(['s3', 'gcs', 'azure', 'sftp', 'snowflake', 'email']) });

export const destinationSchema = z.discriminatedUnion('type', [webhook, place]);

export type WebhookDestination = z.output<typeof webhook>;
export type Destination = z.output<typeof destinationSchema>;

/** Returns the destination for checked settings. Results go to a webhook in the same form as those of a dataset. */
export function destinationOf(settings: DeliverySettings, fields: WebhookFields): Destination {
  if (settings.type !== 'webhook') return { type: settings.type };
  const given: Readonly<Record<string, unknown>> = settings;
  return webhook.parse({
    type: 'webhook',
    url: given[fields.endpoint],
    uncompressed: given[fields.uncompressed] ?? false,
    authorization: given[fields.authorization],
  });
}
