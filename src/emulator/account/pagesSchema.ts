/** Schemas of the pages in an account file. */
import { z } from 'zod';
import { problemIssue } from '../../base/diagnostics/zodProblems.ts';
import { statusSchema } from '../core/inventory.ts';

const pageSchema = z
  .strictObject({
    status: statusSchema.default(200).describe('Status that the target answers.'),
    type: z.string().default('text/html; charset=utf-8').describe('Content type.'),
    body: z.string().optional().describe('The text.'),
    file: z.string().optional().describe('A file with the text, next to the account file; read for each request.'),
  })
  .superRefine(({ body, file }, context) => {
    if ((body === undefined) !== (file === undefined)) return;
    problemIssue(context, {
      code: 'body-or-file',
      found: body === undefined ? 'a page without a text' : 'a page with `body` and `file`',
      allowed: 'exactly one of `body` and `file`',
      fix: body === undefined ? 'add `body: …` here' : 'remove one of them',
    });
  });

const examplePage = '<!doctype html>\n<title>Example</title>\n<h1>Example page</h1>\n';

export const pagesSchema = z
  .record(z.string().regex(/^https?:\/\/./, 'must be an http or https URL, or the start of one and *'), pageSchema)
  .prefault({ 'https://example.com/': { body: examplePage } });

export const targetsSchema = z.array(z.string().min(1)).default(['127.0.0.1', 'localhost', '[::1]']);
