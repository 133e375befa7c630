/** A plan as a reviewer reads it: resource by resource what would be called, what to know about it, and the totals. */
import { counted } from '../../diagnostics/valueWords.ts';
import type { Note } from '../../kinds/kind.ts';
import { isUnmanaged } from '../../kinds/knownNotes.ts';
import type { ResourcePlan } from '../../sync/plan/plan.ts';
import { printable } from '../model/printable.ts';
import { type PlanReport, problemsIn } from '../model/report.ts';
import { heading, plannedRows } from './callRows.ts';
import { hanging, prose, table } from './layout.ts';
import { summaryLine } from './planSummary.ts';
import { formatProblems } from './problems.ts';
import { type Style, styleOf, type TextOptions } from './style.ts';
import { consecutive, listed, shortened } from './words.ts';

/** Resources that need nothing and of which there is nothing to know are left out. */
export function planText(report: PlanReport, options: TextOptions): string {
  const style = styleOf(options);
  const blocks = [
    printable(report.plan)
      .resources.flatMap((resource) => resourceLines(resource, style))
      .join('\n'),
    formatProblems(problemsIn(report), options),
    prose(summaryLine(report, style), options.width),
  ];
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
}

function resourceLines(resource: ResourcePlan, style: Style): string[] {
  const { calls, notes, problems } = resource;
  const lines = [...table(plannedRows(resource, style), 2, style.width), ...noteLines(notes, style)];
  // The problems themselves stand last, beside the totals, where nobody has to scroll for them.
  if (problems.length > 0) lines.push(`  ${style.paint.red(`${counted(problems.length, 'problem')}, see below`)}`);
  return lines.length === 0 ? [] : [heading(resource, calls, style), ...lines];
}

const fewNotes = 3;

function noteLines(notes: readonly Note[], style: Style): string[] {
  const label = `  ${style.paint.cyan('note:')} `;
  return consecutive(notes, (a, b) => a.code === b.code).flatMap((alike) => {
    const { shown, more } = shortened(alike, fewNotes, style);
    const texts = shown.map((note) => noteWords(note, style));
    if (more > 0) texts.push(`… and ${more} more of this kind (${alike[0]?.code})`.split(' ').map(style.paint.dim));
    return texts.flatMap((words) => hanging(label, words, 4, style.width));
  });
}

const fewIps = 3;

/** Texts name the IPs they are about, but for the unmanaged, which may be thousands, and stay where they are. */
function noteWords(note: Note, style: Style): string[] {
  const { text, ips = [] } = note;
  const isListed = isUnmanaged(note) && (style.full || ips.length <= fewIps);
  return isListed ? [...`${text}:`.split(' '), ...listed(ips, style)] : text.split(' ');
}
