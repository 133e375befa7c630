/** Annotations for GitHub Actions: workflow commands, one per line, which GitHub shows beside the lines of the files. */
import { type Location, mergeByCause, type Problem } from '../base/diagnostics/problem.ts';
import { isDrift, isMuted, type ResourceId, type ResourceResult, resourceTitle } from '../engine/doors/plan.ts';
import { isUnhealthy } from '../kinds/knownNotes.ts';
import { driftWords } from '../kinds/seam/callWords.ts';
import { describeCall } from '../kinds/shownCalls.ts';
import { type AccountsFormat, accountsSummary, documentFormat } from './model/accounts.ts';
import { causeGroups } from './model/causes.ts';
import { differenceWords } from './model/differences.ts';
import { problemDetails } from './model/problemDetails.ts';
import type { PlanReport, Report, ReportFormat, RunReport } from './model/report.ts';
import { outcomeStates } from './model/results.ts';
import { listed, plainStyle, shortened } from './model/style.ts';
import { commandOf, onlyOf, summaryLine, summaryOf } from './model/summary.ts';

const annotations: ReportFormat = (report) => {
  const command = `webdata ${commandOf(report)}${report.account === undefined ? '' : ` ${report.account}`}`;
  return linesOf(annotationsOf(report), { level: 'notice', title: command, text: summaryOf(report) });
};

/** Returns the annotations of all accounts, whose names are in the titles. */
const accountsAnnotations: AccountsFormat = (report) => {
  const all = report.accounts.flatMap(({ account, report: accountReport }) =>
    annotationsOf(accountReport).map((each) => ({ ...each, title: `${each.title} (${account})` })),
  );
  const summaries = report.accounts.map((each) => `${each.account}: ${summaryOf(each.report)}`);
  const { shown, more } = shortened(summaries, fewAccounts, plainStyle);
  const text = [accountsSummary(report), ...shown, ...(more > 0 ? [`… and ${more} more`] : [])].join('\n');
  return linesOf(all, { level: 'notice', title: `webdata ${report.command}`, text });
};

export const githubFormat = documentFormat({ one: annotations, accounts: accountsAnnotations });

const fewAccounts = 20;

function annotationsOf(report: Report): Annotation[] {
  return report.about === 'run' ? runAnnotations(report) : planAnnotations(report);
}

function linesOf(annotations: readonly Annotation[], notice: Annotation): string {
  const of = (level: Annotation['level']) => annotations.filter((each) => each.level === level);
  return `${[...bounded(of('error')), ...bounded(of('warning')), annotationLine(notice)].join('\n')}\n`;
}

interface Annotation {
  level: 'error' | 'warning' | 'notice';
  title: string;
  text: string;
  place?: Location | undefined;
}

/** GitHub shows at most ten annotations of each level per step. */
const most = 10;

function bounded(annotations: readonly Annotation[]): string[] {
  const [first] = annotations;
  if (first === undefined || annotations.length <= most) return annotations.map(annotationLine);
  const more = annotations.length - (most - 1);
  const last = { level: first.level, title: 'webdata', text: `and ${more} more: see the output of this step` };
  return [...annotations.slice(0, most - 1), last].map(annotationLine);
}

/** Differences of a plan are no warnings. Drift is one for each resource, since one for each difference could exceed the limit. */
function planAnnotations(report: PlanReport): Annotation[] {
  return [
    ...report.problems.map((problem) => problemAnnotation(problem)),
    ...resourceProblems(report.plan.resources),
    ...(report.warnings ?? []).map((problem) => ({ ...problemAnnotation(problem), level: 'warning' as const })),
    ...(report.mode === 'drift' ? driftWarnings(report) : []),
  ];
}

function runAnnotations({ result }: RunReport): Annotation[] {
  const declared = new Map(result.plan.resources.map((resource) => [resourceTitle(resource), resource.place]));
  const placed = result.resources.map((resource) => ({ ...resource, place: declared.get(resourceTitle(resource)) }));
  return [...resourceProblems(placed), ...placed.flatMap(outcomeAnnotations)];
}

type Placed = ResourceId & { place?: Location | undefined };

/** Annotates the problems of resources. A cause outside the declaration is one error without a location. */
function resourceProblems(resources: readonly (Placed & { problems: readonly Problem[] })[]): Annotation[] {
  const outside = resources.flatMap(({ problems }) => problems.filter(({ affects }) => affects !== undefined));
  const own = resources.flatMap(({ problems, place }) =>
    problems.filter(({ affects }) => affects === undefined).map((problem) => problemAnnotation(problem, place)),
  );
  return [...mergeByCause(outside).map((problem) => problemAnnotation(problem)), ...own];
}

function problemAnnotation(problem: Problem, resource?: Location): Annotation {
  const { code, place = resource } = problem;
  return { level: 'error', title: `webdata: ${code}`, text: problemText(problem), place };
}

/** The path of a problem is not in the text, nor are related locations that have a line. */
function problemText(problem: Problem): string {
  const also = problem.also?.filter(({ place }) => place === undefined);
  const details = problemDetails({ ...problem, path: [], ...(also && { also }) });
  return [
    problem.found,
    ...details.map(({ name, names, text }) => `${name}: ${[names.join(', '), text].filter(Boolean).join(' ')}`),
  ].join('\n');
}

/** Annotates a resource that failed or was skipped without a problem of its own. */
function outcomeAnnotations(resource: ResourceResult & Placed): Annotation[] {
  const { outcome, problems, place } = resource;
  const isUnexplained = outcome === 'skipped' || (outcome === 'failed' && problems.length === 0);
  if (!isUnexplained) return [];
  const text = `${resourceTitle(resource)}: ${outcomeStates[outcome].words}`;
  return [{ level: outcome === 'failed' ? 'error' : 'warning', title: `webdata: ${outcome}`, text, place }];
}

const fewDifferences = 6;

function driftWarnings(report: PlanReport): Annotation[] {
  return report.plan.resources
    .filter((resource) => isDrift(resource, report))
    .map((resource) => {
      const { collection, name, place } = resource;
      const unhealthy = resource.notes.filter((note) => isUnhealthy(note) && !note.muted).map(({ text }) => text);
      const causes = causeGroups(resource, report).map(
        ({ label, items }) => `${label}: ${listed(items, plainStyle, ';').join(' ')}`,
      );
      const values = resource.calls
        .flatMap((call) => describeCall(call, resource.changes).changes)
        .flatMap((change) => (change.isDefault ? [] : [`${change.name}: ${driftWords(change)}`]));
      // Without a baseline, differences have no groups by cause.
      const isGrouped = report.baseline || values.length > 0;
      const others = isGrouped ? [] : (resource.causes?.filter((change) => !isMuted(change)) ?? []);
      const differences = [...values, ...differenceWords(resource.kind, others), ...causes, ...unhealthy];
      const { shown, more } = shortened(differences, fewDifferences, plainStyle);
      const sentence = summaryLine(onlyOf(report, { ...resource, problems: [] }), plainStyle);
      return {
        level: 'warning',
        title: `webdata drift: ${collection}/${name}`,
        text: [sentence, ...shown, ...(more > 0 ? [`… and ${more} more`] : [])].join('\n'),
        place,
      };
    });
}

/** Formats a workflow command. Escapes line breaks, so that no text can start another command. */
export function annotationLine({ level, title, text, place }: Annotation): string {
  const where = place ? [`file=${property(place.file)}`, `line=${place.line}`, `col=${place.column}`] : [];
  return `::${level} ${[...where, `title=${property(title)}`].join(',')}::${data(text)}`;
}

function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
