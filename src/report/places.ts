/** Places as documents tell them that leave the machine: an absolute path would tell about it, so only the file's name is kept. */
import { posix, sep, win32 } from 'node:path';
import { formatPath } from '../input/path.ts';
import type { Place, Problem } from '../input/problem.ts';
import type { Plan } from '../sync/plan.ts';
import type { Report } from './report.ts';

/** The same report, no place in it absolute, and slashes between folders on every system. */
export function portable(report: Report): Report {
  if (report.about === 'plan') {
    return { ...report, plan: portablePlan(report.plan), problems: report.problems.map(portableProblem) };
  }
  const { plan, resources } = report.result;
  const portableResources = resources.map((each) => ({ ...each, problems: each.problems.map(portableProblem) }));
  return { ...report, result: { plan: portablePlan(plan), resources: portableResources } };
}

/** `webdata.yaml:8:31`, or the path of keys where there is no place; empty where there is neither. */
export function whereIn({ place, path = [] }: { place?: Place; path?: PropertyKey[] }): string {
  return place === undefined ? formatPath(path) : `${place.file}:${place.line}:${place.column}`;
}

function portablePlan({ resources }: Plan): Plan {
  return {
    resources: resources.map((resource) => ({
      ...withPlace(resource),
      problems: resource.problems.map(portableProblem),
    })),
  };
}

function portableProblem(problem: Problem): Problem {
  return { ...withPlace(problem), ...(problem.also ? { also: problem.also.map(withPlace) } : {}) };
}

function withPlace<Placed extends { place?: Place | undefined }>(placed: Placed): Placed {
  if (!placed.place) return placed;
  const file = withoutFolders(placed.place.file).replaceAll(sep, '/');
  return { ...placed, place: { ...placed.place, file } };
}

export function withoutFolders(file: string): string {
  if (posix.isAbsolute(file)) return posix.basename(file);
  return win32.isAbsolute(file) ? win32.basename(file) : file;
}
