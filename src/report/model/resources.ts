/**
 * The resources of a report, and what people are shown of each. Text draws one after the other. The sections of Markdown and HTML collect the same
 * from all of them, subject by subject.
 */
import { counted, formatNumber } from '../../base/diagnostics/valueWords.ts';
import { type ResourceId, type ResourcePlan, type ResourceResult, resourceTitle } from '../../engine/doors/plan.ts';
import { isUnmanaged } from '../../kinds/knownNotes.ts';
import type { Note } from '../../kinds/seam/notes.ts';
import type { ReportedCall } from './calls.ts';
import { type CauseGroup, causeGroups } from './causes.ts';
import { type DifferingCount, differingCounts } from './differences.ts';
import type { Report } from './report.ts';
import { sentCalls } from './results.ts';
import type { Style } from './style.ts';

export interface ReportedResource
  extends ResourceId,
    Pick<ResourcePlan, 'changes' | 'inventory' | 'problems' | 'whys'> {
  /** The outcome of a run. */
  outcome?: ResourceResult['outcome'];
  calls: readonly ReportedCall[];
  /** For drift: the counts that differ. */
  counts: readonly DifferingCount[];
  causes: readonly CauseGroup[];
  notes: readonly ReportedNote[];
}

export interface ReportedNote {
  code: string;
  text: string;
  /** The IPs that the text counts and does not name, because there may be thousands. */
  ips: readonly string[];
}

export function reportedResources(report: Report, style: Style): ReportedResource[] {
  if (report.about === 'plan') {
    return report.plan.resources.map((resource) => ({
      ...resource,
      calls: resource.calls.map((call) => ({ call })),
      // The numbers after a plan are not declared for every zone.
      inventory: report.mode === 'drift' ? [] : resource.inventory,
      counts: report.mode === 'drift' ? differingCounts(resource) : [],
      causes: causeGroups(resource, report),
      notes: reportedNotes(resource.notes),
    }));
  }
  const plans = new Map(report.result.plan.resources.map((resource) => [resourceTitle(resource), resource]));
  return report.result.resources.map((result) => {
    const { changes = [], inventory, notes = [] } = plans.get(resourceTitle(result)) ?? {};
    const calls = sentCalls(result, style);
    return { ...result, calls, counts: [], changes, inventory, causes: [], notes: reportedNotes(notes) };
  });
}

/** The unmanaged IPs of many zones are one remark. */
function reportedNotes(notes: readonly Note[]): ReportedNote[] {
  const unmanaged = notes.filter(({ code }) => code === 'unmanaged');
  if (unmanaged.length < manyZones) return notes.map(reportedNote);
  const others = notes.filter(({ code }) => code !== 'unmanaged');
  const ips = unmanaged.flatMap((note) => note.ips ?? []);
  const zones = unmanaged.map((note) => `${String(note.path?.at(-1))} ${formatNumber(note.ips?.length ?? 0)}`);
  const text = `${zones.length} zones hold ${counted(ips.length, 'unmanaged IP')}: ${zones.join(', ')}`;
  return [{ code: 'unmanaged', text, ips }, ...others.map(reportedNote)];
}

const manyZones = 3;

function reportedNote(note: Note): ReportedNote {
  const { code, text, ips = [] } = note;
  return { code, text, ips: isUnmanaged(note) ? ips : [] };
}
