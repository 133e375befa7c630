/** Fields that several requests and answers of the trigger service's API have. */
import { z } from 'zod';

export const ledgerTime = z.number().describe('Milliseconds since the epoch, by the ledger’s clock.');

export const ledgerTimeOrNone = ledgerTime.nullable();

/** An owner, a name or an id in a path or a query. */
export const key = z.string().min(1).max(500);

/** The maximum number of entries of a page. */
export const limit = z.coerce
  .number()
  .int()
  .min(1)
  .max(1000)
  .default(100)
  .meta({ examples: [100] });
