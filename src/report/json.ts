/** Plan, result and history for programs, as `jsonSchema.ts` describes them. */
import type { Place, Problem } from '../input/problem.ts';
import { type Call, isRegistration, mayIncurCharges } from '../resources/call.ts';
import type { JournaledCall, Run } from '../sync/journal.ts';
import { movedBy, outcomeOf } from '../sync/outcome.ts';
import { type ResourceId, type ResourcePlan, summarize } from '../sync/plan.ts';
import { applyTotals, hasFailed } from './applyTotals.ts';
import type { CallDocument } from './callSchema.ts';
import type { ApplyDocument, HistoryDocument, PlanDocument, ProblemDocument } from './jsonSchema.ts';
import { withoutFolders } from './places.ts';
import { printableJson } from './printable.ts';
import type { Format, Meta, PlanReport, RunReport } from './report.ts';

/** Complete, however the command ends. */
export const json: Format = (report) => textOf(report.about === 'run' ? runDocument(report) : planDocument(report));

function planDocument({ plan, problems, mode, ...meta }: PlanReport): PlanDocument {
  const summary = summarize(plan);
  return {
    format: 'webdata.plan/1',
    ...metaOf(meta),
    mode,
    summary: { ...summary, problems: summary.problems + problems.length },
    problems: problems.map(problemOf),
    resources: plan.resources.map(({ calls, changes, notes, problems: its, ...resource }) => ({
      ...idOf(resource),
      place: resource.place && placeOf(resource.place),
      calls: calls.map(callOf),
      changes: changes.map((change) => ({ ...change, path: change.path.map(stepOf) })),
      inventory: inventoryOf(resource),
      notes: notes.map(({ code, text, ips }) => ({ code, text, ips: ips && [...ips] })),
      problems: its.map(problemOf),
    })),
  };
}

function inventoryOf({ inventory }: Pick<ResourcePlan, 'inventory'>): InventoryDocument | undefined {
  return inventory?.map(({ zone, countries }) => ({
    zone,
    countries: countries.map(({ country, before, after }) => ({ country, before, after })),
  }));
}

function runDocument({ result, command, ...meta }: RunReport): ApplyDocument {
  return {
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
  };
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
  if (isRegistration(call)) {
    const { triggers, record, owner, name } = call;
    const its = { triggers, record, owner, name, ...charges };
    if (call.type === 'unregister') return { type: call.type, ...its };
    return { type: call.type, ...its, digest: call.digest, before: call.before, delivery: call.delivery };
  }
  const { type, manager, settings, before } = call;
  return { type, manager, settings: settingsOf(settings), before: settingsOf(before), ...charges };
}

type InventoryDocument = NonNullable<PlanDocument['resources'][number]['inventory']>;
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

function stepOf(step: PropertyKey): string | number {
  return typeof step === 'symbol' ? String(step) : step;
}
