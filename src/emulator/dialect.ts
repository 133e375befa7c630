/**
 * How this emulator fills what the specification leaves open ("not shown"). Each field is one such gap; the defaults make a
 * plain service, and a client whose assumptions are not in its service profile breaks on an odd one.
 */
import { z } from 'zod';
import { permissions } from './core/keyring.ts';
import { refusalCodes } from './core/refusal.ts';
import { lagSchema, statusSchema } from './schema.ts';

const refusalWording = z.strictObject({
  status: statusSchema.optional().describe('Status of this refusal.'),
  body: z
    .union([z.string(), z.record(z.string(), z.unknown())], 'must be a text, or a JSON object')
    .optional()
    .describe('Text or JSON object of this refusal; `{detail}` in it stands for what was wrong with the request.'),
});

export const dialectSchema = z.strictObject({
  geoKeys: z
    .tuple([z.string(), z.string(), z.string(), z.string()], 'must be four names')
    .default(['geo_db_1', 'geo_db_2', 'geo_db_3', 'geo_db_4'])
    .describe(
      'Names of the geolocation databases in a listing (D1): the first stands in the entry, the others in `ext`.',
    ),
  countryCase: z
    .enum(['lower', 'upper'])
    .default('lower')
    .describe('Whether listings and counts write two-letter country codes in lower or upper case (D1).'),
  perCountrySwitch: z
    .strictObject({
      name: z.string().default('ip_per_country').describe('Name of the query switch.'),
      value: z.string().default('true').describe('Value that turns it on.'),
    })
    .prefault({})
    .describe('The query switch of GET /zone/ips that asks for totals per country (D1).'),
  listingLag: lagSchema
    .default({ ms: 0 })
    .describe('How long after a migrate the old listing of both zones is still served (D1, D3).'),
  unknownZone: z
    .enum(['refused', 'empty'])
    .default('refused')
    .describe('A listing of a zone that does not exist: refused, or answered as if it were empty (D1, D2).'),
  migrate: z
    .enum(['what-is-there', 'all-or-nothing'])
    .default('what-is-there')
    .describe('With IPs that are not in `from`: moves the others and answers the smaller count, or refuses all (D3).'),
  rolesWithoutReads: z
    .array(z.enum(permissions))
    .default(['Finance'])
    .describe('Roles that may not read zones and ASNs (D1, D2, E); the specification only says who may migrate.'),
  queueNext: z
    .enum(['at-once', 'waits'])
    .default('at-once')
    .describe('What queue_next=1 does: starts a run at once, or after those of its collector; 0 does the other (B1).'),
  triggerParameters: z
    .strictObject({
      name: z.string().default('name').describe('A name of the run for people.'),
      queue: z.string().default('queue').describe('The queue whose runs start one after another.'),
      cancelRunning: z.string().default('cancel_running').describe('Set to 1 or true, it cancels the run under way.'),
      maxTime: z.string().default('deadline').describe('The longest time that the run may take, like `1h`.'),
    })
    .prefault({})
    .describe('Names of the query parameters of a trigger that the specification does not show (B1).'),
  webhookFields: z
    .strictObject({
      endpoint: z.string().min(1).default('endpoint').describe('The URL that is called.'),
      uncompressed: z
        .string()
        .min(1)
        .default('uncompressed_webhook')
        .describe('Set to true, the result is sent as it is.'),
      authorization: z
        .string()
        .min(1)
        .default('webhook_header_Authorization')
        .describe('The Authorization header that the result is sent with.'),
    })
    .refine((names) => new Set(Object.values(names)).size === 3, 'must be three different names')
    .prefault({})
    .describe('Names of the fields of a `deliver` of type `webhook`, of which the specification shows none (B1).'),
  delivery: z
    .strictObject({
      attempts: z.int().min(1).default(4).describe('How often a delivery is tried in all.'),
      firstDelayMs: z
        .number()
        .nonnegative()
        .default(1000)
        .describe('Milliseconds before the second time; doubled each time.'),
      acknowledgeMs: z.int().min(1).default(30_000).describe('Milliseconds within which the webhook must answer 200.'),
    })
    .prefault({})
    .describe('How a delivery to a webhook that fails is repeated (Events, 2).'),
  answersGetSettings: z
    .boolean()
    .default(true)
    .describe('Whether the manager answers GET /api/settings, which the specification does not name (F).'),
  recentStats: z
    .enum(['by-port', 'totals'])
    .default('by-port')
    .describe('Shape of GET /api/recent_stats: an entry for each port, or totals that name no port (F3).'),
  portsRoute: z
    .string()
    .startsWith('/', 'must be a path that begins with /')
    .optional()
    .describe('Path at which the manager lists its ports as `[{port: 24000}]`; left out, it has no such route (F).'),
  unknownPorts: z
    .enum(['ignored', 'refused'])
    .default('ignored')
    .describe('A delete that names a port that does not run: ignores that port, or refuses the whole request (F2).'),
  tagHeader: z
    .string()
    .regex(/^[\w!#$%&'*+.^`|~-]+$/, 'must be the name of a header')
    .default('x-c-tag')
    .describe('Header in which the answer to a proxied request returns its `c_tag` (A).'),
  searchEngineUrl: z
    .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
    .default('https://search.example.com')
    .describe('The search engine whose `/search` and `/reviews` search zones fetch (G).'),
  parsedSwitch: z
    .strictObject({
      name: z.string().default('parsed').describe('Name of the query parameter.'),
      value: z.string().default('json').describe('Value that turns it on.'),
    })
    .prefault({})
    .describe('The query parameter of a search page that asks for parsed results (G).'),
  errors: z
    .partialRecord(z.enum(refusalCodes), refusalWording)
    .default({})
    .describe('Status and body of each refusal, where they differ from the plain texts.'),
});

export type Dialect = z.output<typeof dialectSchema>;
