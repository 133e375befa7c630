/**
 * The service profile: one field, with a default, for each detail that the specification leaves open ("not shown"). Set under
 * `service.profile` in the YAML file, or passed to `createClient` and `createManager`.
 */
import { z } from 'zod';
import { ProblemError } from '../diagnostics/problem.ts';

const geolocation = z
  .strictObject({
    first: z
      .string()
      .min(1)
      .optional()
      .describe('Key of the database beside `ip`; read from the listing by default.')
      .meta({ examples: ['geo_db_1'] }),
    others: z
      .array(z.string().min(1))
      .optional()
      .describe('Keys of the databases in `ext`, or beside `ip`; read from the listing by default.')
      .meta({ examples: [['geo_db_2', 'geo_db_3', 'geo_db_4']] }),
    countryDatabase: z
      .string()
      .min(1)
      .optional()
      .describe(
        "The database that decides an IP's country, by default the first. Where it has none, the next one does.",
      )
      .meta({ examples: ['geo_db_1'] }),
  })
  .refine(
    ({ first, others, countryDatabase }) =>
      first === undefined || others === undefined || [first, ...others].includes(countryDatabase ?? first),
    { error: 'must be the first database or one of the others', path: ['countryDatabase'] },
  );

const perCountrySwitch = z.strictObject({
  name: z.string().min(1).default('ip_per_country').describe('The query parameter.'),
  value: z.string().default('true').describe('Its value.'),
  supported: z
    .boolean()
    .optional()
    .describe('`false` if the service ignores the switch: the listing is counted instead. Detected by default.')
    .meta({ examples: [false] }),
});

const parsedSwitch = z.strictObject({
  name: z.string().min(1).default('parsed').describe('The query parameter.'),
  value: z.string().default('json').describe('Its value.'),
});

const managerPorts = z.strictObject({
  route: z
    .string()
    .regex(/^\/[\x21-\x7e]*$/, 'must be a path that begins with /')
    .optional()
    .describe('A route of the manager that lists its ports; without one they are looked for in the recent stats.')
    .meta({ examples: ['/api/proxies_running'] }),
  recentStatsKey: z
    .string()
    .min(1)
    .optional()
    .describe('The key of the ports in the recent stats; by default `ports`, or found out.')
    .meta({ examples: ['ports'] }),
});

const headerName = z.string().regex(/^[\w!#$%&'*+.^`|~-]+$/, 'must be the name of a header');

const managerTokenHeader = z.strictObject({
  name: headerName.default('Authorization').describe('The header that carries the token of the manager.'),
  scheme: z
    .string()
    .regex(/^[\x21-\x7e]*$/, 'must be one word')
    .default('Bearer')
    .describe('The word before the token; empty for none.'),
});

const manager = z.strictObject({
  readSettings: z
    .enum(['auto', 'get', 'put'])
    .default('auto')
    .describe(
      'How settings are read: `get`, `put` of {} (which changes nothing), or `auto`: GET, and where that gives no settings PUT.',
    ),
  ports: managerPorts.prefault({}).describe('How the ports of the manager are observed.'),
  tokenHeader: managerTokenHeader.prefault({}).describe('How the token of the manager is sent, where it asks for one.'),
});

const parameter = z.string().regex(/^[\w-]+$/, 'must be the name of a query parameter');

const collectors = z.strictObject({
  versionParameter: parameter.default('version').describe('Set to `dev`, it runs the development version.'),
  nameParameter: parameter.default('name').describe('Names the run for people.'),
  queueParameter: parameter.default('queue').describe('Names the queue whose runs start one after another.'),
  cancelRunningParameter: parameter.default('cancel_running').describe('Set to 1, it cancels a run under way.'),
  noMediaParameter: parameter.default('no_downloads').describe('Set to 1, it downloads no media.'),
  maxTimeParameter: parameter.default('deadline').describe('The longest time that the run may take, like `1h`.'),
  accessKeyField: z.string().min(1).default('aws-access-key').describe('The access key in the credentials for `s3`.'),
  secretKeyField: z.string().min(1).default('aws-secret-key').describe('The secret key in the credentials for `s3`.'),
  webhookEndpointField: z
    .string()
    .min(1)
    .default('endpoint')
    .describe('The URL in a `deliver` of type `webhook`, an assumption, as are the next two.'),
  webhookUncompressedField: z
    .string()
    .min(1)
    .default('uncompressed_webhook')
    .describe('Set to true there, the result is sent uncompressed.'),
  webhookAuthorizationField: z
    .string()
    .min(1)
    .default('webhook_header_Authorization')
    .describe('The Authorization header that the result is sent with.'),
});

const datasets = z.strictObject({
  endpointParameter: z
    .enum(['endpoint', 'webhook'])
    .default('endpoint')
    .describe('The query parameter that names the webhook; the specification has both.'),
});

/** Form of a part of a user name of the native proxy: `-` separates parts, `:` ends the name. */
export const userNamePart = /^[!-,.-9;-~]+$/;

export const serviceProfile = z.strictObject({
  geolocation: geolocation.prefault({}).describe('The key names of the geolocation databases in listings of IPs.'),
  perCountrySwitch: perCountrySwitch
    .prefault({})
    .describe('The query switch that makes the listing of IPs answer with a number for each country.'),
  resellerPath: z
    .string()
    .regex(/^\/[\x21-\x7e]*\{partner\}[\x21-\x7e]*$/, 'must be a path that begins with / and contains {partner}')
    .default('/api/{partner}/get_asn')
    .describe('The path of the reseller call; the specification documents {partner} as the name of a zone.'),
  settleSeconds: z
    .number()
    .min(0)
    .default(10)
    .describe('How long a listing of IPs may lag behind a change, in seconds.'),
  migrateBatchLimit: z
    .int()
    .min(1)
    .optional()
    .describe('The most IPs in one migration; no limit by default.')
    .meta({ examples: [100] }),
  tagHeader: headerName
    .default('x-c-tag')
    .describe('The header in which the answer to a proxied request returns its tag.'),
  collectors: collectors.prefault({}).describe('What is open about batches of collectors.'),
  datasets: datasets.prefault({}).describe('What is open about dataset collections.'),
  searchEngineUrl: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('The address of the search engine, before `/search` and `/reviews`; needed for searches.')
    .meta({ pattern: '^https?://', examples: ['https://search.example.com'] }),
  parsedSwitch: parsedSwitch
    .prefault({})
    .describe('The query parameter of a search page that asks for parsed results, an assumption.'),
  proxyUserPrefix: z
    .string()
    .regex(userNamePart, 'must be one word without "-", ":" and spaces')
    .default('svc')
    .describe('The first word of the user name for the native proxy.'),
  manager: manager.prefault({}).describe('What is open about the local proxy manager.'),
});

export type ServiceProfile = z.output<typeof serviceProfile>;

/** A profile as it is written: every field is optional. */
export type ServiceProfileInput = z.input<typeof serviceProfile>;

/** Parses a profile and fills in the defaults. @throws ProblemError with every error and its path */
export function parseProfile(input: unknown = {}): ServiceProfile {
  const result = serviceProfile.safeParse(input);
  if (result.success) return result.data;
  throw new ProblemError(
    result.error.issues.map(({ path, message }) => ({
      code: 'invalid-profile',
      found: `service profile, ${z.core.toDotPath(path) || 'top'}: ${message}`,
      path,
    })),
  );
}
