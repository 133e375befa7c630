/** Schemas of the pages in an account file. */
import { z } from 'zod';
import { statusSchema } from '../core/inventory.ts';

const pageSchema = z.strictObject({
  status: statusSchema.default(200).describe('Status that the target answers.'),
  type: z.string().default('text/html; charset=utf-8').describe('Content type.'),
  body: z.string().describe('The text.'),
});

const examplePage = '<!doctype html>\n<title>Example</title>\n<h1>Example page</h1>\n';

export const pagesSchema = z
  .record(z.string().regex(/^https?:\/\/./, 'must be an http or https URL, or the start of one and *'), pageSchema)
  .prefault({ 'https://example.com/': { body: examplePage } });

export const targetsSchema = z.array(z.string().min(1)).default(['127.0.0.1', 'localhost', '[::1]']);
