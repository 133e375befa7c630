/** Dialect of proxied requests (A). */
import { z } from 'zod';

export const pageFields = {
  tagHeader: z
    .string()
    .regex(/^[\w!#$%&'*+.^`|~-]+$/, 'must be the name of a header')
    .default('x-c-tag')
    .describe('Header in which the answer to a proxied request returns its `c_tag`.'),
  targetStatus: z
    .enum(['hidden', 'passed'])
    .default('hidden')
    .describe('Status of the answer to a proxied request: 200, or that of the target, such as its 404.'),
  jsonFormat: z
    .enum(['described', 'text'])
    .default('described')
    .describe('Answer to `format: json`: `{url, status, headers, body}`, or the text of the page.'),
};
