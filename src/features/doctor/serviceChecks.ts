/** Checks of the service: whether it answers, what the role of the key allows, and the listings of the zones. */
import { ProblemError } from '../../base/diagnostics/problem.ts';
import { counted } from '../../base/diagnostics/valueWords.ts';
import { utcTime } from '../../base/values/utcTime.ts';
import { listingRemarks } from '../../client/areas/zones/listing.ts';
import { paymentFix, speaksOfPayment } from '../../client/reading/answers.ts';
import { isSameAccount } from '../../engine/doors/backend.ts';
import { knownService } from '../../engine/doors/connection.ts';
import type { Config } from '../../engine/doors/declaration.ts';
import { type JournaledCall, keyDigest, type Run } from '../../engine/doors/history.ts';
import { shortRunId } from '../../engine/doors/plan.ts';
import { liveZones, type Session } from '../../engine/doors/session.ts';
import { declaredZones } from '../../kinds/declaredZones.ts';
import { mayIncurCharges, outcomeOf } from '../../kinds/knownCalls.ts';
import { firing } from '../../kinds/seam/firing.ts';
import { costOfNextDay, moneyText } from '../../triggers/timing/prices.ts';
import { attempt, type Check, failedCheck } from './check.ts';

/** `runs` are those of the journal: they show what the role of the key allowed. */
export async function serviceChecks(config: Config, session: Session, runs: readonly Run[]): Promise<Check[]> {
  try {
    knownService(config);
  } catch (error) {
    if (error instanceof ProblemError) return [failedCheck('service', error.problems)];
    throw error;
  }
  const recent = await listedZones(session);
  const isRefused = recent.checks.some(({ result }) => result === 'failed');
  const known = [...new Set([...declaredZones(config.declared), ...recent.zones])];
  const zones = known.slice(0, mostZones);
  if (isRefused && zones.length === 0) return recent.checks;
  const listings = await Promise.all(zones.map((zone) => attempt(`zone ${zone}`, () => listingCheck(zone, session))));
  const [first] = zones;
  const countries = first === undefined ? [] : await attempt('countries', () => countriesCheck(first, session));
  const isReadable = !isRefused || listings.flat().some(({ result }) => result !== 'failed');
  const role = isReadable ? [roleCheck(config, runs)] : [];
  const account = isRefused ? [] : await accountChecks(config, session);
  return [...recent.checks, ...account, ...role, ...listings.flat(), ...unread(known.length), ...countries];
}

/** Enough to see the forms of the answers; `webdata plan` lists every declared zone. */
const mostZones = 10;

function unread(known: number): Check[] {
  if (known <= mostZones) return [];
  const text = `${mostZones} of ${known} zones were read; \`webdata plan\` lists every declared one`;
  return [{ name: 'zones', result: 'note', text }];
}

async function listedZones(session: Session): Promise<{ zones: string[]; checks: Check[] }> {
  let zones: string[] = [];
  const checks = await attempt('service', async () => {
    const { names, isWhole } = await liveZones(session);
    zones = names;
    const { origin } = session.client();
    const found = `${counted(zones.length, 'zone')} ${isWhole ? 'in all' : 'recently used'}`;
    return [{ name: 'service', result: 'ok', text: `${origin} answers; ${found}` }];
  });
  return { zones, checks };
}

/**
 * No read shows the role or the expiry of a key. Reads show that it may read; earlier runs show whether a key for this account was allowed to
 * move IPs, or the one before it.
 */
function roleCheck({ account, service: { url = '', apiKey } }: Config, runs: readonly Run[]): Check {
  const name = 'role';
  const paid = runs
    .filter((run) => isSameAccount(run, { account, origin: url }))
    .filter(({ key }) => key === undefined || key === keyDigest(apiKey))
    .flatMap((run) => run.calls.filter(({ call }) => mayIncurCharges(call)).map((sent) => ({ run, sent })));
  const last = paid.findLast(({ sent }) => wasForbidden(sent) || ['done', 'accepted'].includes(outcomeOf(sent)));
  const reads = 'the key may read zones; moving IPs needs the role Admin or Ops';
  if (last === undefined) {
    const text = `${reads}; whether this key may cannot be known before the first move`;
    return { name, result: 'note', text };
  }
  const when = `in run ${shortRunId(last.run)} of ${utcTime(last.sent.sentAt)}`;
  if (!wasForbidden(last.sent)) {
    return { name, result: 'ok', text: `${reads}; the last move that the service accepted was ${when}` };
  }
  // The journal keeps the words of the service: a refusal that speaks of money says nothing about the role.
  const fix = speaksOfPayment(last.sent.failed?.message ?? '')
    ? paymentFix
    : 'ask an admin for a key with the role Admin or Ops, and set WEBDATA_API_KEY';
  return { name, result: 'note', text: `${reads}; the service last refused a move ${when}`, fix };
}

function wasForbidden({ failed }: JournaledCall): boolean {
  return failed?.code === 'forbidden';
}

async function listingCheck(zone: string, session: Session): Promise<Check[]> {
  const { ips, ...listing } = await session.client().zones.listing(zone);
  const unknown = ips.filter(({ country }) => country === '').length;
  const counts = `${counted(ips.length, 'IP')}${unknown > 0 ? `, ${unknown} without a known country` : ''}`;
  const remarks = listingRemarks(zone, listing);
  const check = { name: `zone ${zone}`, text: [counts, ...remarks].join('; ') };
  if (listing.partial !== undefined) {
    const fix = 'ask the service for whole listings: until then, no command moves IPs into or out of the zone';
    return [{ ...check, result: 'failed', fix }];
  }
  return [{ ...check, result: unknown > 0 || remarks.length > 0 ? 'note' : 'ok' }];
}

async function countriesCheck(zone: string, session: Session): Promise<Check[]> {
  const countries = Object.keys(await session.client().zones.countries(zone)).length;
  const text = `IPs can be counted by country: ${zone} has ${countries === 1 ? '1 country' : `${countries} countries`}`;
  return [{ name: 'countries', result: 'ok', text }];
}

/** Returns no checks for a service without these routes. */
async function accountChecks(config: Config, session: Session): Promise<Check[]> {
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
