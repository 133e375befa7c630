/** Prices and budgets of the declaration. The service states no prices, so the user may. */
import { z } from 'zod';
import type { Problem } from '../../base/diagnostics/problem.ts';
import { problemIssue } from '../../base/diagnostics/zodProblems.ts';

const amount = z.number().min(0);

export const pricesSchema = z
  .strictObject({
    currency: z
      .string()
      .regex(/^[A-Z]{3}$/, 'must be a currency code such as USD')
      .optional()
      .describe('The currency of the amounts.')
      .meta({ examples: ['USD'] }),
    move: amount
      .optional()
      .describe('The price of moving one IP.')
      .meta({ examples: [0.1] }),
    trigger: amount
      .optional()
      .describe('The price of a trigger of any collector or dataset.')
      .meta({ examples: [0.5] }),
    targets: z
      .record(
        z
          .string()
          .regex(/^(?:c_|gd_)\S+$/, 'must be the ID of a collector or a dataset')
          .meta({ examples: ['c_prices'] }),
        amount.describe('The price of a trigger.').meta({ examples: [0.75] }),
      )
      .optional()
      .describe('Prices of a trigger by collector (`c_…`) or dataset (`gd_…`), in place of `trigger`.'),
  })
  .optional()
  .describe('Your prices, for the costs in `webdata simulate --for` and for `budgets`. The service states none.');

export const budgetsSchema = z
  .strictObject({
    movesPerMonth: z
      .int()
      .min(0)
      .optional()
      .describe('The IPs that may move in a calendar month (UTC): those of earlier runs and of the plan.')
      .meta({ examples: [200] }),
    triggersPerDay: z
      .int()
      .min(0)
      .optional()
      .describe('The triggers that the declared schedules may make on any of the next 30 days.')
      .meta({ examples: [96] }),
    costPerMonth: amount
      .optional()
      .describe(
        'The amount that the moves of a calendar month and the triggers of the next 30 days may cost. Requires `prices`.',
      )
      .meta({ examples: [250] }),
  })
  .optional()
  .describe('Limits that a plan warns about, and refuses with `--enforce`.');

export type Prices = NonNullable<z.output<typeof pricesSchema>>;
export type Budgets = NonNullable<z.output<typeof budgetsSchema>>;

/** Refuses a cost budget without prices. */
export function assertPriced(
  { prices, budgets }: { prices?: Prices | undefined; budgets?: Budgets | undefined },
  context: Parameters<typeof problemIssue>[0],
): void {
  if (budgets?.costPerMonth !== undefined && prices === undefined) problemIssue(context, noPrices);
}

const noPrices: Problem = {
  code: 'no-prices',
  path: ['budgets', 'costPerMonth'],
  found: 'costs cannot be counted: the file has no `prices`',
  allowed: '`costPerMonth` beside `prices`',
  fix: 'add `prices: { move: …, trigger: … }`, or remove costPerMonth',
};
