/** Costs by the prices of the declaration. */
import type { Prices } from '../declaration/prices.ts';
import type { ScheduleForecast } from './forecast.ts';

export interface Cost {
  amount: number;
  currency: string | undefined;
  /** Things without a price, which the amount leaves out: `moves`, `c_prices`. */
  unpriced: string[];
}

/** Returns the cost of moves and of the triggers of schedules. */
export function costOf(moves: number, schedules: readonly ScheduleForecast[], prices: Prices): Cost {
  const parts = [
    ...(moves > 0 ? [{ what: 'moves', count: moves, price: prices.move }] : []),
    ...schedules
      .filter(({ triggers }) => triggers > 0)
      .map(({ target, triggers }) => ({ what: target, count: triggers, price: priceOf(target, prices) })),
  ];
  const amount = parts.reduce((sum, { count, price = 0 }) => sum + count * price, 0);
  const unpriced = new Set(parts.filter(({ price }) => price === undefined).map(({ what }) => what));
  // Sums of prices such as 0.1 are not exact.
  return { amount: Math.round(amount * 1e6) / 1e6, currency: prices.currency, unpriced: [...unpriced] };
}

function priceOf(target: string, { targets = {}, trigger }: Prices): number | undefined {
  return Object.hasOwn(targets, target) ? targets[target] : trigger;
}

/** `12.50 USD`, or `at least 12.50 USD (no price of c_prices)`. */
export function costWords({ amount, currency, unpriced }: Cost): string {
  const digits = { minimumFractionDigits: 2, maximumFractionDigits: 6 };
  const text = [amount.toLocaleString('en', digits), ...(currency === undefined ? [] : [currency])].join(' ');
  return unpriced.length === 0 ? text : `at least ${text} (no price of ${unpriced.join(', ')})`;
}
