/**
 * The remarks of a report beside its tables of calls and zones: problems, warnings, causes and notes. They are decided here once, for every format
 * that people read; text, Markdown and HTML only draw them.
 */
import { byLocation, type Problem } from '../../base/diagnostics/problem.ts';
import { resourceTitle } from '../../engine/plan/plan.ts';
import { isUnmanaged } from '../../kinds/knownNotes.ts';
import type { Note } from '../../kinds/notes.ts';
import { baselineRemark, type CauseGroup, causeGroups } from './causes.ts';
import { problemsIn, type Report } from './report.ts';

export interface Remarks {
  /** Each cause once, in the order of the declaration. */
  problems: Problem[];
  /** They block nothing. */
  warnings: Problem[];
  /** The line about a missing baseline. */
  baseline: string | undefined;
  causes: (CauseGroup & { title: string })[];
  notes: (RemarkNote & { title: string })[];
}

export function remarksOf(report: Report): Remarks {
  const plan = report.about === 'run' ? report.result.plan : report.plan;
  const problems = problemsIn(report).sort(byLocation);
  const notes = plan.resources.flatMap((resource) =>
    resource.notes.map((note) => ({ ...remarkNote(note), title: resourceTitle(resource) })),
  );
  if (report.about === 'run') return { problems, warnings: [], baseline: undefined, causes: [], notes };
  const causes = plan.resources.flatMap((resource) =>
    causeGroups(resource, report).map((group) => ({ ...group, title: resourceTitle(resource) })),
  );
  const warnings = (report.warnings ?? []).toSorted(byLocation);
  return { problems, warnings, baseline: baselineRemark(report), causes, notes };
}

export interface RemarkNote {
  code: string;
  text: string;
  /** The IPs that the text counts and does not name, because there may be thousands. */
  ips: readonly string[];
}

export function remarkNote(note: Note): RemarkNote {
  const { code, text, ips = [] } = note;
  return { code, text, ips: isUnmanaged(note) ? ips : [] };
}
