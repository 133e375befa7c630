/** Destinations of results: a webhook, or a file below one folder. */

import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { makeFolder } from '../../base/files/folders.ts';
import type { Job } from '../core/runs.ts';
import type { DeliverySettings, WebhookFields } from './deliverySettings.ts';
import type { Format } from './rowText.ts';

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

/** Schema of a destination. A folder needs no credentials. */
export const destinationSchema = z.discriminatedUnion('type', [webhook, place]);

export type WebhookDestination = z.output<typeof webhook>;
type FileDestination = z.output<typeof place>;
export type Destination = WebhookDestination | FileDestination;

/** Returns the destination for checked settings. Results go to a webhook in the same form as those of a dataset. */
export function destinationOf(
  settings: DeliverySettings,
  run: Pick<Job, 'id' | 'of'>,
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

/** Returns the path `TYPE/BUCKET/DIRECTORY/FILENAME`, which never leaves its folder, even if a name contains `..` or separators. */
export function pathOf({ type, bucket, directory, template, extension }: FileDestination, at: Date): string {
  const datetime = at.toISOString().replaceAll(/[-:]|\.\d+/g, '');
  const ending = extension.replace(/^\./, '');
  const file = template.replaceAll('{[datetime]}', datetime) + (ending && `.${ending}`);
  const [first = '_', ...more] = partsOf(file);
  return join(type, safeName(bucket), ...partsOf(directory), first, ...more);
}

/** Returns the format for an extension; a list for an unknown one. */
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

/** Makes a valid file or folder name for any system: no `..`, no separators, limited length. */
function safeName(text: string): string {
  const name = text.replaceAll(/[\p{Cc}<>:"|?*/\\]/gu, '_');
  if (/^\.*$/.test(name)) return '_';
  return Buffer.byteLength(name) <= maxNameBytes ? name : Buffer.from(name).subarray(0, maxNameBytes).toString();
}

/** Writes a file that gets its name only when it is complete. An existing file of that name is replaced, as in a bucket. */
export async function writeIntoFolder(
  folder: string,
  path: string,
  { id, body, closing }: { id: string; body: Readable | string; closing: AbortSignal },
): Promise<'written' | 'unwritable'> {
  const file = join(folder, path);
  const part = join(dirname(file), `.${id}.part`);
  try {
    await makeFolder(dirname(file));
    await pipeline(typeof body === 'string' ? [body] : body, createWriteStream(part), { signal: closing });
    await rename(part, file);
    return 'written';
  } catch (error) {
    await rm(part, { force: true }).catch(() => undefined);
    if (closing.aborted) throw error;
    return 'unwritable';
  }
}
