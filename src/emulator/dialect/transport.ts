/** Dialect of HTTP: properties of every answer and every query. */
import { z } from 'zod';

export const transportFields = {
  compression: z
    .enum(['results', 'br', 'deflate'])
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
    .boolean()
    .default(false)
    .describe('Redirects each GET of the API with 308 to the same path below `/v2`, on the same host.'),
  unsteadyReads: z.int().min(2).optional().describe('Refuses every Nth GET of the API and the manager with 425.'),
};
