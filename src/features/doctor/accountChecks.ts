/** Checks of the account's id and balance, for services that show them. */
import type { Config } from '../../engine/doors/declaration.ts';
import type { Session } from '../../engine/doors/session.ts';
import { firing } from '../../kinds/seam/firing.ts';
import { costOfNextDay, moneyText } from '../../triggers/timing/prices.ts';
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
  const { prices = {} } = config;
  const pending = found.pending ? `, ${moneyText(found.pending, prices)} pending` : '';
  const text = `${moneyText(found.balance, prices)}${pending}`;
  const scheduled = config.declared.flatMap(({ definition, spec }) => firing.of(definition)?.scheduled(spec) ?? []);
  const cost = costOfNextDay(scheduled, prices, Date.now());
  if (cost === undefined) return [{ name, result: 'ok', text }];
  const compared = `${text}; the declared schedules cost ${moneyText(cost, prices)} in the next 24 hours`;
  if (found.balance >= cost) return [{ name, result: 'ok', text: compared }];
  return [{ name, result: 'failed', text: compared, fix: 'add funds, or pause schedules' }];
}
