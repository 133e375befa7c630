/** Destinations of results and notifications: a webhook, which is called, or a place that the emulator does not have. */
import type { DeliverySettings } from './deliverySettings.ts';

export interface WebhookDestination {
  type: 'webhook';
  url: string;
  uncompressed: boolean;
  authorization?: string | undefined;
}

export type Destination = WebhookDestination | { type: Exclude<DeliverySettings['type'], 'webhook'> };

export function destinationOf(settings: DeliverySettings): Destination {
  if (settings.type !== 'webhook') return { type: settings.type };
  const { type, endpoint: url, uncompressed_webhook: uncompressed = false } = settings;
  return { type, url, uncompressed, authorization: settings.webhook_header_Authorization };
}
