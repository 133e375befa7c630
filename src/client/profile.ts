/**
 * The service profile: one field, with a default, for each detail that the specification leaves open ("not shown"). Set under
 * `service.profile` in the YAML file, or passed to `createClient` and `createManager`.
 */
import { z } from 'zod';
import { ProblemError } from '../base/diagnostics/problem.ts';
import { whenUsed } from '../base/diagnostics/zodLazy.ts';
import { parse } from '../base/diagnostics/zodProblems.ts';
import { isMapValue } from '../base/values/plain.ts';

const geolocation = () =>
  z
    .strictObject({
      first: z
        .string()
        .min(1)
        .optional()
        .describe('Key of the database beside `ip`; inferred from the listing by default.')
        .meta({ examples: ['geo_db_1'] }),
      others: z
        .array(z.string().min(1))
        .optional()
        .describe('Keys of the databases in `ext`, or beside `ip`; inferred from the listing by default.')
        .meta({ examples: [['geo_db_2', 'geo_db_3', 'geo_db_4']] }),
      countryDatabase: z
        .string()
        .min(1)
        .optional()
        .describe(
          "Database that determines an IP's country, by default the first. If it has no country, the next one is used.",
        )
        .meta({ examples: ['geo_db_1'] }),
    })
    .refine(
      ({ first, others, countryDatabase }) =>
        first === undefined || others === undefined || [first, ...others].includes(countryDatabase ?? first),
      { error: 'must be the first database or one of the others', path: ['countryDatabase'] },
    );

const perCountrySwitch = () =>
  z.strictObject({
    name: z.string().min(1).default('ip_per_country').describe('The query parameter that requests numbers by country.'),
    value: z.string().default('true').describe('The value of that parameter.'),
    supported: z
      .boolean()
      .optional()
      .describe('`false` if the service ignores the switch: the listing is counted instead. Detected by default.')
      .meta({ examples: [false] }),
  });

const parsedSwitch = () =>
  z.strictObject({
    name: z.string().min(1).default('parsed').describe('The query parameter that requests parsed results.'),
    value: z.string().default('json').describe('The value of that parameter.'),
  });

const managerPorts = () =>
  z.strictObject({
    route: z
      .string()
      .regex(/^\/[\x21-\x7e]*$/, 'must be a path that begins with /')
      .optional()
      .describe('Route of the manager that lists its ports. By default, ports are read from the recent stats.')
      .meta({ examples: ['/api/proxies_running'] }),
    recentStatsKey: z
      .string()
      .min(1)
      .optional()
      .describe('Key of the ports in the recent stats; by default `ports`.')
      .meta({ examples: ['ports'] }),
  });

const headerName = () => z.string().regex(/^[\w!#$%&'*+.^`|~-]+$/, 'must be the name of a header');

const managerTokenHeader = () =>
  z.strictObject({
    name: headerName().default('Authorization').describe('Header that carries the token of the manager.'),
    scheme: z
      .string()
      .regex(/^[\x21-\x7e]*$/, 'must be one word')
      .default('Bearer')
      .describe('Word before the token; empty for none.'),
  });

const manager = () =>
  z.strictObject({
    readSettings: z
      .enum(['auto', 'get', 'put'])
      .default('auto')
      .describe(
        'Method of reading settings: `get`, `put` of {} (which changes nothing), or `auto`: GET, then PUT if GET returns no settings.',
      ),
    ports: managerPorts().prefault({}).describe('Source of the ports of the manager.'),
    tokenHeader: managerTokenHeader().prefault({}).describe('Form of the token, if the manager requires one.'),
  });

const parameter = (usual: string, purpose: string) =>
  z
    .string()
    .regex(/^[\w-]+$/, 'must be the name of a query parameter')
    .default(usual)
    .describe(`Query parameter ${purpose}`);

const field = (usual: string, purpose: string) => z.string().min(1).default(usual).describe(`Field ${purpose}`);

const collectors = () =>
  z.strictObject({
    versionParameter: parameter('version', 'that selects the development version, with the value `dev`.'),
    nameParameter: parameter('name', 'with the name of the job, for people.'),
    queueParameter: parameter('queue', 'with the queue of the job; jobs in the same queue start one after another.'),
    cancelRunningParameter: parameter('cancel_running', 'that cancels a running job, with the value 1.'),
    noMediaParameter: parameter('no_downloads', 'that turns media downloads off, with the value 1.'),
    maxTimeParameter: parameter('deadline', 'with the maximum duration of the job, such as `1h`.'),
    accessKeyField: field('aws-access-key', 'with the access key, in the credentials for `s3`.'),
    secretKeyField: field('aws-secret-key', 'with the secret key, in the credentials for `s3`.'),
    webhookEndpointField: field(
      'endpoint',
      'with the URL, in a `deliver` of type `webhook`. This name and the next two are assumptions.',
    ),
    webhookUncompressedField: field(
      'uncompressed_webhook',
      'that turns compression of the result off, with the value true.',
    ),
    webhookAuthorizationField: field(
      'webhook_header_Authorization',
      'with the Authorization header of the request that carries the result.',
    ),
  });

const datasets = () =>
  z.strictObject({
    endpointParameter: z
      .enum(['endpoint', 'webhook'])
      .default('endpoint')
      .describe('Query parameter with the URL of the webhook; the specification has both.'),
    authorizationParameter: z
      .enum(['webhook_header_Authorization', 'auth_header'])
      .default('webhook_header_Authorization')
      .describe('Query parameter with the Authorization header of the request that carries the result.'),
    ndjsonFormat: z.enum(['ndjson', 'jsonl']).default('ndjson').describe('Name of the format with one row per line.'),
    snapshotRoute: z
      .enum(['download', 'snapshot'])
      .optional()
      .describe(
        'Route of snapshots: the `download` of the specification, or `snapshot`, which is `/datasets/v3/snapshot/ID` with progress and cancel. Detected by default.',
      )
      .meta({ examples: ['snapshot'] }),
  });

/** Form of a part of a user name of the native proxy: `-` separates parts, `:` ends the name. */
export const userNamePart = /^[!-,.-9;-~]+$/;

/** Built when it is first used: a file without a profile needs none of it. */
export const serviceProfile = whenUsed(() =>
  z.strictObject({
    geolocation: geolocation().prefault({}).describe('Keys of the geolocation databases in listings of IPs.'),
    perCountrySwitch: perCountrySwitch()
      .prefault({})
      .describe('Query switch that makes the listing of IPs return counts by country.'),
    accountRoutes: z
      .boolean()
      .optional()
      .describe(
        'True if the service lists all zones and shows their plans, their costs and the balance, which the specification does not have. `webdata doctor` detects it; plans use these routes only if they are pinned.',
      )
      .meta({ examples: [true] }),
    accountId: z
      .string()
      .min(1)
      .optional()
      .describe(
        "The account's own id, as `webdata doctor` shows it: a plan with the key of another account is refused. Requires `accountRoutes`.",
      )
      .meta({ examples: ['hl_1234abcd'] }),
    resellerPath: z
      .string()
      .regex(/^\/[\x21-\x7e]*\{partner\}[\x21-\x7e]*$/, 'must be a path that begins with / and contains {partner}')
      .default('/api/{partner}/get_asn')
      .describe('Path of the reseller call; the specification documents {partner} as the name of a zone.'),
    settleSeconds: z
      .number()
      .min(0)
      .default(10)
      .describe('Maximum lag of a listing of IPs behind a change, in seconds.'),
    migrateBatchLimit: z
      .int()
      .min(1)
      .optional()
      .describe('Maximum number of IPs in one migration; unlimited by default.')
      .meta({ examples: [100] }),
    tagHeader: headerName().default('x-c-tag').describe('Header that returns the tag of a proxied request.'),
    collectors: collectors().prefault({}).describe('Open details of collector jobs.'),
    datasets: datasets().prefault({}).describe('Open details of dataset collections.'),
    searchEngineUrl: z
      .url({ protocol: /^https?$/ })
      .optional()
      .describe('Address of the search engine, before `/search` and `/reviews`; required for searches.')
      .meta({ pattern: '^https?://', examples: ['https://search.example.com'] }),
    parsedSwitch: parsedSwitch()
      .prefault({})
      .describe('Query parameter that requests parsed results; its name is an assumption.'),
    proxyUserPrefix: z
      .string()
      .regex(userNamePart, 'must be one word without "-", ":" and spaces')
      .default('svc')
      .describe('First word of the user name for the native proxy.'),
    manager: manager().prefault({}).describe('Open details of the local proxy manager.'),
  }),
);

export type ServiceProfile = z.output<typeof serviceProfile>;

/** A profile as it is written: every field is optional. */
export type ServiceProfileInput = z.input<typeof serviceProfile>;

/** Parses a profile and fills in the defaults. @throws ProblemError with every error and its path */
export function parseProfile(input: unknown = {}): ServiceProfile {
  // Compiled functions would take longer than one check.
  const parsed = parse(serviceProfile, input, { path: ['service', 'profile'], jitless: true });
  if (parsed.ok) return parsed.value;
  throw new ProblemError(parsed.problems);
}

/** Returns YAML such as `service: { profile: { geolocation: { first: maxmind } } }`. */
export function profileYaml(profile: ServiceProfileInput): string {
  return `service: ${flow({ profile })}`;
}

function flow(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(flow).join(', ')}]`;
  if (!isMapValue(value)) return scalar(value);
  const entries = Object.entries(value).filter(([, field]) => field !== undefined);
  return `{ ${entries.map(([name, field]) => `${scalar(name)}: ${flow(field)}`).join(', ')} }`;
}

/** Quotes a value unless it is a plain word. JSON strings are valid YAML. */
function scalar(value: unknown): string {
  const isPlain =
    typeof value === 'string' &&
    /^[A-Za-z_][\w.-]*$/.test(value) &&
    !/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(value);
  return isPlain ? value : JSON.stringify(value);
}
