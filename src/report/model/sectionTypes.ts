/** The sections of a report, which `sections.ts` fills. */
import type { Problem } from '../../base/diagnostics/problem.ts';
import type { ChangedResource } from './changedResources.ts';
import type { TracedMove, ZonePair } from './moves.ts';
import type { ReportedNote } from './resources.ts';
import type { Column, Nouns, SectionRow } from './tables.ts';
import type { ReportedZone } from './zones.ts';

export type Section = ProblemSection | TableSection | ZoneSection | ChangeSection | NoteSection | IpSection;

interface AnySection<Is extends string, Item> {
  is: Is;
  id: string;
  title: string;
  /** Sentences before the items. */
  remarks?: readonly string[];
  items: readonly Item[];
  /** True if another section sums it up. Formats with a limit of size leave it out. */
  isDetail?: boolean;
}

export interface ProblemSection extends AnySection<'problems', Problem> {
  noun: 'problem' | 'warning';
}

export interface TableSection extends AnySection<'table', SectionRow> {
  columns: readonly Column[];
  /** Sums up a table that is folded. */
  folded?: string;
  nouns: Nouns;
  chart?: PairChart;
}

/** The flow chart of a table that has a row for each pair of zones. */
export interface PairChart {
  pairs: readonly ZonePair[];
  /** The titles of its sides. */
  before: string;
  after: string;
}

/** The IPs of the zones of each resource, before and after. */
export interface ZoneSection extends AnySection<'zones', { title: string; zones: readonly ReportedZone[] }> {
  /** The titles of the two columns of numbers. */
  before: string;
  after: string;
}

/** The properties that calls change. */
export interface ChangeSection extends AnySection<'changes', ChangedResource> {
  isDrift: boolean;
}

export type NoteSection = AnySection<'notes', ReportedNote & { title: string }>;

/** Every IP that moves. */
export interface IpSection extends AnySection<'ips', TracedMove> {
  isDrift: boolean;
  /** True if it says why each moves. */
  hasWhys: boolean;
}
