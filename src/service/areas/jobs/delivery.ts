/** Where a batch goes when it is finished, and who is told (specification, B1 and Events): `deliver` and `notify` of a trigger. */
import type { ServiceProfile } from '../../profile.ts';
import { isSecretName } from '../../redact.ts';

export interface S3Delivery {
  type: 's3';
  bucket: string;
  credentials: { accessKey: string; secretKey: string };
  region?: string;
  directory?: string;
  /** The template may contain `{[datetime]}`. */
  filename?: { template: string; extension: string };
  /** Such as `deliver_results`. */
  deliveryType?: string;
}

/** The specification does not show the fields of these: they are sent as they are. */
export interface OtherDelivery {
  type: 'gcs' | 'azure' | 'sftp' | 'webhook' | 'snowflake' | 'email';
  [field: string]: unknown;
}

export type Delivery = S3Delivery | OtherDelivery;

export type Notification = { type: 'webhook'; endpoint: string } | { type: 'email'; endpoint?: string };

/** The delivery as it goes over the wire. */
export function wireDelivery(delivery: Delivery, { collectors }: ServiceProfile): Record<string, unknown> {
  if (delivery.type !== 's3') return delivery;
  const { credentials, deliveryType, ...rest } = delivery;
  return {
    ...rest,
    credentials: {
      [collectors.accessKeyField]: credentials.accessKey,
      [collectors.secretKeyField]: credentials.secretKey,
    },
    ...(deliveryType === undefined ? {} : { delivery_type: deliveryType }),
  };
}

/** What nobody may see of it: texts under names that say so, and the header of a webhook, whatever the profile calls it. */
export function secretsIn(delivery: Delivery, { collectors }: ServiceProfile): string[] {
  const header = delivery.type === 'webhook' ? delivery[collectors.webhookAuthorizationField] : undefined;
  return [...(typeof header === 'string' ? headerSecrets(header) : []), ...namedSecrets(delivery)];
}

/** The value of an Authorization header, and what it is without its scheme. */
export function headerSecrets(header: string): string[] {
  return [header, ...header.split(/\s+/).slice(1)];
}

function namedSecrets(value: unknown, secret = false): string[] {
  if (typeof value === 'string') return secret && value.length >= shortestSecret ? [value] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, field]) => namedSecrets(field, secret || isSecretName(name)));
}

/** Shorter ones are hidden by the name that they stand under only: they would be found in text that has nothing to do with them. */
const shortestSecret = 6;
