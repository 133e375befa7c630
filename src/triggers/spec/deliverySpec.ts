/** What is declared, and registered, of a webhook delivery: where results go, and who is told (specification, B1, C1 and Events). */
import { z } from 'zod';
import type { Problem } from '../../diagnostics/problem.ts';
import { problemIssue } from '../../diagnostics/zodProblems.ts';
import { endpointProblem } from './endpoint.ts';

/** The name of a secret: each part begins with a letter, a digit or `_`: no option of the command, no absolute path, no `..`. */
export const secretNamePattern = /^[A-Za-z0-9_][\w.:@#+-]*(?:\/[A-Za-z0-9_][\w.:@#+-]*)*$/;

export const longestSecretName = 200;

const reference = [
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
      .regex(secretNamePattern, 'must be a name such as hooks/authorization, without a part that begins with . or -')
      .describe("A name for the trigger service's secret command.")
      .meta({ examples: ['hooks/authorization'] }),
  }),
] as const;

/** A text in it is the secret itself: encrypted in the store, and shown to nobody. */
const secretSource = z
  .union([z.string().min(1).meta({ writeOnly: true }), ...reference])
  .meta({ title: 'secret: a text, {env: NAME} or {secret: NAME}', examples: [{ env: 'HOOK_AUTHORIZATION' }] });

const headerSource = z
  .union([
    z
      .string()
      .regex(/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/, 'must be text that a header can carry')
      .meta({ writeOnly: true }),
    ...reference,
  ])
  .meta({
    title: 'secret: a text, {env: NAME} or {secret: NAME}',
    examples: [{ env: 'HOOK_AUTHORIZATION' }, { secret: 'hooks/authorization' }],
  });

export type SecretSource = z.output<typeof secretSource>;

/** http where it is on loopback, else https. Whether it may be private is for the server to say. */
export const endpointUrl = z
  .url({ protocol: /^https?$/ })
  .superRefine((text, context) => {
    const problem = endpointProblem(text, { allowPrivate: true });
    if (problem !== undefined) problemIssue(context, problem);
  })
  .meta({ pattern: '^https?://', examples: ['https://hooks.example.com/webdata'] });

const s3 = z
  .strictObject({
    type: z.literal('s3').describe('A bucket.'),
    bucket: z.string().min(1).describe('Its name.'),
    credentials: z
      .strictObject({
        accessKey: secretSource.describe('The access key.'),
        secretKey: secretSource.describe('The secret key.'),
      })
      .describe('Whose bucket it is.'),
    region: z.string().min(1).optional().describe('Where the bucket is.'),
    directory: z.string().optional().describe('The folder in the bucket.'),
    filename: z
      .strictObject({
        template: z.string().min(1).describe('May contain `{[datetime]}`.'),
        extension: z.string().min(1).describe('Such as `json`.'),
      })
      .optional()
      .describe('How files are named.'),
    deliveryType: z.string().min(1).optional().describe('Such as `deliver_results`.'),
  })
  .describe('A bucket of S3, or of a store that speaks its language.');

const other = z
  .looseObject({
    type: z.enum(['gcs', 'azure', 'sftp', 'snowflake', 'email']).describe('What kind of place it is.'),
  })
  .describe('The specification does not show the fields of these: they are sent as they stand here.');

export type Destination = z.output<typeof s3> | z.output<typeof other>;

const notify = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('webhook').describe('By a request.'),
    endpoint: endpointUrl.describe('The URL that is told.'),
  }),
  z.strictObject({
    type: z.literal('email').describe('By mail.'),
    endpoint: z.string().min(1).optional().describe('The address; by default, that of the account.'),
  }),
]);

export const deliverySpec = z
  .strictObject({
    endpoint: endpointUrl.optional().describe('The webhook that results are sent to: https, or http on loopback.'),
    compression: z
      .enum(['gzip', 'none'])
      .default('gzip')
      .describe('How results are sent to the webhook.')
      .meta({ examples: ['gzip'] }),
    authorization: headerSource
      .optional()
      .describe(
        'The Authorization header that results are sent to the webhook with: a reference, or the text itself, which the trigger service keeps encrypted.',
      ),
    destination: z
      .discriminatedUnion('type', [s3, other])
      .optional()
      .describe('Where results go instead of a webhook; of collectors only.')
      .meta({
        alternativeTo: 'endpoint',
        examples: [{ type: 'sftp', host: 'files.example.com' }],
      }),
    notify: notify
      .optional()
      .describe('Who is told when a run is finished and delivered; of collectors only.')
      .meta({ examples: [{ type: 'webhook', endpoint: 'https://hooks.example.com/finished' }] }),
  })
  .superRefine((spec, context) => {
    for (const problem of deliveryProblems(spec)) problemIssue(context, problem);
  })
  .describe('Where results of scheduled runs go, and who is told. It is registered in the trigger service.');

export type DeliverySpec = z.output<typeof deliverySpec>;

function deliveryProblems({
  endpoint,
  authorization,
  destination,
  notify,
}: Pick<DeliverySpec, 'endpoint' | 'authorization' | 'destination' | 'notify'>): Problem[] {
  if (endpoint === undefined && destination === undefined && notify === undefined) return [nowhere];
  return [
    ...(endpoint !== undefined && destination !== undefined ? [twoDestinations] : []),
    ...(endpoint === undefined && authorization !== undefined ? [authorizationOfNothing] : []),
  ];
}

const nowhere: Problem = {
  code: 'delivery-to-nowhere',
  found: 'a delivery that goes nowhere and tells nobody',
  allowed: 'an `endpoint`, a `destination` or a `notify`',
  fix: 'add `endpoint: https://…`',
};

const twoDestinations: Problem = {
  code: 'two-destinations',
  path: ['destination'],
  found: 'results go to a webhook and to a destination',
  allowed: '`endpoint` or `destination`',
  fix: 'take one of them out, or make two deliveries',
};

const authorizationOfNothing: Problem = {
  code: 'authorization-without-endpoint',
  path: ['authorization'],
  found: '`authorization` is sent to the endpoint, and there is none',
  allowed: '`authorization` beside `endpoint`',
  fix: 'add `endpoint: https://…`, or take it out',
};
