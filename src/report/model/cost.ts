/** The cost of the calls of a plan, by the prices of the declaration. The service states none. */
import { countMoves } from '../../engine/doors/plan.ts';
import type { PlanReport } from './report.ts';

export interface Cost {
  amount: number;
  /** Such as `USD`. */
  currency?: string | undefined;
}

/** Returns the cost of the moves; undefined without a price, and for differences, which cost nothing. */
export function costOf({ plan, mode, prices }: Pick<PlanReport, 'plan' | 'mode' | 'prices'>): Cost | undefined {
  const moves = countMoves(plan);
  if (mode === 'drift' || moves === 0 || prices?.move === undefined) return undefined;
  // Sums of prices such as 0.1 are not exact.
  return { amount: Math.round(moves * prices.move * 1e6) / 1e6, currency: prices.currency };
}

/** Formats an amount: `12.50 USD`. */
export function costWords({ amount, currency }: Cost): string {
  const digits = amount.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 6 });
  return currency === undefined ? digits : `${digits} ${currency}`;
}
