/** The file of `--deliver`: where the result of a run goes. It holds credentials, so nothing of them is ever shown. */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { z } from 'zod';
import { ProblemError } from '../../../diagnostics/problem.ts';
import type { Delivery } from '../../../service/areas/jobs/delivery.ts';
import { parseWith } from '../../../yaml/parseWith.ts';
import { readYaml } from '../../../yaml/source.ts';
import type { Io } from '../../output/io.ts';

/** JSON or YAML, in which `${NAME}` is put in from the environment. @throws ProblemError with each fault and its place */
export async function readDelivery(file: string, { cwd, env }: Io): Promise<Delivery> {
  const source = readYaml(await readFile(resolve(cwd, file), 'utf8'), file, { env });
  const parsed = parseWith(delivery, source);
  if (parsed.ok) return parsed.value;
  throw new ProblemError(parsed.problems);
}

const text = z.string().min(1);
const secret = text.meta({ writeOnly: true });

const s3 = z.strictObject({
  type: z.literal('s3'),
  bucket: text,
  credentials: z.strictObject({ accessKey: secret, secretKey: secret }).meta({ writeOnly: true }),
  region: text.exactOptional(),
  directory: text.exactOptional(),
  filename: z.strictObject({ template: text, extension: text }).exactOptional(),
  deliveryType: text.exactOptional(),
});

/** The specification does not show the fields of these. */
const other = z.looseObject({ type: z.enum(['gcs', 'azure', 'sftp', 'webhook', 'snowflake', 'email']) });

const delivery = z.discriminatedUnion('type', [s3, other]);
