/** Plan, result and history for programs, as `jsonSchema.ts` describes them. */
import { posix, win32 } from 'node:path';
import type { Place, Problem } from '../input/problem.ts';
import { type Call, mayIncurCharges } from '../resources/call.ts';
import type { Command, JournaledCall, Run } from '../sync/journal.ts';
import { type ApplyResult, movedBy, outcomeOf } from '../sync/outcome.ts';
import { type Plan, type ResourceId, summarize } from '../sync/plan.ts';
import { applyTotals, hasFailed } from './applyTotals.ts';
import type { ApplyDocument, CallDocument, HistoryDocument, PlanDocument, ProblemDocument } from './jsonSchema.ts';
import type { PlanMode } from './planSummary.ts';
import { printableJson } from './printable.ts';

export interface Meta {
  /** Of the API. */
  origin: string;
  /** Of the tool. */
  version: string;
  createdAt?: string | undefined;
}

/** `mode` is `plan` by default. For drift, the plan is that of `driftIn`. */
export function planJson(plan: Plan, { mode = 'plan', ...meta }: Meta & { mode?: PlanMode | undefined }): string {
  return textOf({
    format: 'webdata.plan/1',
    ...metaOf(meta),
    mode,
    summary: summarize(plan),
    resources: plan.resources.map(({ calls, changes, notes, problems, ...resource }) => ({
      ...idOf(resource),
      calls: calls.map(callOf),
      changes: changes.map((change) => ({ ...change, path: change.path.map(stepOf) })),
      notes: notes.map(({ code, text, ips }) => ({ code, text, ips: ips && [...ips] })),
      problems: problems.map(problemOf),
    })),
  } satisfies PlanDocument);
}

/** `command` is `apply` by default. */
export function applyJson(
  result: ApplyResult,
  { command = 'apply', ...meta }: Meta & { command?: Command | undefined },
): string {
  return textOf({
    format: 'webdata.apply/1',
    ...metaOf(meta),
    command,
    result: hasFailed(result) ? 'failed' : 'done',
    summary: applyTotals(result),
    resources: result.resources.map(({ outcome, made, notMade, problems, ...resource }) => ({
      ...idOf(resource),
      outcome,
      made: made.map(journaledOf),
      notMade: notMade.map(callOf),
      problems: problems.map(problemOf),
    })),
  } satisfies ApplyDocument);
}

/** `runs` as the journal holds them, the oldest first. */
export function historyJson(runs: readonly Run[]): string {
  return textOf({
    format: 'webdata.history/1',
    runs: runs.toReversed().map(({ id, command, origin, version, plan, undoes, startedAt, ended, calls }) => ({
      id,
      command,
      origin,
      version,
      plan: plan === undefined ? undefined : withoutFolders(plan),
      undoes,
      startedAt,
      endedAt: ended?.at,
      result: ended?.result ?? 'interrupted',
      calls: calls.map((journaled) => ({ resource: idOf(journaled.resource), ...journaledOf(journaled) })),
    })),
  } satisfies HistoryDocument);
}

function textOf(document: object): string {
  return `${printableJson(JSON.stringify(document, null, 2))}\n`;
}

function metaOf({ origin, version, createdAt }: Meta): Meta {
  return { origin, version, createdAt };
}

function idOf({ kind, collection, name }: ResourceId): ResourceId {
  return { kind, collection, name };
}

/** Field by field, so that what a call may carry one day is not shown before somebody has looked at it. */
function callOf(call: Call): CallDocument {
  const charges = { mayIncurCharges: mayIncurCharges(call) };
  if (call.type === 'migrate') {
    const ips = call.moves.map(({ ip, country, reason }) => ({ ip, country, reason }));
    return { type: call.type, from: call.from, to: call.to, ips, ...charges };
  }
  if (call.type === 'deletePorts') {
    return { type: call.type, manager: call.manager, ports: [...call.ports], observed: call.observed, ...charges };
  }
  const { type, manager, settings, before } = call;
  return { type, manager, settings: settingsOf(settings), before: settingsOf(before), ...charges };
}

type SettingsDocument = Extract<CallDocument, { type: 'updateSettings' }>['settings'];

function settingsOf(settings: Extract<Call, { type: 'updateSettings' }>['settings']): SettingsDocument {
  const { zone, wwwWhitelistIps, whitelistIps, logs, requestStats } = settings;
  return {
    zone,
    wwwWhitelistIps: wwwWhitelistIps && [...wwwWhitelistIps],
    whitelistIps: whitelistIps && [...whitelistIps],
    logs,
    requestStats,
  };
}

type JournaledDocument = ApplyDocument['resources'][number]['made'][number];

function journaledOf(journaled: JournaledCall): JournaledDocument {
  const { call, sentAt, answered, failed, seen } = journaled;
  return {
    call: callOf(call),
    outcome: outcomeOf(journaled),
    movedIps: movedBy(journaled),
    sentAt,
    answered,
    failed,
    seen: seen && seenOf(seen),
  };
}

function seenOf(seen: NonNullable<JournaledCall['seen']>): JournaledDocument['seen'] {
  if ('took' in seen) return { at: seen.at, took: seen.took };
  const { at, moved, notMoved, elsewhere, notVisible } = seen;
  return {
    at,
    moved: [...moved],
    notMoved: [...notMoved],
    elsewhere: [...elsewhere],
    notVisible: [...notVisible],
  };
}

function problemOf({ code, found, allowed, fix, path, place, also }: Problem): ProblemDocument {
  return {
    code,
    found,
    allowed,
    fix,
    path: path?.map(stepOf),
    place: place && placeOf(place),
    also: also?.map((other) => ({
      path: other.path.map(stepOf),
      place: other.place && placeOf(other.place),
      what: other.what,
    })),
  };
}

function placeOf({ file, line, column }: Place): Place {
  return { file: withoutFolders(file), line, column };
}

/** Documents travel, and an absolute path tells about a machine. */
function withoutFolders(file: string): string {
  if (posix.isAbsolute(file)) return posix.basename(file);
  return win32.isAbsolute(file) ? win32.basename(file) : file;
}

function stepOf(step: PropertyKey): string | number {
  return typeof step === 'symbol' ? String(step) : step;
}
