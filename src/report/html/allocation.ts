/** The IPs of zones by country, before and after the calls of the report. */

import { formatNumber } from '../../base/diagnostics/valueWords.ts';
import type { ZoneSection } from '../model/sectionTypes.ts';
import type { Style } from '../model/style.ts';
import { hasChange, type IpCounts, type ReportedCountry, type ReportedZone } from '../model/zones.ts';
import { type Content, type Markup, markup } from './markup.ts';
import { changeCell, foldedTable, wholeName } from './tables.ts';

export function allocationBody(section: ZoneSection, style: Style): Content {
  return section.items.map(({ title, zones }, _, { length }) => [
    length > 1 && markup`<h3>${title}</h3>`,
    inventoryTable(zones, section, style),
  ]);
}

interface Zone {
  zone: string;
  rows: Row[];
}

interface Row extends ReportedCountry {
  /** True for the row of all countries. */
  isAll?: boolean;
}

/** Returns the table of zones and countries that change. The others are folded. */
function inventoryTable(zones: readonly ReportedZone[], { title, before, after }: ZoneSection, style: Style): Content {
  const largest = zones.reduce((most, zone) => Math.max(most, zone.before, zone.after), 1);
  const isOff = zones.some(({ countries }) => countries.some((row) => row.after !== row.planned));
  const numbers = [before, after, ...(isOff ? ['As planned'] : []), 'Change'];
  const table = {
    caption: `${title}: ${before.toLowerCase()}, ${after.toLowerCase()}`,
    columns: [
      { name: 'Zone' },
      { name: 'Country' },
      ...numbers.map((name) => ({ name, isNumber: true })),
      { name: '' },
    ],
    noun: 'zone',
    most: 1_000,
  };
  const [changed, unchanged] = [zones.flatMap(changedPart), zones.flatMap(unchangedPart)];
  const draw = zoneGroup(largest, isOff);
  const count = unchanged.reduce((sum, { rows }) => sum + rows.filter(({ isAll }) => !isAll).length, 0);
  return [
    changed.length > 0 && foldedTable({ ...table, rows: changed.map(draw), open: 40 }, style),
    count > 0 &&
      markup`<details><summary>${formatNumber(count)} unchanged</summary>${foldedTable(
        { ...table, caption: `${table.caption}, unchanged`, rows: unchanged.map(draw), open: table.most },
        style,
      )}</details>`,
  ];
}

function changedPart(zone: ReportedZone): Zone[] {
  const changed = zone.countries.filter(hasChange);
  return changed.length === 0 ? [] : [zoneWith(zone, changed)];
}

function unchangedPart(zone: ReportedZone): Zone[] {
  const { countries } = zone;
  if (countries.length === 0) return [{ zone: zone.zone, rows: [{ ...zone, country: 'none' }] }];
  const left = countries.filter((row) => !hasChange(row));
  if (left.length === countries.length) return [zoneWith(zone, left)];
  return left.length === 0 ? [] : [{ zone: zone.zone, rows: left }];
}

/** Returns these rows, below one of all countries if the zone has several. */
function zoneWith(zone: ReportedZone, rows: Row[]): Zone {
  const all = zone.countries.length > 1 ? [{ ...zone, country: 'all', isAll: true }] : [];
  return { zone: zone.zone, rows: [...all, ...rows] };
}

function zoneGroup(largest: number, isOff: boolean) {
  return ({ zone, rows }: Zone): Markup =>
    markup`<tbody class="zone-group">${rows.map((row, index) => {
      const planned =
        isOff && markup`<td class="number${row.planned !== row.after && ' is-off'}">${formatNumber(row.planned)}</td>`;
      const head = index === 0 && markup`<th scope="rowgroup" rowspan="${rows.length}"${wholeName(zone)}>${zone}</th>`;
      return markup`<tr${row.isAll && { markup: ' class="all"' }}>${head}<td>${row.country}</td><td class="number">${formatNumber(row.before)}</td><td class="number">${formatNumber(row.after)}</td>${planned}${changeCell(row.after - row.before)}<td class="bars">${bars(row, largest)}</td></tr>`;
    })}</tbody>
`;
}

const barRoom = 160;

/** Draws the IPs that stay, followed by those that come (filled) or go (outlined). */
function bars({ before, after }: IpCounts, largest: number): Markup {
  const length = (count: number) => Math.round((Math.max(0, count) / largest) * barRoom * 10) / 10;
  const [stays, ends] = [length(Math.min(before, after)), length(Math.max(before, after))];
  const change =
    ends > stays &&
    markup`<rect class="${after > before ? 'comes' : 'goes'}" x="${stays + 0.5}" y="1.5" width="${Math.max(1.5, Math.round((ends - stays) * 10) / 10)}" height="9"/>`;
  return markup`<svg viewBox="0 0 ${barRoom + 4} 12" width="${barRoom + 4}" height="12" aria-hidden="true"><rect class="stays" y="1" width="${stays}" height="10"/>${change}</svg>`;
}
