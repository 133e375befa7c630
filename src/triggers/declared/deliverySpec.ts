/** The schema of a webhook delivery: where results go, and who is notified (specification, B1, C1 and Events). */
import { z } from 'zod';
import type { Problem } from '../../base/diagnostics/problem.ts';
import { problemIssue, raising } from '../../base/diagnostics/zodProblems.ts';
import { once } from '../../base/values/once.ts';
import { runAddressOf } from '../../keeping/runAddress.ts';
import { endpointProblem } from './endpoint.ts';
import { notBoth, requiring } from './fieldRules.ts';
import { fillPlaceholders, placeholderProblem, tickText } from './placeholders.ts';
import { duration } from './timingSpec.ts';

/** Each part starts with a letter, a digit or `_`, so that a name is never an option of the command, an absolute path or `..`. */
export const secretNamePattern = /^[A-Za-z0-9_][\w.:@#+-]*(?:\/[A-Za-z0-9_][\w.:@#+-]*)*$/;

export const longestSecretName = 200;

const reference = () =>
  [
    z.strictObject({
      env: z
        .string()
        .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'must be the name of an environment variable')
        .describe('An environment variable of the trigger service.')
        .meta({ examples: ['HOOK_AUTHORIZATION'] }),
    }),
    z.strictObject({
      secret: z
        .string()
        .max(longestSecretName)
        .regex(secretNamePattern, 'must be a name such as hooks/authorization, without a part that starts with . or -')
        .describe("A name for the trigger service's secret command.")
        .meta({ examples: ['hooks/authorization'] }),
    }),
  ] as const;

/** A plain text is the secret itself: encrypted in the store, and never shown. */
const secretSource = (text = z.string().min(1)) =>
  z
    .union([text.meta({ writeOnly: true }), ...reference()])
    .meta({ title: 'secret: a text, {env: NAME} or {secret: NAME}', examples: [{ env: 'HOOK_AUTHORIZATION' }] });

const headerSource = () =>
  secretSource(
    z.string().regex(/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/, 'must be text that a header can carry'),
  ).meta({ examples: [{ env: 'HOOK_AUTHORIZATION' }, { secret: 'hooks/authorization' }] });

export type SecretSource = z.output<ReturnType<typeof secretSource>>;

/** https, or http on loopback. The server decides whether private addresses are allowed. */
export const endpointUrl = () =>
  z
    .url({ protocol: /^https?$/ })
    .superRefine(raising((text) => endpointProblem(text, { allowPrivate: true })))
    .meta({ pattern: '^https?://', examples: ['https://hooks.example.com/webdata'] });

/** An endpoint that may name the run in its path and its query. */
const runUrl = () =>
  endpointUrl()
    .superRefine(raising(placeholderProblem))
    .meta({ ...endpointUrl().meta(), format: 'uri-template' });

const placeholders = 'May contain `{owner}`, `{schedule}`, `{tick}` and `{run}`.';

/** Text with placeholders for what is known of a run. The service has others, such as `{[datetime]}`. */
const targetText = () =>
  z.string().superRefine(raising((text) => placeholderProblem(text.replaceAll(/\{\[[^{}]*\]\}/g, ''))));

const s3 = () =>
  z
    .strictObject({
      type: z.literal('s3').describe('A bucket.'),
      bucket: z.string().min(1).describe('The name of the bucket.'),
      credentials: z
        .strictObject({
          accessKey: secretSource().describe('The access key.'),
          secretKey: secretSource().describe('The secret key.'),
        })
        .describe('The credentials of the bucket.'),
      region: z.string().min(1).optional().describe('The region of the bucket.'),
      directory: targetText().optional().describe(`The folder in the bucket. ${placeholders}`),
      filename: z
        .strictObject({
          template: targetText().min(1).describe('May contain `{[datetime]}`, and the placeholders of `directory`.'),
          extension: z.string().min(1).describe('Such as `json`.'),
        })
        .optional()
        .describe('The names of files.'),
      deliveryType: z.string().min(1).optional().describe('Such as `deliver_results`.'),
    })
    .describe('A bucket of S3, or of an S3-compatible store.');

const other = () =>
  z
    .looseObject({
      type: z.enum(['gcs', 'azure', 'sftp', 'snowflake', 'email']).describe('The kind of destination.'),
    })
    .describe('The specification does not show the fields of these: they are sent unchanged.');

export type DeliveryDestination = z.output<ReturnType<typeof s3>> | z.output<ReturnType<typeof other>>;

const notify = () =>
  z.discriminatedUnion('type', [
    z.strictObject({
      type: z.literal('webhook').describe('By an HTTP request.'),
      endpoint: runUrl().describe('The URL that receives the request, with the placeholders of `endpoint` above.'),
    }),
    z.strictObject({
      type: z.literal('email').describe('By email.'),
      endpoint: z.string().min(1).optional().describe('The address; by default the address of the account.'),
    }),
  ]);

export const deliverySpec = once(() =>
  z
    .strictObject({
      endpoint: runUrl()
        .optional()
        .describe(`The webhook that receives results: https, or http on loopback. ${placeholders}`),
      compression: z
        .enum(['gzip', 'none'])
        .default('gzip')
        .describe('The compression of results for the webhook.')
        .meta({ examples: ['gzip'] }),
      authorization: headerSource()
        .optional()
        .describe(
          'The Authorization header of requests to the webhook: a reference, or the text itself, which the trigger service encrypts.',
        ),
      reportedWithin: duration
        .optional()
        .describe(
          'The time after the end of a run within which a receiver that runs with `--report-to` must have its rows. After that the run is `undelivered`. Requires an `endpoint` that ends with `/{tick}.{run}` or `/{run}`, or has `?run={run}`.',
        )
        .meta({ examples: ['1h'] }),
      destination: z
        .discriminatedUnion('type', [s3(), other()])
        .optional()
        .describe('The destination of results instead of a webhook; collectors only.')
        .meta({
          examples: [{ type: 'sftp', host: 'files.example.com' }],
        }),
      notify: notify()
        .optional()
        .describe('The recipient of a notification when a job is finished and delivered; collectors only.')
        .meta({ examples: [{ type: 'webhook', endpoint: 'https://hooks.example.com/finished' }] }),
    })
    .superRefine((spec, context) => {
      for (const problem of deliveryProblems(spec)) problemIssue(context, problem);
    })
    .describe('The destination of results of scheduled runs, and who is notified. Registered in the trigger service.')
    .meta({ dependentRequired: { authorization: ['endpoint'] } }),
);

export type DeliverySpec = z.output<ReturnType<typeof deliverySpec>>;

function deliveryProblems(spec: DeliverySpec): Problem[] {
  const { endpoint, destination, notify, reportedWithin } = spec;
  if (endpoint === undefined && destination === undefined && notify === undefined) return [nowhere];
  return [
    ...notBoth(spec, ['endpoint', 'destination']),
    ...requiring(spec, ['authorization'], 'endpoint'),
    ...(reportedWithin !== undefined && !namesRun(endpoint) ? [unreportable] : []),
  ];
}

/** Returns whether the receiver can find the run in the endpoint. */
function namesRun(endpoint = ''): boolean {
  const run = `r_${'0'.repeat(20)}`;
  const url = URL.parse(fillPlaceholders(endpoint, { owner: 'o', schedule: 's', tick: tickText(0), run }, String));
  return url !== null && runAddressOf(url)?.run === run;
}

const unreportable: Problem = {
  code: 'no-run-in-endpoint',
  path: ['reportedWithin'],
  found: '`reportedWithin` is declared, and `endpoint` does not name the run where the receiver finds it',
  allowed: 'an `endpoint` that ends with the part `{run}` or `{tick}.{run}`, or with `?run={run}`; at most 8 parts',
  fix: 'write the endpoint as https://HOST/PATH/{tick}.{run}',
};

const nowhere: Problem = {
  code: 'delivery-to-nowhere',
  found: 'the delivery has no destination and notifies no one',
  allowed: '`endpoint`, `destination` or `notify`',
  fix: 'add `endpoint: https://…`',
};
