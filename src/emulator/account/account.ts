/**
 * Schema of account files, which describe the account that the emulator plays. `examples/accounts/plain.yaml` shows the format.
 */
import { z } from 'zod';
import { problemIssue } from '../../base/diagnostics/zodProblems.ts';
import { settingsSchema } from '../core/emulatedManager.ts';
import { permissions } from '../core/permissions.ts';
import { dialectSchema } from '../dialect/dialect.ts';
import { collectorsSchema, datasetsSchema, maxConcurrentSchema } from '../jobs/runSchemas.ts';
import { accountProblems } from './accountRules.ts';
import { rangeProblem } from './addresses.ts';
import { pagesSchema, targetsSchema } from './pagesSchema.ts';

/** A secret. Errors do not repeat its value. */
const secret = z.string().meta({ writeOnly: true });

const country = z.string().regex(/^[A-Za-z]{2}$/, 'must be a two-letter country code');

const addressRange = z
  .string()
  .refine((text) => rangeProblem(text) === null, {
    // The rule that an IP is in one zone expands ranges and must not run on invalid ones.
    abort: true,
    error: ({ input }) => (typeof input === 'string' ? rangeProblem(input) : null) ?? '',
  })
  .meta({ title: 'IPv4 address, or a range of them' });

/** A database that has no country for an IP says nothing. */
const countryIfAny = z.string().regex(/^(?:[A-Za-z]{2})?$/, 'must be a two-letter country code, or empty');

const addressEntry = z
  .strictObject({
    ip: addressRange.describe('An address, or a range such as 192.0.2.10-192.0.2.40.'),
    country: country.optional().describe('The country in all four geolocation databases.'),
    countries: z
      .tuple([countryIfAny, countryIfAny, countryIfAny, countryIfAny], 'must be four country codes')
      .optional()
      .describe(
        'The country in each of the four geolocation databases, where they disagree; empty if a database has none.',
      ),
  })
  .superRefine(({ ip, country, countries }, context) => {
    if ((country === undefined) !== (countries === undefined)) return;
    problemIssue(context, {
      code: 'country-or-countries',
      found: country === undefined ? `${ip} without a country` : `${ip} with \`country\` and \`countries\``,
      allowed: 'exactly one of `country` and `countries`',
      fix: country === undefined ? 'add `country: …` here' : 'remove one of them',
    });
  });

export const zoneIpsSchema = z
  .union(
    [z.array(addressEntry), z.record(country, z.array(addressRange))],
    'must be a list of addresses, or ranges by country',
  )
  .describe('A list of `{ip, country}` or `{ip, countries}`, or ranges by country: `us: [192.0.2.10-192.0.2.40]`.');

const asns = z
  .array(z.strictObject({ asn: z.string().describe('Number of the ASN.'), title: z.string().describe('Its name.') }))
  .optional();

const zone = z.strictObject({
  type: z
    .enum(['datacenter', 'isp', 'residential', 'mobile', 'unlocker', 'search', 'browser'])
    .default('datacenter')
    .describe('Network type or product of the zone.'),
  password: secret.optional().describe('Zone password; generated if left out.'),
  ips: zoneIpsSchema.default({}).describe('Static IPs in the zone. An IP is in exactly one zone.'),
  recentIps: z
    .array(z.string())
    .optional()
    .describe(
      'IPs that recently attempted to use the zone (D2); a zone without any is omitted from the answer for `*`.',
    ),
  asns: asns.describe("ASNs available to the zone (E); by default the account's."),
  created: z.iso.date().default('2026-01-01').describe('The day on which the zone was created.'),
  plan: z
    .strictObject({
      ips: z.int().nonnegative().optional().describe('Static IPs that the zone may hold; left out by default.'),
      bandwidth: z.string().default('payperusage').describe('As the details of the zone have it.'),
    })
    .prefault({})
    .describe('The limits of the plan of the zone, with `accountRoutes`.'),
  spent: z
    .strictObject({ bw: z.number().nonnegative().default(0), cost: z.number().nonnegative().default(0) })
    .prefault({})
    .describe('Bytes and money of the current month, with `accountRoutes`.'),
});

const apiKey = z.strictObject({
  user: z.string().describe('The account user that the key belongs to; one of `users`.'),
  permission: z.enum(permissions).describe('Permission level of the key.'),
  expiration: z
    .union(
      [z.literal('unlimited'), z.iso.date(), z.iso.datetime({ offset: true })],
      'must be a date, a date and time, or unlimited',
    )
    .default('unlimited')
    .describe('A date (the key is valid until the end of that day, UTC), a date and time, or `unlimited`.'),
  value: secret.min(1).optional().describe('The bearer token; generated if left out.'),
});

export const portSchema = z.int().min(1).max(65_535);

const manager = z.strictObject({
  settings: settingsSchema.prefault({}).describe('General settings, under the names of the specification.'),
  ports: z.array(portSchema).default([]).describe('Proxy ports that run.'),
  token: secret.min(1).optional().describe('Bearer token that the manager requires; by default none.'),
  silentlyDrops: z
    .array(z.string())
    .default([])
    .describe('Allowlist entries that the manager accepts in a PUT but does not keep.'),
});

export const accountSchema = z
  .strictObject({
    id: z.string().startsWith('hl_', 'must be a text that begins with hl_').describe('Account ID.'),
    users: z.array(z.string()).default([]).describe('Account users.'),
    apiKeys: z
      .array(apiKey)
      .default([])
      .describe('API keys, one per user. A role without a key gets a user and a key when the emulator starts.'),
    zones: z.record(z.string().min(1), zone).default({}).describe('Zones by name.'),
    asns: asns.describe('ASNs available to zones that list none (E).'),
    partnerName: z.string().optional().describe('A name that get_asn accepts besides the names of zones (E).'),
    pages: pagesSchema.describe('Pages for proxied requests (A), by URL, or by the start of URLs followed by *.'),
    targets: targetsSchema.describe(
      'Hosts whose pages are really fetched (A) and webhooks really called (B, C), as name or name:port; loopback only by default.',
    ),
    collectors: collectorsSchema,
    datasets: datasetsSchema,
    maxConcurrent: maxConcurrentSchema,
    balance: z
      .strictObject({ amount: z.number().default(0), pending: z.number().default(0) })
      .prefault({})
      .describe('The balance of the account, with `accountRoutes`.'),
    manager: manager.prefault({}).describe('The local proxy manager.'),
    dialect: dialectSchema.prefault({}).describe('Choices of this service where the specification leaves room.'),
  })
  .superRefine((account, context) => {
    for (const problem of accountProblems(account)) problemIssue(context, problem);
  });

/** An account as it is written: fields with a default are optional. */
export type AccountInput = z.input<typeof accountSchema>;

/** An account with all defaults. Also an `AccountInput`. */
export type Account = z.output<typeof accountSchema>;

export type ZoneIps = z.output<typeof zoneIpsSchema>;
