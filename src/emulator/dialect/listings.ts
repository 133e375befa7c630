/** Dialect of account management and the reseller call: listings, counts, recent IPs, migrate and ASNs (D, E). */
import { z } from 'zod';
import { lagSchema } from '../core/inventory.ts';
import { permissions } from '../core/permissions.ts';

const databaseValue = z.enum(['code', 'null', 'empty', 'missing']);

const listing = z.strictObject({
  form: z.enum(['object', 'list']).default('object').describe('`{ips: […]}`, or the list alone.'),
  ext: z
    .enum(['object', 'flat', 'null', 'missing'])
    .default('object')
    .describe('Position of the databases after the first: in `ext` or beside `ip`; or `ext` is null or missing.'),
  databases: z
    .tuple([databaseValue, databaseValue, databaseValue, databaseValue], 'must be four of code, null, empty, missing')
    .default(['code', 'code', 'code', 'code'])
    .describe('Value of each of the four databases: the country code, null, an empty text, or none.'),
  every: z.int().min(1).default(1).describe('Applies `databases` to every Nth entry, beginning with the first.'),
  limit: z
    .int()
    .min(1)
    .optional()
    .describe('At most this many IPs in an answer, beside the `total`: a listing that is not whole. By default all.'),
  others: z
    .array(z.unknown())
    .default([])
    .describe('Entries after the IPs of each zone, such as `{ ip: 2001:db8::1 }`. They cannot move.'),
  empty: z
    .enum(['list', 'null-list', 'object', 'null', 'no-content'])
    .default('list')
    .describe('Listing of a zone without IPs: the usual form, `{ips: null}`, `{}`, null, or status 204.'),
});

const recentIps = z.strictObject({
  form: z
    .enum(['texts', 'objects', 'map'])
    .default('texts')
    .describe('IPs of a zone: a list of texts, a list of `{ip, last_seen}`, or an object whose keys are the IPs.'),
  empty: z
    .enum(['list', 'null', 'missing'])
    .default('list')
    .describe('A zone without recent IPs: an empty list, null, or no entry at all.'),
});

const asns = z.strictObject({
  numbers: z.boolean().default(false).describe('`asn` is a number, not a text.'),
  titles: z.enum(['given', 'null', 'missing']).default('given').describe('`title` is given, null or missing.'),
  wrapped: z.string().min(1).optional().describe('Name of the field that holds the list; without it, the list alone.'),
});

export const listingFields = {
  accountRoutes: z
    .boolean()
    .default(false)
    .describe(
      'Serves `/zone/get_active_zones`, `/zone`, `/zone/cost` and `/customer/balance`, which the specification does not have.',
    ),
  geoKeys: z
    .tuple([z.string(), z.string(), z.string(), z.string()], 'must be four names')
    .default(['geo_db_1', 'geo_db_2', 'geo_db_3', 'geo_db_4'])
    .describe('Names of the geolocation databases in a listing: the first is beside `ip`, the others are in `ext`.'),
  countryCase: z
    .enum(['lower', 'upper'])
    .default('lower')
    .describe('Case of two-letter country codes in listings and counts.'),
  listing: listing.prefault({}).describe('Form of GET /zone/ips.'),
  perCountrySwitch: z
    .strictObject({
      name: z.string().default('ip_per_country').describe('Name of the query parameter.'),
      value: z.string().default('true').describe('Value that turns it on.'),
      ignored: z.boolean().default(false).describe('Answers the listing whether the switch is on or off.'),
    })
    .prefault({})
    .describe('Query switch of GET /zone/ips for totals per country.'),
  counts: z.enum(['numbers', 'texts']).default('numbers').describe('Totals per country: `3` or `"3"`.'),
  listingLag: lagSchema
    .default({ ms: 0 })
    .describe('Lag after a migration, during which the old listing of both zones is served.'),
  unknownZone: z
    .enum(['refused', 'empty'])
    .default('refused')
    .describe('Listing of a zone that does not exist: refused, or answered like an empty zone.'),
  recentIps: recentIps.prefault({}).describe('Form of GET /zone/recent_ips.'),
  migrate: z
    .enum(['what-is-there', 'all-or-nothing'])
    .default('what-is-there')
    .describe('Migration with IPs that are not in `from`: moves the others, or refuses all.'),
  migrateAnswer: z
    .enum(['object', 'count-text', 'count-only', 'number', 'text', 'empty-object', 'no-content'])
    .default('object')
    .describe(
      'Answer to a migration: `{from, to, count}`, the same with a text as count, `{count}`, …, or status 204.',
    ),
  asns: asns.prefault({}).describe('Form of get_asn.'),
  rolesWithoutReads: z
    .array(z.enum(permissions))
    .default(['Finance'])
    .describe('Roles that may not read zones and ASNs; the specification restricts migrations only.'),
};
