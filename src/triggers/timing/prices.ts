/** Costs of triggers, by the prices of the declaration. */
import { type Timing, ticksBetween } from './timing.ts';

export interface TriggerPrices {
  currency?: string | undefined;
  /** The price of a trigger of any target. */
  trigger?: number | undefined;
  /** Prices by target, in place of `trigger`. */
  targets?: Readonly<Record<string, number>> | undefined;
}

export interface PricedSchedule {
  target: string;
  timing: Timing;
}

export function triggerPrice(target: string, { trigger, targets = {} }: TriggerPrices): number | undefined {
  return Object.hasOwn(targets, target) ? targets[target] : trigger;
}

const dayMs = 86_400_000;

/** Returns what the ticks of the next 24 hours cost; undefined if no schedule has a price. */
export function costOfNextDay(
  schedules: readonly PricedSchedule[],
  prices: TriggerPrices,
  now: number,
): number | undefined {
  const costs = schedules.flatMap(({ target, timing }) => {
    const price = triggerPrice(target, prices);
    if (price === undefined) return [];
    return [price * ticksBetween(timing, now, now + dayMs, Number.POSITIVE_INFINITY).length];
  });
  return costs.length === 0 ? undefined : costs.reduce((sum, each) => sum + each, 0);
}

/** Formats an amount of money. */
export function moneyText(amount: number, { currency }: TriggerPrices): string {
  return `${amount.toFixed(2)}${currency === undefined ? '' : ` ${currency}`}`;
}
