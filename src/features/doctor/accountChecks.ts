/** Checks of the account's id and balance, for services that show them. */
import type { Config } from '../../engine/doors/declaration.ts';
import type { Session } from '../../engine/doors/session.ts';
import { firing } from '../../kinds/seam/firing.ts';
import { ticksBetween } from '../../triggers/timing/timing.ts';
import { attempt, type Check } from './check.ts';

/** Returns no checks for a service without these routes. */
export async function accountChecks(config: Config, session: Session): Promise<Check[]> {
  const checks = await Promise.all([
    attempt('account id', () => idCheck(config, session)),
    attempt('balance', () => balanceCheck(config, session)),
  ]);
  return checks.flat();
}

async function idCheck({ service: { profile } }: Config, session: Session): Promise<Check[]> {
  const cost = await session.client().account.zoneCost(undefined);
  if (cost === undefined) return [];
  const name = 'account id';
  const { account } = cost;
  if (profile.accountId === undefined) return [{ name, result: 'ok', text: `the id of the account is ${account}` }];
  if (profile.accountId === account) return [{ name, result: 'ok', text: `${account}, as the profile pins it` }];
  const text = `the key is one of ${account}, and the profile pins ${profile.accountId}`;
  return [
    { name, result: 'failed', text, fix: 'use the key of the pinned account, or correct service.profile.accountId' },
  ];
}

async function balanceCheck(config: Config, session: Session): Promise<Check[]> {
  const found = await session.client().account.balance();
  if (found === undefined) return [];
  const name = 'balance';
  const currency = config.prices?.currency === undefined ? '' : ` ${config.prices.currency}`;
  const words = (amount: number) => `${amount.toFixed(2)}${currency}`;
  const pending = found.pending ? `, ${words(found.pending)} pending` : '';
  const cost = costOfNextDay(config, Date.now());
  if (cost === undefined) return [{ name, result: 'ok', text: `${words(found.balance)}${pending}` }];
  const text = `${words(found.balance)}${pending}; the declared schedules cost ${words(cost)} in the next 24 hours`;
  if (found.balance >= cost) return [{ name, result: 'ok', text }];
  return [{ name, result: 'failed', text, fix: 'add funds, or pause schedules' }];
}

const dayMs = 86_400_000;

/** Returns what the declared schedules cost by the prices of the declaration; undefined without a price. */
function costOfNextDay({ declared, prices }: Config, now: number): number | undefined {
  if (prices === undefined) return undefined;
  const { trigger, targets = {} } = prices;
  const priced = declared.flatMap(({ definition, spec }) => {
    const schedule = firing.of(definition)?.scheduled(spec);
    const price = schedule && (Object.hasOwn(targets, schedule.target) ? targets[schedule.target] : trigger);
    if (schedule === undefined || price === undefined) return [];
    return [price * ticksBetween(schedule.timing, now, now + dayMs, Number.POSITIVE_INFINITY).length];
  });
  return priced.length === 0 ? undefined : priced.reduce((sum, each) => sum + each, 0);
}
