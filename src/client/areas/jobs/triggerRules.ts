/** Rules of triggers (specification, B1, C1 and Events), checked before anything is sent or billed. */
import { z } from 'zod';
import { assertNoProblems, type Problem, ProblemError } from '../../../base/diagnostics/problem.ts';
import { problemIssue, valueProblems } from '../../../base/diagnostics/zodProblems.ts';
import { isMapValue } from '../../../base/values/plain.ts';
import type { ServiceProfile } from '../../profile.ts';

const words = z.string().min(1);

const webAddress = z.url({ protocol: /^https?$/, error: 'must be an http or https URL' });

/** Checks inputs without a schema for each, because there may be hundreds of thousands. */
const inputs = z.custom<readonly Readonly<Record<string, unknown>>[]>().superRefine((value: unknown, context) => {
  const allowed = 'a list of at least one object; a single input is a list of one';
  if (!Array.isArray(value) || value.length === 0) {
    const found = Array.isArray(value) ? '`inputs` has no input' : '`inputs` is not a list';
    problemIssue(context, { code: 'wrong-inputs', found, allowed });
    return;
  }
  const index = value.findIndex((input) => !isMapValue(input));
  if (index < 0) return;
  const found = `\`inputs[${index}]\` is not an object`;
  problemIssue(context, { code: 'wrong-inputs', path: [index], found, allowed });
});

const notification = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('webhook'), endpoint: webAddress }),
  z.strictObject({ type: z.literal('email'), endpoint: words.optional() }),
]);

const s3 = z.strictObject({
  type: z.literal('s3'),
  bucket: words,
  credentials: z.strictObject({ accessKey: words, secretKey: words }),
  region: words.optional(),
  directory: z.string().optional(),
  filename: z.strictObject({ template: words, extension: words }).optional(),
  deliveryType: words.optional(),
});

/** Destinations whose fields the specification does not show. */
const others = (['gcs', 'azure', 'sftp', 'webhook', 'snowflake', 'email'] as const).map((type) =>
  z.looseObject({ type: z.literal(type) }),
);

const delivery = z.discriminatedUnion('type', [s3, ...others]);

const collectorTrigger = z.strictObject({
  collector: z.string().regex(/^c_\S+$/, 'must be the ID of a collector, c_…'),
  inputs,
  queueNext: z.boolean().optional(),
  notify: notification.optional(),
  deliver: delivery.optional(),
  dev: z.boolean().optional(),
  name: words.optional(),
  queue: words.optional(),
  cancelRunning: z.boolean().optional(),
  noMedia: z.boolean().optional(),
  maxTime: z
    .string()
    .regex(/^0*[1-9]\d*[hms]$/, 'must be a number with h, m or s, such as 2h, 30m or 90s')
    .optional(),
});

const snapshotFormats = ['json', 'ndjson', 'csv'] as const;

const datasetTrigger = z
  .strictObject({
    datasetId: z.string().regex(/^gd_\S+$/, 'must be the ID of a dataset, gd_…'),
    inputs,
    format: z.enum(snapshotFormats).optional(),
    endpoint: webAddress.optional(),
    uncompressed: z.boolean().optional(),
    authorization: z
      .string()
      .regex(/^[!-~](?:[ -~]*[!-~])?$/, 'must be visible ASCII, with spaces only inside')
      .optional(),
  })
  .superRefine(({ endpoint, uncompressed, authorization }, context) => {
    if (endpoint !== undefined) return;
    for (const [name, value] of Object.entries({ authorization, uncompressed }))
      if (isSetting(value)) problemIssue(context, withoutEndpoint([name], 'endpoint'));
  });

/** `false` leaves out a setting of a webhook, and asks for nothing. */
function isSetting(value: unknown): boolean {
  return value !== undefined && value !== false;
}

/** Without a webhook, the result would go elsewhere than the caller believes. */
function withoutEndpoint(path: PropertyKey[], endpoint: string): Problem {
  const name = path.join('.');
  return {
    code: 'setting-without-endpoint',
    path,
    found: `\`${name}\` requires \`${endpoint}\`, which is missing`,
    allowed: `\`${name}\` beside \`${endpoint}\``,
    fix: `add \`${endpoint}\`, the URL of the webhook, or remove \`${name}\``,
  };
}

/** Checks the trigger of a collector. @throws ProblemError with all problems; nothing is sent in that case */
export function checkCollectorTrigger(trigger: unknown, { collectors }: ServiceProfile): void {
  const problems = valueProblems(collectorTrigger, trigger);
  const deliver = isMapValue(trigger) && isMapValue(trigger.deliver) ? trigger.deliver : {};
  if (deliver.type === 'webhook') problems.push(...webhookProblems(deliver, collectors));
  assertNoProblems(problems);
}

function webhookProblems(deliver: Readonly<Record<string, unknown>>, names: ServiceProfile['collectors']): Problem[] {
  const endpointPath = ['deliver', names.webhookEndpointField];
  const endpointName = endpointPath.join('.');
  const endpoint = deliver[names.webhookEndpointField];
  if (endpoint === undefined) {
    return [names.webhookAuthorizationField, names.webhookUncompressedField]
      .filter((name) => isSetting(deliver[name]))
      .map((name) => withoutEndpoint(['deliver', name], endpointName));
  }
  if (webAddress.safeParse(endpoint).success) return [];
  const found = `\`${endpointName}\` is not a URL`;
  return [{ code: 'wrong-format', path: endpointPath, found, allowed: 'an http or https URL' }];
}

/** Checks the trigger of a dataset. @throws ProblemError with all problems; nothing is sent in that case */
export function checkDatasetTrigger(trigger: unknown): void {
  assertNoProblems(valueProblems(datasetTrigger, trigger));
}

/** Checks the format of a snapshot. @throws ProblemError for an unknown one; nothing is sent in that case */
export function checkSnapshotFormat(format: unknown): void {
  if (snapshotFormats.some((each) => each === format)) return;
  const found = `\`format\` is ${JSON.stringify(format)}`;
  throw new ProblemError([{ code: 'not-one-of', path: ['format'], found, allowed: snapshotFormats.join(', ') }]);
}
