/** Tables, column by column, for every format that people read. */

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

interface ColumnOf<Item> extends Column {
  /** Called only for rows that are shown. */
  cell(item: Item): Cell;
}

/** Returns the columns and the rows of a table. Leaves out columns that are false. */
export function tableOf<Item>(
  items: readonly Item[],
  columns: readonly (ColumnOf<Item> | false)[],
  weightOf: (item: Item) => number = () => 1,
): { columns: Column[]; items: SectionRow[] } {
  const shown = columns.filter((column) => column !== false);
  const rows = items.map((item) => ({ cells: () => shown.map(({ cell }) => cell(item)), weight: weightOf(item) }));
  return { columns: shown, items: rows };
}
