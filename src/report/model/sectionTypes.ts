/** The sections of a report, which `sections.ts` fills. */
import type { Problem } from '../../base/diagnostics/problem.ts';
import type { ChangedResource } from './changedResources.ts';
import type { TracedMove, ZonePair } from './moves.ts';
import type { ReportedNote } from './resources.ts';
import type { ZoneCounts } from './zones.ts';

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
export interface ZoneSection extends AnySection<'zones', { title: string; zones: readonly ZoneCounts[] }> {
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
}

/** A number, its change, a name from outside, a state, or a sentence in which backticks enclose code. */
export type Cell = number | { change: number } | NameCell | ReportState | string;

export interface NameCell {
  name: string;
  /** The section of the page that is about it. */
  id?: string;
}

/** The state of a report, an account or a resource in one or two words. */
export interface ReportState {
  kind: 'done' | 'failed' | 'change';
  words: string;
}

export interface Column {
  name: string;
  isNumber?: boolean;
}

export interface SectionRow {
  cells(): readonly Cell[];
  /** The number of IPs, calls or differences in the row. */
  weight: number;
}

/** Nouns for counting what a format leaves out: the rows, their total weight, or both. */
export interface Nouns {
  item?: string;
  weight?: string;
}
