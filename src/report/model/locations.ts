/** Locations for documents that leave the machine: without absolute paths, which would reveal its folders. */
import { posix, sep, win32 } from 'node:path';
import type { Location, Problem } from '../../base/diagnostics/problem.ts';
import type { Plan } from '../../engine/doors/plan.ts';
import type { Report } from './report.ts';

/** Returns the report without absolute paths, and with slashes between folders on every system. */
export function portable(report: Report): Report {
  return withFiles(report, (file) => withoutFolders(file).replaceAll(sep, '/'));
}

/** Returns the report with other file names in its locations. */
export function withFiles(report: Report, nameOf: NameOf): Report {
  const problemsIn = ({ problems }: { problems: readonly Problem[] }) => problems.map((each) => renamed(each, nameOf));
  const planOf = ({ resources }: Plan): Plan => ({
    resources: resources.map((each) => ({
      ...withFile(each, nameOf),
      problems: problemsIn(each),
      inventory: each.inventory?.map((zone) => withFile(zone, nameOf)),
    })),
  });
  if (report.about === 'plan') {
    const warnings = report.warnings && { warnings: problemsIn({ problems: report.warnings }) };
    const files = report.files?.map(nameOf);
    return { ...report, ...warnings, plan: planOf(report.plan), problems: problemsIn(report), files };
  }
  const { plan, resources } = report.result;
  const results = resources.map((each) => ({ ...each, problems: problemsIn(each) }));
  return { ...report, result: { plan: planOf(plan), resources: results } };
}

type NameOf = (file: string) => string;

function renamed(problem: Problem, nameOf: NameOf): Problem {
  const also = problem.also?.map((other) => withFile(other, nameOf));
  return { ...withFile(problem, nameOf), ...(also ? { also } : {}) };
}

function withFile<Placed extends { place?: Location | undefined }>(placed: Placed, nameOf: NameOf): Placed {
  return placed.place ? { ...placed, place: { ...placed.place, file: nameOf(placed.place.file) } } : placed;
}

export function withoutFolders(file: string): string {
  if (posix.isAbsolute(file)) return posix.basename(file);
  return win32.isAbsolute(file) ? win32.basename(file) : file;
}
