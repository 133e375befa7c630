/** Dialect of proxied requests and search pages (A, G). */
import { z } from 'zod';

const searchPages = z.strictObject({
  nulls: z.boolean().default(false).describe('Fields without a value are null, and so are some texts.'),
  numbers: z
    .enum(['numbers', 'texts', 'fractions'])
    .default('numbers')
    .describe('Integers are numbers, texts, or numbers with a fraction.'),
  leftOut: z
    .array(z.enum(['general', 'input', 'navigation', 'organic', 'images', 'knowledge', 'reviews']))
    .default([])
    .describe('Fields at the top of a page that are left out.'),
  emptyLists: z.enum(['list', 'null', 'missing']).default('list').describe('An empty list is `[]`, null or missing.'),
  error: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('JSON object that answers every search, with status 200.'),
});

export const pageFields = {
  tagHeader: z
    .string()
    .regex(/^[\w!#$%&'*+.^`|~-]+$/, 'must be the name of a header')
    .default('x-c-tag')
    .describe('Header in which the answer to a proxied request returns its `c_tag`.'),
  zonesWithoutIps: z
    .enum(['pool', 'refused'])
    .default('pool')
    .describe('Requests through a datacenter or ISP zone without IPs: use a shared pool, or are refused.'),
  targetStatus: z
    .enum(['hidden', 'passed'])
    .default('hidden')
    .describe('Status of the answer to a proxied request: 200, or that of the target, such as its 404.'),
  jsonFormat: z
    .enum(['described', 'text'])
    .default('described')
    .describe('Answer to `format: json`: `{url, status, headers, body}`, or the text of the page.'),
  searchEngineUrl: z
    .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
    .default('https://search.example.com')
    .describe('Search engine whose `/search` and `/reviews` search zones fetch.'),
  parsedSwitch: z
    .strictObject({
      name: z.string().default('parsed').describe('Name of the query parameter.'),
      value: z.string().default('json').describe('Value that turns it on.'),
    })
    .prefault({})
    .describe('Query parameter of a search page for parsed results.'),
  searchPages: searchPages.prefault({}).describe('Form of parsed search pages and reviews.'),
};
