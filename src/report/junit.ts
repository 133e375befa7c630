/** Reports as JUnit XML for Jenkins, GitLab and others: a suite for each collection, a test case for each resource. */
import Builder from 'fast-xml-builder';
import { formatPath } from '../base/diagnostics/path.ts';
import type { Location, Problem } from '../base/diagnostics/problem.ts';
import { counted } from '../base/diagnostics/valueWords.ts';
import {
  isDrift,
  isSameResource,
  type ResourceId,
  type ResourcePlan,
  type ResourceResult,
} from '../engine/doors/plan.ts';
import { type AccountsFormat, documentFormat } from './model/accounts.ts';
import { causeGroups } from './model/causes.ts';
import type { PlanReport, Report, ReportFormat, RunReport } from './model/report.ts';
import type { TextOptions } from './model/style.ts';
import { commandOf, onlyOf, summaryOf } from './model/summary.ts';
import { formatProblem } from './text/problems.ts';
import { reportText } from './text/text.ts';

const junit: ReportFormat = (report, { full }) => {
  const account = report.account === undefined ? '' : ` ${report.account}`;
  return xmlOf(`webdata ${commandOf(report)}${account}`, casesOf(report, { color: false, full }), report);
};

/** Returns the suites of all accounts. The name of a suite begins with that of its account. */
const accountsJunit: AccountsFormat = (report, { full }) => {
  const cases = report.accounts.flatMap(({ account, report: accountReport }) => {
    const found = casesOf(accountReport, { color: false, full });
    return found.map((each) => ({ ...each, suite: `${account} ${each.suite}` }));
  });
  return xmlOf(`webdata ${report.command}`, cases, report);
};

export const junitFormat = documentFormat({ one: junit, accounts: accountsJunit });

function xmlOf(name: string, cases: readonly Case[], report: Pick<Report, 'createdAt'>): string {
  const suites = [...Map.groupBy(cases, ({ suite }) => suite)];
  const root = {
    '@_name': name,
    ...totals(cases),
    testsuite: suites.map(([suite, suiteCases]) => suiteOf(suite, suiteCases, report)),
  };
  return builder.build({ '?xml': { '@_version': '1.0', '@_encoding': 'UTF-8' }, testsuites: root });
}

interface Case {
  suite: string;
  classname: string;
  name: string;
  place?: Location | undefined;
  /** Absent for a case that passed. */
  fate?: { is: 'failure' | 'error' | 'skipped'; type: string; message: string } | undefined;
  text: string;
}

function casesOf(report: Report, options: TextOptions): Case[] {
  if (report.about === 'run') return report.result.resources.map((resource) => resultCase(resource, report, options));
  const resources = report.plan.resources.map((resource) => planCase(resource, report, options));
  const declaration = report.problems.length > 0 ? [declarationCase(report, options)] : [];
  return [...declaration, ...(report.warnings ?? []).map(warningCase), ...resources];
}

/** Returns the case for the problems that belong to no resource. */
function declarationCase(report: PlanReport, options: TextOptions): Case {
  const text = reportText({ ...report, warnings: [], plan: { resources: [] } }, options).trimEnd();
  const id = { suite: 'webdata', classname: 'webdata', name: 'declaration' };
  return { ...id, place: report.problems[0]?.place, fate: errorOf(report.problems), text };
}

/** Returns the case for a warning, which belongs to no resource and fails nothing. */
function warningCase(warning: Problem): Case {
  const id = { suite: 'webdata', classname: 'webdata', name: formatPath(warning.path ?? []) };
  return { ...id, place: warning.place, text: formatProblem(warning) };
}

function planCase(resource: ResourcePlan, report: PlanReport, options: TextOptions): Case {
  const only = { ...onlyOf(report, resource), warnings: [] };
  const fate = resource.problems.length > 0 ? errorOf(resource.problems) : driftOf(resource, only);
  return { ...idOf(resource), place: resource.place, fate, text: reportText(only, options).trimEnd() };
}

function driftOf(resource: ResourcePlan, only: PlanReport): Case['fate'] {
  if (only.mode !== 'drift' || !isDrift(resource, only)) return undefined;
  const causes = new Set(causeGroups(resource, only).map(({ cause }) => cause));
  const isOnlyPending = causes.size > 0 && !causes.has('drift') && !causes.has('both');
  const type = causes.has('both') || (causes.has('drift') && causes.has('pending')) ? 'drift-and-pending' : 'drift';
  return { is: 'failure', type: isOnlyPending ? 'pending' : type, message: summaryOf(only) };
}

function resultCase(resource: ResourceResult, report: RunReport, options: TextOptions): Case {
  const { outcome, problems } = resource;
  const place = report.result.plan.resources.find((other) => isSameResource(other, resource))?.place;
  const only = { ...report, result: { ...report.result, resources: [resource] } };
  const failed = outcome === 'failed' || problems.length > 0;
  const fates: Record<'failed' | 'skipped', Case['fate']> = {
    failed: { is: 'failure', type: problems[0]?.code ?? 'failed', message: problems[0]?.found ?? summaryOf(only) },
    skipped: { is: 'skipped', type: 'skipped', message: 'an earlier call failed' },
  };
  const fate = failed ? fates.failed : outcome === 'skipped' ? fates.skipped : undefined;
  return { ...idOf(resource), place, fate, text: reportText(only, options).trimEnd() };
}

function idOf({ kind, collection, name }: ResourceId): Pick<Case, 'suite' | 'classname' | 'name'> {
  return { suite: collection, classname: kind, name };
}

function errorOf(problems: readonly { code: string; found: string }[]): Case['fate'] {
  const [first] = problems;
  if (!first) return undefined;
  const more = problems.length > 1 ? ` (and ${counted(problems.length - 1, 'more problem')})` : '';
  return { is: 'error', type: first.code, message: first.found + more };
}

function suiteOf(name: string, cases: readonly Case[], { createdAt }: Pick<Report, 'createdAt'>): object {
  return {
    '@_name': name,
    ...totals(cases),
    ...(createdAt === undefined ? {} : { '@_timestamp': createdAt }),
    testcase: cases.map(testcase),
  };
}

function totals(cases: readonly Case[]): object {
  const count = (fate: string) => cases.filter(({ fate: caseFate }) => caseFate?.is === fate).length;
  return {
    '@_tests': cases.length,
    '@_failures': count('failure'),
    '@_errors': count('error'),
    '@_skipped': count('skipped'),
    '@_time': 0,
  };
}

/** Puts the text into the failure, which readers show, or else into the output. */
function testcase({ classname, name, place, fate, text }: Case): object {
  const where = place ? { '@_file': place.file, '@_line': place.line } : {};
  const common = { '@_classname': classname, '@_name': name, ...where, '@_time': 0 };
  if (!fate) return { ...common, 'system-out': text };
  const { is, type, message } = fate;
  if (is === 'skipped') return { ...common, skipped: { '@_message': message }, 'system-out': text };
  return { ...common, [is]: { '@_type': type, '@_message': message, '#text': text } };
}

/** Characters that XML 1.0 does not allow, even escaped. */
const forbidden = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;

function allowed(_: string, value: unknown): string {
  return String(value).replaceAll(forbidden, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}

const builder = new Builder({
  ignoreAttributes: false,
  format: true,
  suppressEmptyNode: true,
  // A text `true` is a value like any other.
  suppressBooleanAttributes: false,
  attributeValueProcessor: allowed,
  tagValueProcessor: allowed,
});
