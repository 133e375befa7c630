/**
 * The dialect of an emulated service: its choices where the specification leaves room ("not shown"), and its differences from the
 * specification. The defaults are those of a plain service. The fields of each area are in `dialect/`; docs/emulator.md lists them all.
 */
import { z } from 'zod';
import { statusSchema } from '../core/inventory.ts';
import { refusalCodes } from '../core/refusal.ts';
import { jobFields } from './jobs.ts';
import { listingFields } from './listings.ts';
import { managerFields } from './managerDialect.ts';
import { pageFields } from './pages.ts';
import { transportFields } from './transport.ts';

const refusalWording = z.strictObject({
  status: statusSchema.optional().describe('Status of this answer.'),
  body: z
    .union([z.string(), z.record(z.string(), z.unknown()), z.null()], 'must be a text, a JSON object or null')
    .optional()
    .describe('Text or JSON of this answer; `{detail}` is replaced by the reason.'),
  headers: z
    .record(z.string(), z.string())
    .optional()
    .describe('Headers of this answer, such as `content-type` or `location`.'),
});

export const dialectSchema = z.strictObject({
  ...listingFields,
  ...jobFields,
  ...managerFields,
  ...pageFields,
  ...transportFields,
  errors: z
    .partialRecord(z.enum(refusalCodes), refusalWording)
    .default({})
    .describe('Status, body and headers of refusals and notices that differ from the defaults.'),
});

export type Dialect = z.output<typeof dialectSchema>;
