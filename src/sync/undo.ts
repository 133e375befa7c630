/** Undoing a run: the inverse of what it is known to have done, refused where something of it has been changed since. */
import { sortedIps } from '../allocation/addresses.ts';
import type { MigrateBatch } from '../allocation/model.ts';
import { type Problem, ProblemError } from '../input/problem.ts';
import type { Call, MigrateCall, UnregisterCall, UpdateSettingsCall } from '../resources/call.ts';
import { propertyChanges } from '../resources/changes.ts';
import type { Context } from '../resources/context.ts';
import { footprintOfCall } from '../resources/footprint.ts';
import type { Note } from '../resources/kind.ts';
import { kinds } from '../resources/kinds.ts';
import { updateSettings } from '../resources/managerCalls.ts';
import { sendBatches } from '../resources/migrate.ts';
import { registeredSpec, unregister, unregisterCall } from '../resources/registration.ts';
import { asProperties, differingSettings, liveSettings, pick } from '../resources/settingsDiff.ts';
import { specDigest } from '../triggers/specDigest.ts';
import { type Failure, failureOf } from './apply.ts';
import type { Config } from './config.ts';
import type { JournaledCall, Run, RunWriter } from './journal.ts';
import { type ApplyResult, movedBy, outcomeOf, type ResourceResult } from './outcome.ts';
import type { Plan, ResourceId, ResourcePlan } from './plan.ts';
import { expectDone, problemsFrom } from './planner.ts';
import type { Session } from './session.ts';
import { undoGuards } from './undoGuards.ts';

/**
 * The run to undo: the one whose id begins so, else the last that made a change and was not undone. An undo that failed half-way
 * is not undone itself: what it was about is, to its end. @throws ProblemError
 */
export function runToUndo(runs: readonly Run[], id?: string): Run {
  const isDone = ({ ended }: Run) => ended?.result === 'done';
  const undone = new Set(runs.filter(isDone).map(({ undoes }) => undoes));
  const candidates = runs.filter((run) => run.calls.some(hasEffect) && !undone.has(run.id));
  const last = candidates.findLast((run) => run.calls.some(canBeUndone) && (run.undoes === undefined || isDone(run)));
  const found = id === undefined ? last : candidates.find((run) => run.id.startsWith(id));
  if (found) return found;
  throw new ProblemError([
    {
      code: 'nothing-to-undo',
      found:
        id === undefined ? 'no run in the journal made a change that can be undone' : `no run ${id} that can be undone`,
      allowed: 'a run that made changes and was not undone yet',
      fix: '`webdata history` lists the runs',
    },
  ]);
}

function hasEffect(journaled: JournaledCall): boolean {
  return movedBy(journaled).length > 0 || (journaled.call.type !== 'migrate' && outcomeOf(journaled) !== 'refused');
}

function canBeUndone(journaled: JournaledCall): boolean {
  return hasEffect(journaled) && inverseOf(journaled).length > 0;
}

/** What takes a call back. */
type Inverse = MigrateCall | UpdateSettingsCall | UnregisterCall;

/**
 * Only reads; the problems name what has been changed since. The last call is the first to be taken back, and each is looked at
 * as if those after it were taken back already: an IP may have gone by way of a spare.
 */
export async function planUndo(run: Run, config: Config, session: Session): Promise<Plan> {
  const planning = session.withFreshAccount();
  const done = run.calls.filter(hasEffect).toReversed();
  const resources: ResourcePlan[] = [];
  for (const its of Map.groupBy(done, ({ resource }) => `${resource.collection}.${resource.name}`).values()) {
    const [last] = its;
    if (!last) continue;
    const guards = await undoGuards(last.resource, footprintOfCall(last.call), config, planning);
    const planned = await planResource(last.resource, its, planning);
    resources.push(planned.problems.length > 0 ? planned : { ...planned, problems: guards(planned.calls) });
  }
  return { resources };
}

async function planResource(id: ResourceId, done: readonly JournaledCall[], session: Session): Promise<ResourcePlan> {
  const calls: Inverse[] = [];
  const problems: Problem[] = [];
  for (const inverse of done.flatMap(inverseOf)) {
    const call = await leftOf(inverse, session).catch((error: unknown) => {
      problems.push(...problemsFrom(error));
      return inverse;
    });
    if (!call) continue;
    calls.push(call);
    problems.push(...(await changedSince(call, done, session)));
    expectDone(call, session);
  }
  const updates = calls.filter((call) => call.type === 'updateSettings');
  return {
    ...id,
    changes: updates.flatMap(({ before, settings }) => propertyChanges(asProperties(before), asProperties(settings))),
    calls,
    notes: done.flatMap(({ call }) => notesOn(call)),
    problems,
    fingerprints: {},
  };
}

function inverseOf(journaled: JournaledCall): Inverse[] {
  const { call } = journaled;
  if (call.type === 'deletePorts' || call.type === 'unregister') return [];
  // What was registered before stands in no journal: it may hold secrets.
  if (call.type === 'register') return call.before === null ? [unregisterCall(call)] : [];
  if (call.type === 'updateSettings') return [{ ...call, settings: call.before, before: call.settings }];
  const moved = new Set(movedBy(journaled));
  const { from: to, to: from } = call;
  const moves = call.moves
    .filter(({ ip }) => moved.has(ip))
    .map((move) => ({ ...move, from, to, reason: 'declared' as const }));
  return [{ type: 'migrate', from, to, moves }];
}

/** What an earlier undo, or anybody, has not taken back yet. */
async function leftOf(call: Inverse, session: Session): Promise<Inverse | undefined> {
  if (call.type === 'unregister') return (await registeredIn(call, session)) === undefined ? undefined : call;
  if (call.type === 'migrate') {
    const there = (await session.account.list([call.to])).get(call.to);
    const moves = call.moves.filter(({ ip }) => !there?.has(ip));
    return moves.length > 0 ? { ...call, moves } : undefined;
  }
  const { settings } = await session.manager(call.manager).readSettings();
  const left = differingSettings(call.settings, liveSettings(settings));
  if (left.length === 0) return undefined;
  return { ...call, settings: pick(call.settings, left), before: pick(call.before, left) };
}

function notesOn(call: Call): Note[] {
  if (call.type === 'deletePorts') return [left(`deleted ports can't be brought back: ${call.ports.join(', ')}`)];
  const isReplaced = call.type === 'register' && call.before !== null;
  if (!isReplaced && call.type !== 'unregister') return [];
  return [
    left(
      `what was registered as ${call.name} before stands in no journal, as it may hold secrets: declare it and apply`,
    ),
  ];
}

function left(text: string): Note {
  return { code: 'left-as-is', text };
}

async function changedSince(call: Inverse, done: readonly JournaledCall[], session: Session): Promise<Problem[]> {
  try {
    if (call.type === 'unregister') return await registeredSince(call, done, session);
    return call.type === 'migrate' ? await movedSince(call, session) : await settingsChangedSince(call, session);
  } catch (error) {
    return problemsFrom(error);
  }
}

async function movedSince({ from, moves }: MigrateBatch, { account }: Session): Promise<Problem[]> {
  const listing = (await account.list([from])).get(from);
  const gone = sortedIps(moves.map(({ ip }) => ip).filter((ip) => !listing?.has(ip)));
  if (gone.length === 0) return [];
  return [
    {
      code: 'changed-since',
      found: `${gone.join(', ')} ${gone.length === 1 ? 'is' : 'are'} no longer in ${from}: moved since by somebody else or a later run`,
      allowed: 'to undo only what is still as the run left it',
      fix: 'undo the later runs first, or declare where the IPs belong and apply',
    },
  ];
}

async function settingsChangedSince({ manager, before }: UpdateSettingsCall, session: Session): Promise<Problem[]> {
  const { settings } = await session.manager(manager).readSettings();
  const live = liveSettings(settings);
  return differingSettings(before, live).map((name) => ({
    code: 'changed-since',
    path: [name],
    found: `${name} is ${JSON.stringify(live[name])} now, and the run left it at ${JSON.stringify(before[name])}`,
    allowed: 'to undo only what is still as the run left it',
    fix: 'declare what it should be and apply',
  }));
}

async function registeredIn(call: UnregisterCall, session: Session): Promise<object | undefined> {
  const { url } = session.triggers();
  if (url !== call.triggers) throw new ProblemError([otherService(call.triggers, url)]);
  return registeredSpec(call, session);
}

async function registeredSince(
  call: UnregisterCall,
  done: readonly JournaledCall[],
  session: Session,
): Promise<Problem[]> {
  const { record, owner, name } = call;
  const found = await registeredIn(call, session);
  const digests = done.flatMap(({ call: its }) => (its.type === 'register' ? [its.digest] : []));
  if (found === undefined || digests.includes(specDigest(found))) return [];
  return [
    {
      code: 'changed-since',
      found: `the ${record} ${name} of ${owner} is no longer as the run registered it`,
      allowed: 'to undo only what is still as the run left it',
      fix: 'declare what it should be and apply, or take it out of the declaration and apply with --prune',
    },
  ];
}

function otherService(found: string, now: string): Problem {
  return {
    code: 'other-origin',
    found: `the run registered at ${found}, and the trigger service is ${now} now`,
    allowed: found,
    fix: 'set triggers.url, or WEBDATA_TRIGGERS_URL, to that one',
  };
}

/** Carries the plan of an undo out, one resource after the other; stops only where nothing more may be sent. */
export async function applyUndo(plan: Plan, session: Session, writer: RunWriter): Promise<ApplyResult> {
  const resources: ResourceResult[] = [];
  let ended = false;
  for (const { kind, collection, name, calls } of plan.resources) {
    const id = { kind, collection, name };
    const failure: Failure | undefined = ended ? undefined : await undoResource(id, calls, session, writer);
    const made = writer.callsOf(id);
    resources.push({
      ...id,
      outcome: ended ? 'skipped' : failure ? 'failed' : 'done',
      made,
      notMade: calls.slice(made.length),
      problems: failure?.problems ?? [],
    });
    ended ||= failure?.ends ?? false;
  }
  return { plan, resources };
}

async function undoResource(
  id: ResourceId,
  calls: readonly Call[],
  session: Session,
  writer: RunWriter,
): Promise<Failure | undefined> {
  const definition = kinds.find(({ collection }) => collection === id.collection);
  if (!definition) return { problems: [unknownKind(id)], ends: false };
  const context: Context = session.contextFor(
    { definition, name: id.name },
    { recorder: { sending: (call) => writer.sending(id, call) } },
  );
  const batches = calls.filter((call) => call.type === 'migrate');
  try {
    for (const wave of waves(batches)) {
      await sendBatches(wave, [...new Set(wave.flatMap(({ from, to }) => [from, to]))], context);
    }
    for (const call of calls) {
      if (call.type === 'updateSettings') await updateSettings(call, session.manager(call.manager), context);
      if (call.type === 'unregister') await unregister(call, context);
    }
    return undefined;
  } catch (error) {
    return failureOf(error, context.signal);
  }
}

/** In none of them an IP moves twice: what became of a call is only to be seen before another one moves its IPs on. */
function waves(batches: readonly MigrateCall[]): MigrateCall[][] {
  const all: MigrateCall[][] = [];
  const ips = new Set<string>();
  for (const batch of batches) {
    const isNext = all.length === 0 || batch.moves.some(({ ip }) => ips.has(ip));
    if (isNext) ips.clear();
    for (const { ip } of batch.moves) ips.add(ip);
    if (isNext) all.push([batch]);
    else all.at(-1)?.push(batch);
  }
  return all;
}

function unknownKind({ collection }: ResourceId): Problem {
  return { code: 'unknown-kind', found: `${collection}, a kind that this version does not know` };
}
