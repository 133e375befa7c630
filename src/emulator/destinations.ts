/** Where the result of a batch goes: what `deliver` says (B1), as a webhook to call or as a file below one folder. */

import { join } from 'node:path';
import { z } from 'zod';
import type { Run } from './core/runs.ts';
import type { Dialect } from './dialect.ts';
import type { Format } from './rowText.ts';

const shown = z.looseObject({
  bucket: z.string().optional(),
  directory: z.string().optional(),
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

/** The fields of a webhook are looked at by `deliverySchemaOf`: only the dialect knows their names. */
export const deliverySchema = z.discriminatedUnion('type', [s3, other, z.looseObject({ type: z.literal('webhook') })]);

/** What the fields of a webhook are called. */
type WebhookFields = Dialect['webhookFields'];

export function deliverySchemaOf({ endpoint, uncompressed, authorization }: WebhookFields): typeof deliverySchema {
  const fields = z.looseObject({
    [endpoint]: z.url({ protocol: /^https?$/ }),
    [uncompressed]: z.boolean().optional(),
    [authorization]: z.string().optional(),
  });
  return deliverySchema.superRefine((settings, context) => {
    if (settings.type !== 'webhook') return;
    const { error } = fields.safeParse(settings);
    for (const issue of error?.issues ?? []) context.addIssue({ ...issue, input: settings } as z.core.$ZodRawIssue);
  });
}

export type DeliverySettings = z.output<typeof deliverySchema>;

const webhook = z.strictObject({
  type: z.literal('webhook'),
  url: z.string(),
  uncompressed: z.boolean(),
  authorization: z.string().optional(),
});

const place = z.strictObject({
  type: z.enum(['s3', 'gcs', 'azure', 'sftp', 'snowflake', 'email']),
  bucket: z.string(),
  directory: z.string(),
  template: z.string(),
  extension: z.string(),
});

/** Without credentials: a folder asks for none. */
export const destinationSchema = z.discriminatedUnion('type', [webhook, place]);

export type WebhookDestination = z.output<typeof webhook>;
export type FileDestination = z.output<typeof place>;
export type Destination = WebhookDestination | FileDestination;

/** Of settings that `deliverySchemaOf` has checked. The result goes to a webhook as that of a dataset does. */
export function destinationOf(
  settings: DeliverySettings,
  run: Pick<Run, 'id' | 'of'>,
  fields: WebhookFields,
): Destination {
  if (settings.type === 'webhook') return webhookOf(settings, fields);
  const { type, bucket, directory = '', filename } = settings;
  const name = 'name' in settings && typeof settings.name === 'string' ? settings.name : run.of;
  const { template = '', extension = 'json' } = filename ?? {};
  return { type, bucket: bucket ?? name, directory, template: template || run.id, extension };
}

function webhookOf(settings: Readonly<Record<string, unknown>>, fields: WebhookFields): WebhookDestination {
  return webhook.parse({
    type: 'webhook',
    url: settings[fields.endpoint],
    uncompressed: settings[fields.uncompressed] ?? false,
    authorization: settings[fields.authorization],
  });
}

/** As `TYPE/BUCKET/DIRECTORY/FILENAME`: never outside of where that begins, whatever stands in it. */
export function pathOf({ type, bucket, directory, template, extension }: FileDestination, at: Date): string {
  const datetime = at.toISOString().replaceAll(/[-:]|\.\d+/g, '');
  const ending = extension.replace(/^\./, '');
  const file = template.replaceAll('{[datetime]}', datetime) + (ending && `.${ending}`);
  const [first = '_', ...more] = partsOf(file);
  return join(type, safeName(bucket), ...partsOf(directory), first, ...more);
}

/** By the extension; what is none of these gets a list. */
export function formatOf({ extension }: FileDestination): Format {
  const name = extension.replace(/^\./, '').toLowerCase();
  return name === 'csv' ? 'csv' : /^(ndjson|jsonl)$/.test(name) ? 'ndjson' : 'json';
}

const partsOf = (path: string): string[] =>
  path
    .split(/[/\\]/)
    .filter((part) => part !== '' && part !== '.')
    .map(safeName);

const maxNameBytes = 200;

/** One name of a file or folder, on any system: no way up, no separators, and not too long. */
function safeName(text: string): string {
  const name = text.replaceAll(/[\p{Cc}<>:"|?*/\\]/gu, '_');
  if (/^\.*$/.test(name)) return '_';
  return Buffer.byteLength(name) <= maxNameBytes ? name : Buffer.from(name).subarray(0, maxNameBytes).toString();
}
