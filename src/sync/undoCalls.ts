/** The calls that take journaled calls back, and what has changed since those were made. */
import { sortedIps } from '../allocation/addresses.ts';
import type { MigrateBatch } from '../allocation/model.ts';
import { type Problem, ProblemError } from '../input/problem.ts';
import type { Listings } from '../resources/accountView.ts';
import type { Call, MigrateCall, UnregisterCall, UpdateSettingsCall } from '../resources/call.ts';
import type { Context } from '../resources/context.ts';
import type { Note } from '../resources/kind.ts';
import { registeredSpec, unregisterCall } from '../resources/registration.ts';
import { differingSettings, liveSettings, pick } from '../resources/settingsDiff.ts';
import { untilSettled } from '../resources/settle.ts';
import { specDigest } from '../triggers/specDigest.ts';
import type { JournaledCall } from './journal.ts';
import { movedBy, outcomeOf } from './outcome.ts';
import type { Session } from './session.ts';

/** A call that takes another one back. */
export type InverseCall = MigrateCall | SettledCall;
/** One whose effect can be read as soon as it is answered. */
export type SettledCall = UpdateSettingsCall | UnregisterCall;

export function hasEffect(journaled: JournaledCall): boolean {
  return movedBy(journaled).length > 0 || (journaled.call.type !== 'migrate' && outcomeOf(journaled) !== 'refused');
}

export function canBeTakenBack(journaled: JournaledCall): boolean {
  return hasEffect(journaled) && inverseOf(journaled).length > 0;
}

export function inverseOf(journaled: JournaledCall): InverseCall[] {
  const { call } = journaled;
  if (call.type === 'deletePorts' || call.type === 'unregister') return [];
  // The journal does not hold what was registered before: it may contain secrets.
  if (call.type === 'register') return call.before === null ? [unregisterCall(call)] : [];
  if (call.type === 'updateSettings') return [{ ...call, settings: call.before, before: call.settings }];
  const moved = new Set(movedBy(journaled));
  const { from: to, to: from } = call;
  const moves = call.moves
    .filter(({ ip }) => moved.has(ip))
    .map((move) => ({ ...move, from, to, reason: 'declared' as const }));
  return [{ type: 'migrate', from, to, moves }];
}

/** Notes on a call that can't be taken back. */
export function notesOn(call: Call): Note[] {
  if (call.type === 'deletePorts') return [left(`deleted ports can't be brought back: ${call.ports.join(', ')}`)];
  const isReplaced = call.type === 'register' && call.before !== null;
  if (!isReplaced && call.type !== 'unregister') return [];
  const found = `the journal does not hold what was registered as ${call.name} before, as it may contain secrets`;
  return [left(`${found}: declare it and apply`)];
}

function left(text: string): Note {
  return { code: 'left-as-is', text };
}

/** The part of a call that is left to send, and the changes since that stand in its way. */
export interface Remaining<Inverse> {
  call?: Inverse;
  problems: Problem[];
}

/** The zone in which the journal lately saw each IP arrive: a listing that shows it elsewhere may lag. */
export type KnownZones = ReadonlyMap<string, string>;

/**
 * Lists the zones of these calls, again while an IP is in none or in two of them, or not where it is known to be. @throws ServiceError
 */
export async function listedFor(
  calls: readonly MigrateCall[],
  context: Pick<Context, 'account' | 'sleep'>,
  known: KnownZones,
): Promise<Listings> {
  const zones = [...new Set(calls.flatMap(({ from, to }) => [from, to]))];
  const moves = calls.flatMap((call) => call.moves);
  return untilSettled(zones, context, (listings) =>
    moves.every(({ ip, from, to }) => {
      const [here, there] = [listings.get(from)?.has(ip), listings.get(to)?.has(ip)];
      const zone = known.get(ip);
      return here !== there && (zone === from ? here : zone !== to || there);
    }),
  );
}

/** Leaves out IPs that are back already. `lost` IPs were brought back, and then moved on by another user. */
export function remainingMoves(
  call: MigrateCall,
  listings: Listings,
  lost?: ReadonlySet<string>,
): Remaining<MigrateCall> {
  const [there, here] = [listings.get(call.to), listings.get(call.from)];
  const moves = call.moves.filter(({ ip }) => !there?.has(ip));
  const gone = moves.map(({ ip }) => ip).filter((ip) => !here?.has(ip) || lost?.has(ip));
  const twice = call.moves.map(({ ip }) => ip).filter((ip) => there?.has(ip) && here?.has(ip));
  const problems = [
    ...(gone.length > 0 ? [movedSince(call, gone)] : []),
    ...(twice.length > 0 ? [seenTwice(call, twice)] : []),
  ];
  return moves.length > 0 ? { call: { ...call, moves }, problems } : { problems };
}

function movedSince({ from }: MigrateBatch, gone: readonly string[]): Problem {
  return {
    code: 'changed-since',
    found: `${sortedIps(gone).join(', ')} ${gone.length === 1 ? 'is' : 'are'} no longer in ${from}: moved since by somebody else or a later run`,
    allowed: onlyAsLeft,
    fix: 'undo the later runs first, or declare where the IPs belong and apply',
  };
}

function seenTwice({ from, to }: MigrateBatch, twice: readonly string[]): Problem {
  return {
    code: 'ip-seen-twice',
    found: `${sortedIps(twice).join(', ')} ${twice.length === 1 ? 'is' : 'are'} listed in ${from} and in ${to}`,
    allowed: 'an IP in one zone',
    fix: 'run it again in a while; if listings lag for long, raise settleSeconds in the service profile',
  };
}

const onlyAsLeft = 'to undo only what is still as the run left it';

/** Reads the live state anew, unless it is kept in the session. @throws ProblemError, ServiceError */
export async function remainingOf(
  call: SettledCall,
  done: readonly JournaledCall[],
  session: Session,
): Promise<Remaining<SettledCall>> {
  return call.type === 'unregister' ? remainingRemoval(call, done, session) : remainingSettings(call, session);
}

async function remainingSettings(call: UpdateSettingsCall, session: Session): Promise<Remaining<UpdateSettingsCall>> {
  const { settings } = await session.manager(call.manager).readSettings();
  const live = liveSettings(settings);
  const names = differingSettings(call.settings, live);
  if (names.length === 0) return { problems: [] };
  const before = pick(call.before, names);
  const problems = differingSettings(before, live).map((name) => ({
    code: 'changed-since',
    path: [name],
    found: `${name} is ${JSON.stringify(live[name])} now, and the run left it at ${JSON.stringify(before[name])}`,
    allowed: onlyAsLeft,
    fix: 'declare what it should be and apply',
  }));
  return { call: { ...call, settings: pick(call.settings, names), before }, problems };
}

async function remainingRemoval(
  call: UnregisterCall,
  done: readonly JournaledCall[],
  session: Session,
): Promise<Remaining<UnregisterCall>> {
  const { url } = session.triggers();
  if (url !== call.triggers) throw new ProblemError([otherService(call.triggers, url)]);
  const found = await registeredSpec(call, session);
  if (found === undefined) return { problems: [] };
  const digests = done.flatMap(({ call: its }) => (its.type === 'register' ? [its.digest] : []));
  return { call, problems: digests.includes(specDigest(found)) ? [] : [registeredSince(call)] };
}

function registeredSince({ record, owner, name }: UnregisterCall): Problem {
  return {
    code: 'changed-since',
    found: `the ${record} ${name} of ${owner} is no longer as the run registered it`,
    allowed: onlyAsLeft,
    fix: 'declare what it should be and apply, or take it out of the declaration and apply with --prune',
  };
}

function otherService(found: string, now: string): Problem {
  return {
    code: 'other-origin',
    found: `the run registered at ${found}, and the trigger service is ${now} now`,
    allowed: found,
    fix: 'set triggers.url, or WEBDATA_TRIGGERS_URL, to that one',
  };
}
