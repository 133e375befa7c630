/** Plans and results as JSON documents; `schema.ts` defines them. */
import { jsonText } from '../../base/values/printable.ts';
import type { JournaledCall } from '../../engine/doors/history.ts';
import { type CausedChange, hasFailed, type ResourceId } from '../../engine/doors/plan.ts';
import { movedBy, outcomeOf } from '../../kinds/knownCalls.ts';
import { callDocument, countsByName } from '../../kinds/shownCalls.ts';
import { type AccountsFormat, accountState, type FormatFunctions } from '../model/accounts.ts';
import { countCauses } from '../model/causes.ts';
import { costOf } from '../model/cost.ts';
import { withoutFolders } from '../model/locations.ts';
import type { Meta, PlanReport, Report, ReportFormat, RunReport } from '../model/report.ts';
import { applyTotals, planSummary } from '../model/report.ts';
import type { ReportState } from '../model/tables.ts';
import type { AccountsDocument, ApplyDocument, PlanDocument } from './schema.ts';
import { documentLocation, jsonStep, problemDocument } from './schemaParts.ts';

/** Formats a report as one complete JSON document. */
export const json: ReportFormat = (report) => jsonText(documentOf(report));

function documentOf(report: Report): PlanDocument | ApplyDocument {
  return report.about === 'run' ? runDocument(report) : planDocument(report);
}

/** Formats the reports of several accounts as one complete JSON document. */
const accountsJson: AccountsFormat = (report) => {
  const { command, version, createdAt, accounts } = report;
  const count = (kind: ReportState['kind']) => accounts.filter((each) => accountState(each).kind === kind).length;
  const summary = { accounts: accounts.length, changed: count('change'), failed: count('failed') };
  return jsonText({
    format: 'webdata.accounts/1',
    version,
    createdAt,
    command,
    summary,
    accounts: accounts.map((each) => ({
      account: each.account,
      file: withoutFolders(each.file),
      exitCode: each.exitCode,
      state: accountState(each).words,
      report: documentOf(each.report),
    })),
  } satisfies AccountsDocument);
};

export const jsonFormat: FormatFunctions = { one: json, accounts: accountsJson };

function planDocument(report: PlanReport): PlanDocument {
  const { plan, problems, mode, baseline, warnings = [], ...meta } = report;
  const { totals, tally, ...summary } = planSummary(plan);
  const { drift, pending, both, muted } = countCauses(plan);
  return {
    format: 'webdata.plan/1',
    ...metaOf(meta),
    mode,
    baseline,
    summary: {
      ...countsByName(totals),
      ...tally,
      ...summary,
      cost: costOf(report),
      problems: summary.problems + problems.length,
      ...(baseline !== undefined && {
        driftDifferences: drift,
        pendingDifferences: pending,
        bothDifferences: both,
        mutedDifferences: muted,
      }),
    },
    problems: problems.map(problemDocument),
    ...(warnings.length > 0 && { warnings: warnings.map(problemDocument) }),
    resources: plan.resources.map(({ calls, changes, causes, whys, notes, problems: ownProblems, ...resource }) => ({
      ...resourceIdOf(resource),
      place: resource.place && documentLocation(resource.place),
      calls: calls.map(callDocument),
      changes: changes.map(({ isDefault: _, ...change }) => ({ ...change, path: change.path.map(jsonStep) })),
      differences: causes?.map(differenceOf),
      why: mode === 'drift' ? undefined : whys?.map(({ ips, ...why }) => ({ ...why, ips: [...ips] })),
      inventory: mode === 'drift' ? undefined : resource.inventory?.map(({ zone, countries }) => ({ zone, countries })),
      notes: notes.map(({ code, text, ips, muted }) => ({ code, text, ips: ips && [...ips], muted })),
      problems: ownProblems.map(problemDocument),
    })),
  };
}

type DifferenceDocument = NonNullable<PlanDocument['resources'][number]['differences']>[number];

function differenceOf({
  path,
  kind,
  before,
  after,
  cause,
  baseline,
  muted,
  run,
  by,
}: CausedChange): DifferenceDocument {
  return { path: path.map(jsonStep), kind, before, after, cause, baseline, muted, run, by };
}

function runDocument({ result, command, ...meta }: RunReport): ApplyDocument {
  const { totals, problems: problemCount, ...calls } = applyTotals(result);
  return {
    format: 'webdata.apply/1',
    ...metaOf(meta),
    command,
    result: hasFailed(result) ? 'failed' : 'done',
    summary: { ...calls, ...countsByName(totals), problems: problemCount },
    resources: result.resources.map(({ outcome, made, notMade, problems, ...resource }) => ({
      ...resourceIdOf(resource),
      outcome,
      made: made.map(journaledDocument),
      notMade: notMade.map(callDocument),
      problems: problems.map(problemDocument),
    })),
  };
}

function metaOf({ origin, account, version, createdAt }: Meta): Meta {
  return { origin, account, version, createdAt };
}

export function resourceIdOf({ kind, collection, name }: ResourceId): ResourceId {
  return { kind, collection, name };
}

type JournaledDocument = ApplyDocument['resources'][number]['made'][number];

export function journaledDocument(journaled: JournaledCall): JournaledDocument {
  const { call, sentAt, answered, failed, seen } = journaled;
  const [outcome, movedIps] = [outcomeOf(journaled), movedBy(journaled)];
  return { call: callDocument(call), outcome, movedIps, sentAt, answered, failed, seen: seen && seenOf(seen) };
}

function seenOf(seen: NonNullable<JournaledCall['seen']>): JournaledDocument['seen'] {
  if ('took' in seen) return { at: seen.at, took: seen.took };
  const { at, moved, notMoved, elsewhere, notVisible } = seen;
  return { at, moved: [...moved], notMoved: [...notMoved], elsewhere: [...elsewhere], notVisible: [...notVisible] };
}
