/** Dialect of HTTP: properties of every answer and every query. */
import { z } from 'zod';

export const codings = ['gzip', 'br', 'deflate', 'raw-deflate'] as const;

export const transportFields = {
  compression: z
    .enum(['results', ...codings])
    .default('results')
    .describe('Coding of answers, if the client accepts it: gzip for results only, or this coding for every answer.'),
  byteOrderMark: z
    .boolean()
    .default(false)
    .describe('Answers of the API and the manager, and deliveries, begin with a byte order mark.'),
  plusInQueries: z
    .enum(['space', 'literal'])
    .default('space')
    .describe('Meaning of `+` in a query: a space, or a plus sign, because only percent-encoding is decoded.'),
  redirectedReads: z
    .strictObject({
      prefix: z
        .string()
        .regex(/^\/[\w/-]*\w$/, 'must be a path such as /v2')
        .default('/v2')
        .describe('Path that the redirect adds before the original path.'),
      status: z
        .union([z.literal(301), z.literal(302), z.literal(307), z.literal(308)], 'must be 301, 302, 307 or 308')
        .default(308)
        .describe('Status of the redirect.'),
      location: z.enum(['path', 'absolute']).default('path').describe('`Location`: a path, or a whole URL.'),
    })
    .optional()
    .describe('Redirects each GET of the API to the same path below `prefix`, on the same host.'),
  unsteadyReads: z
    .strictObject({
      status: z.int().min(400).max(599).default(425).describe('Such as 408, 425 or 503.'),
      every: z.int().min(2).default(4).describe('Refuses every Nth.'),
    })
    .optional()
    .describe('Refuses every Nth GET of the API and the manager.'),
};
