/** Prices of the declaration. The service states none, so the user may. */
import { z } from 'zod';
import { whenUsed } from '../../base/diagnostics/zodLazy.ts';

const amount = () => z.number().min(0);

export const pricesSchema = whenUsed(() =>
  z.strictObject({
    currency: z
      .string()
      .regex(/^[A-Z]{3}$/, 'must be a currency code such as USD')
      .optional()
      .describe('The currency of the amounts.')
      .meta({ examples: ['USD'] }),
    move: amount()
      .optional()
      .describe('The price of moving one IP.')
      .meta({ examples: [0.1] }),
    trigger: amount()
      .optional()
      .describe('The price of a trigger of any collector or dataset.')
      .meta({ examples: [0.5] }),
    targets: z
      .record(
        z
          .string()
          .regex(/^(?:c_|gd_)\S+$/, 'must be the ID of a collector or a dataset')
          .meta({ examples: ['c_prices'] }),
        amount()
          .describe('The price of a trigger.')
          .meta({ examples: [0.75] }),
      )
      .optional()
      .describe('Prices of a trigger by collector (`c_…`) or dataset (`gd_…`), in place of `trigger`.'),
  }),
)
  .optional()
  .describe('Your prices, with which plans show what their calls cost. The service states none.');

export type Prices = NonNullable<z.output<typeof pricesSchema>>;
