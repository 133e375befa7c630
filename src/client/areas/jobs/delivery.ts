/** Destinations and notifications of collector jobs (specification, B1 and Events): `deliver` and `notify` of a trigger. */

import { isSecretName } from '../../../base/values/secretName.ts';
import type { ServiceProfile } from '../../profile.ts';

export interface S3Delivery {
  type: 's3';
  bucket: string;
  credentials: { accessKey: string; secretKey: string };
  region?: string;
  directory?: string;
  /** File name. The template may contain `{[datetime]}`. */
  filename?: { template: string; extension: string };
  /** Delivery type, such as `deliver_results`. */
  deliveryType?: string;
}

/** A destination whose fields the specification does not show. They are sent unchanged. */
export interface OtherDelivery {
  type: 'gcs' | 'azure' | 'sftp' | 'webhook' | 'snowflake' | 'email';
  [field: string]: unknown;
}

export type Delivery = S3Delivery | OtherDelivery;

export type Notification = { type: 'webhook'; endpoint: string } | { type: 'email'; endpoint?: string };

/** Returns the delivery in the form of the API. */
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

/** Returns the secrets of a delivery: texts with secret names, and the header of a webhook, whose name the profile defines. */
export function secretsIn(delivery: Delivery, { collectors }: ServiceProfile): string[] {
  const header = delivery.type === 'webhook' ? delivery[collectors.webhookAuthorizationField] : undefined;
  return [...(typeof header === 'string' ? headerSecrets(header) : []), ...namedSecrets(delivery)];
}

/** Returns the value of an Authorization header, and the same without its scheme. */
export function headerSecrets(header: string): string[] {
  return [header, ...header.split(/\s+/).slice(1)];
}

function namedSecrets(value: unknown, secret = false): string[] {
  if (typeof value === 'string') return secret && value.length >= shortestSecret ? [value] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, field]) => namedSecrets(field, secret || isSecretName(name)));
}

/** Minimum length of a secret that is hidden by value. Shorter ones would match unrelated text; their names still hide them. */
const shortestSecret = 6;

/** All source addresses, in the order of the specification. */
export const deliverySourceIps: readonly string[] = [
  '54.175.27.69',
  '34.225.9.175',
  '100.28.38.247',
  '100.29.18.195',
  '52.72.185.255',
  '35.174.112.248',
  '54.165.183.124',
  '3.91.140.7',
  '52.202.75.37',
  '98.82.225.117',
  '100.27.150.189',
  '18.214.10.85',
  '35.169.71.210',
  '44.194.183.74',
];
