/** Tables, column by column. */
import type { Cell, Column, SectionRow } from './sectionTypes.ts';

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
