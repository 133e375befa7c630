/** Reports as lists of findings with a level and a location, for programs that show them beside the lines of a file. */
import { formatPath } from '../../base/diagnostics/path.ts';
import { type Location, mergeByCause, type Problem } from '../../base/diagnostics/problem.ts';
import { isDrift, isDriftNote } from '../../engine/baseline/driftRules.ts';
import { type ResourceId, type ResourcePlan, resourceTitle } from '../../engine/plan/plan.ts';
import type { ResourceResult } from '../../engine/run/outcome.ts';
import type { Note } from '../../kinds/notes.ts';
import { type CauseGroup, causeGroups } from './causes.ts';
import { differencesOf } from './differences.ts';
import { problemDetails } from './problemDetails.ts';
import type { PlanReport, Report, RunReport } from './report.ts';
import { outcomeStates } from './results.ts';
import { listed, plainStyle } from './style.ts';

export interface Finding {
  /** The code of a problem or of a note, or one of `drift`, `change`, `failed`, `skipped`. */
  rule: string;
  level: 'error' | 'warning' | 'note';
  text: string;
  place?: Location | undefined;
  /** Related locations. */
  also: { place: Location; what: string }[];
  /** Identifies the finding across reports, without the numbers in its text. */
  key: readonly string[];
}

/** Returns the findings, the most severe first. */
export function findingsOf(report: Report): Finding[] {
  return report.about === 'run' ? runFindings(report) : planFindings(report);
}

function planFindings(report: PlanReport): Finding[] {
  const { resources } = report.plan;
  return [
    ...report.problems.map((problem) => problemFinding(problem)),
    ...resourceProblems(resources),
    ...(report.warnings ?? []).map((problem) => ({ ...problemFinding(problem), level: 'warning' as const })),
    ...resources.flatMap((resource) => differenceFindings(resource, report)),
    ...resources.flatMap((resource) => resource.notes.map((note) => noteFinding(note, resource, report))),
  ];
}

function runFindings({ result }: RunReport): Finding[] {
  const declared = new Map(result.plan.resources.map((resource) => [resourceTitle(resource), resource.place]));
  const placed = result.resources.map((resource) => ({ ...resource, place: declared.get(resourceTitle(resource)) }));
  return [...resourceProblems(placed), ...placed.flatMap(outcomeFindings)];
}

/** Returns the problems of resources. A cause outside the declaration is one finding without a location. */
function resourceProblems(resources: readonly (Placed & { problems: readonly Problem[] })[]): Finding[] {
  const outside = resources.flatMap(({ problems }) => problems.filter(({ affects }) => affects !== undefined));
  const own = resources.flatMap((resource) =>
    resource.problems
      .filter(({ affects }) => affects === undefined)
      .map((problem) => problemFinding(problem, resource)),
  );
  return [...mergeByCause(outside).map((problem) => problemFinding(problem)), ...own];
}

type Placed = ResourceId & { place?: Location | undefined };

function problemFinding(problem: Problem, resource?: Placed): Finding {
  const { code, place = resource?.place, path, also = [] } = problem;
  return {
    rule: code,
    level: 'error',
    text: problemText(problem),
    place,
    also: also.flatMap((other) => (other.place ? [{ place: other.place, what: other.what }] : [])),
    key: [resource ? resourceTitle(resource) : '', path ? formatPath(path) : problem.found],
  };
}

/** Related locations are fields of the finding, and are in the text only if they have no line. */
function problemText(problem: Problem): string {
  const also = problem.also?.filter(({ place }) => place === undefined);
  const details = problemDetails({ ...problem, path: [], ...(also && { also }) });
  return [
    problem.found,
    ...details.map(({ name, names, text }) => `${name}: ${[names.join(', '), text].filter(Boolean).join(' ')}`),
  ].join('\n');
}

/**
 * Returns a finding for each difference. If those of a resource have several causes, also one that names the differences of each cause.
 * Differences that do not count as drift are notes.
 */
function differenceFindings(resource: ResourcePlan, report: PlanReport): Finding[] {
  const { mode } = report;
  const title = resourceTitle(resource);
  const groups = causeGroups(resource, report);
  const cause = groups.length === 1 ? groups[0]?.cause : undefined;
  const rule = mode === 'drift' ? (cause === undefined ? 'drift' : causeRules[cause]) : 'change';
  const level = mode === 'drift' && isDrift(resource, report) ? 'warning' : 'note';
  const differences = differencesOf(resource, mode).map(({ key, text, zones = [] }): Finding => {
    const place = placeOfZones(zones, resource);
    return { rule, level, text: `${title}: ${text}`, place, also: [], key: [title, ...key] };
  });
  if (cause === 'drift' || cause === 'pending') return differences;
  return [...differences, ...groups.map((group) => causeFinding(group, resource, report))];
}

const causeRules: Record<CauseGroup['cause'], string> = {
  drift: 'drift',
  pending: 'pending',
  both: 'drift-and-pending',
  muted: 'muted-drift',
};

function causeFinding(
  { cause, label, items, remark }: CauseGroup,
  resource: ResourcePlan,
  { mode, pending }: PlanReport,
): Finding {
  const isAlarm = cause === 'drift' || cause === 'both' || (cause === 'pending' && pending);
  const title = resourceTitle(resource);
  const words = listed(items, plainStyle).join(' ');
  return {
    rule: causeRules[cause],
    level: mode === 'drift' && isAlarm ? 'warning' : 'note',
    text: `${title}: ${label}: ${words}${remark === undefined ? '' : ` (${remark})`}`,
    place: resource.place,
    also: [],
    key: [title, cause, ...(remark === undefined ? [] : [remark])],
  };
}

/** Returns the location of the first of these zones that the resource names, or else of the resource. */
function placeOfZones(zones: readonly string[], { inventory = [], place }: ResourcePlan): Location | undefined {
  const places = zones.flatMap((zone) => inventory.find((its) => its.zone === zone)?.place ?? []);
  return places[0] ?? place;
}

function noteFinding(note: Note, resource: ResourcePlan, report: PlanReport): Finding {
  const title = resourceTitle(resource);
  const { code, text } = note;
  return {
    rule: code,
    level: report.mode === 'drift' && isDriftNote(note, report) ? 'warning' : 'note',
    text: `${title}: ${text}`,
    place: placeOfZones(note.path?.slice(-1).map(String) ?? [], resource),
    also: [],
    key: [title, text.replaceAll(/\b\d[\d,]* (unmanaged )?IPs?\b/g, 'IPs')],
  };
}

/** Returns a finding for a resource that failed or was skipped without a problem of its own. */
function outcomeFindings(resource: ResourceResult & Placed): Finding[] {
  const { outcome, problems, place } = resource;
  const title = resourceTitle(resource);
  const common = { place, also: [], key: [title] };
  if (outcome === 'skipped') {
    return [{ ...common, rule: 'skipped', level: 'warning', text: `${title}: ${outcomeStates.skipped.words}` }];
  }
  if (outcome !== 'failed' || problems.length > 0) return [];
  return [{ ...common, rule: 'failed', level: 'error', text: `${title}: ${outcomeStates.failed.words}` }];
}
