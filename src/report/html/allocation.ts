/** The IPs of zones by country, before and after the calls of the report. */

import { formatNumber } from '../../base/diagnostics/valueWords.ts';
import { resourceTitle } from '../../engine/plan/plan.ts';
import type { ZoneInventory } from '../../kinds/kind.ts';
import type { TracedMove } from '../model/moves.ts';
import type { ZoneSection } from '../model/sectionTypes.ts';
import type { TextOptions } from '../text/style.ts';
import { type Content, type Markup, markup } from './markup.ts';
import { foldedTable } from './tables.ts';

export function allocationBody(section: ZoneSection, options: TextOptions): Content {
  const { items, moved } = section;
  const known = moved && changesBy(moved);
  return items.map((resource) => [
    items.length > 1 && markup`<h3>${resourceTitle(resource)}</h3>`,
    inventoryTable((resource.inventory ?? []).map(zoneRows(known)), section, options),
  ]);
}

interface Zone {
  zone: string;
  rows: Row[];
}

interface Row {
  country: string;
  /** True for the row of all countries. */
  isAll?: boolean;
  before: number;
  after: number;
  planned: number;
}

/** The change of the number of IPs, by zone and country. */
type Changes = ReadonlyMap<string, number>;

function changesBy(moves: readonly TracedMove[]): Changes {
  const changes = new Map<string, number>();
  const add = (zone: string, country: string, count: number) =>
    changes.set(zoneCountryKey(zone, country), (changes.get(zoneCountryKey(zone, country)) ?? 0) + count);
  for (const { from, to, country } of moves) {
    add(from, country, -1);
    add(to, country, 1);
  }
  return changes;
}

function zoneCountryKey(zone: string, country: string): string {
  return JSON.stringify([zone, country]);
}

/** Returns a function that makes the rows of a zone. Zones with several countries have a row for all of them. */
function zoneRows(known: Changes | undefined) {
  return ({ zone, countries }: ZoneInventory): Zone => {
    const rows = countries.map(({ country, before, after }): Row => {
      const now = known ? before + (known.get(zoneCountryKey(zone, country)) ?? 0) : after;
      return { country: country || 'unknown', before, after: now, planned: after };
    });
    const sum = (field: 'before' | 'after' | 'planned') => rows.reduce((total, row) => total + row[field], 0);
    const all = { before: sum('before'), after: sum('after'), planned: sum('planned') };
    if (rows.length === 0) return { zone, rows: [{ country: 'none', ...all }] };
    return { zone, rows: rows.length === 1 ? rows : [{ country: 'all', isAll: true, ...all }, ...rows] };
  };
}

/** Returns the table of zones and countries that change. The others are folded. */
function inventoryTable(zones: readonly Zone[], { title, before, after }: ZoneSection, options: TextOptions): Content {
  const largest = zones.reduce((most, { rows: [all] }) => Math.max(most, all?.before ?? 0, all?.after ?? 0), 1);
  const isOff = zones.some(({ rows }) => rows.some((row) => row.after !== row.planned));
  const columns = [before, after, ...(isOff ? ['As planned'] : []), 'Change'];
  const table = {
    caption: `${title}: ${before.toLowerCase()}, ${after.toLowerCase()}`,
    head: markup`<th scope="col">Zone</th><th scope="col">Country</th>${columns.map((name) => markup`<th scope="col" class="number">${name}</th>`)}<td class="bars"></td>`,
    noun: 'zone',
    most: 1_000,
  };
  const [changed, unchanged] = [zones.flatMap(changedPart), zones.flatMap(unchangedPart)];
  const draw = zoneGroup(largest, isOff);
  const count = unchanged.reduce((sum, { rows }) => sum + rows.filter(({ isAll }) => !isAll).length, 0);
  return [
    changed.length > 0 && foldedTable({ ...table, rows: changed.map(draw), open: 40 }, options),
    count > 0 &&
      markup`<details><summary>${formatNumber(count)} unchanged</summary>${foldedTable(
        { ...table, caption: `${table.caption}, unchanged`, rows: unchanged.map(draw), open: table.most },
        options,
      )}</details>`,
  ];
}

function hasChange({ before, after, planned }: Row): boolean {
  return before !== after || before !== planned;
}

function changedPart({ zone, rows }: Zone): Zone[] {
  return rows.some(hasChange) ? [{ zone, rows: rows.filter((row) => row.isAll || hasChange(row)) }] : [];
}

function unchangedPart({ zone, rows }: Zone): Zone[] {
  if (!rows.some(hasChange)) return [{ zone, rows }];
  const left = rows.filter((row) => !row.isAll && !hasChange(row));
  return left.length === 0 ? [] : [{ zone, rows: left }];
}

function zoneGroup(largest: number, isOff: boolean) {
  return ({ zone, rows }: Zone): Markup =>
    markup`<tbody class="zone-group">${rows.map((row, index) => {
      const planned =
        isOff && markup`<td class="number${row.planned !== row.after && ' is-off'}">${formatNumber(row.planned)}</td>`;
      const head = index === 0 && markup`<th scope="rowgroup" rowspan="${rows.length}">${zone}</th>`;
      return markup`<tr${row.isAll && { markup: ' class="all"' }}>${head}<td>${row.country}</td><td class="number">${formatNumber(row.before)}</td><td class="number">${formatNumber(row.after)}</td>${planned}${changeCell(row)}<td class="bars">${bars(row, largest)}</td></tr>`;
    })}</tbody>
`;
}

function changeCell({ before, after }: Row): Markup {
  const change = after - before;
  if (change === 0) return markup`<td class="number quiet">no change</td>`;
  const [kind, sign] = change > 0 ? ['added', '+'] : ['removed', '−'];
  return markup`<td class="number ${kind}">${sign}${formatNumber(Math.abs(change))}</td>`;
}

const barRoom = 160;

/** Draws the IPs that stay, followed by those that come (filled) or go (outlined). */
function bars({ before, after }: Row, largest: number): Markup {
  const length = (count: number) => Math.round((Math.max(0, count) / largest) * barRoom * 10) / 10;
  const [stays, ends] = [length(Math.min(before, after)), length(Math.max(before, after))];
  const change =
    ends > stays &&
    markup`<rect class="${after > before ? 'comes' : 'goes'}" x="${stays + 0.5}" y="1.5" width="${Math.max(1.5, Math.round((ends - stays) * 10) / 10)}" height="9"/>`;
  return markup`<svg viewBox="0 0 ${barRoom + 4} 12" width="${barRoom + 4}" height="12" aria-hidden="true"><rect class="stays" y="1" width="${stays}" height="10"/>${change}</svg>`;
}
