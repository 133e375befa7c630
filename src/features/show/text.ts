/** The live account as text: each zone with its countries, then managers and schedules. */

import { counted, shorten } from '../../base/diagnostics/valueWords.ts';
import { printable } from '../../base/values/printable.ts';
import { utcTime } from '../../base/values/utcTime.ts';
import { ipStates } from '../../kinds/seam/zoneClaims.ts';
import {
  apart,
  listed,
  type Style,
  shortened,
  styleOf,
  type TextOptions,
  withCommas,
} from '../../report/model/style.ts';
import { blocksText, prose, type TextRow, table } from '../../report/text/layout.ts';
import type { ObjectOverview, Overview, ZoneOverview } from './overview.ts';
import { type CountryGroup, type IpGroup, sumOf, type ZoneGroup } from './zoneGroups.ts';

/** Formats the account. Problems are not part of the text. */
export function overviewText(overview: Overview, options: TextOptions): string {
  const style = styleOf(options);
  const { service, zones, objects = [] } = printable(overview);
  const widest = Math.max(...zones.map(({ group }) => String(group?.ips ?? '').length));
  const isBrief = zones.length > manyZones && !style.full;
  const rows = zones.flatMap((zone) => (isBrief ? [briefRow(zone, widest, style)] : zoneRows(zone, widest, style)));
  const byCollection = Map.groupBy(objects, ({ collection }) => collection);
  const sections = [...byCollection].map(([collection, ofCollection]) => {
    const objectRows = ofCollection.map((object) => objectRow(object, style));
    return [style.paint.bold(collection), ...table(objectRows, 2, style.width)];
  });
  return blocksText([
    table([{ cells: [style.paint.bold(shorten(service, style.width))], words: totalWords(overview) }], 0, style.width),
    table(rows, 0, style.width),
    ...sections,
    foundWords(overview).map((sentence) => prose(sentence, style.width)),
  ]);
}

function totalWords({ zones, isFiltered }: Overview): string[] {
  const sum = sumOf(zones.flatMap(({ group }) => group ?? []));
  const total = `${counted(sum.ips, isFiltered ? 'matching IP' : 'IP')} in ${counted(zones.length, 'zone')}`;
  const unread = zones.filter(({ group }) => group === undefined).length;
  const missing = unread === 0 ? [] : [`${unread} could not be read`];
  return commaWords([total, ...missing, ...stateWords(sum, gapIn(zones.flatMap(({ group }) => group ?? [])), plain)]);
}

const fewCountries = 12;
/** More zones have a line each, so that they fit on a screen. */
const manyZones = 12;

/** Returns the first row of a zone, with its largest countries in place of rows of their own. */
function briefRow(zone: ZoneOverview, widest: number, style: Style): TextRow {
  const [row = { cells: [], words: [] }] = zoneRows(zone, widest, style);
  const countries = zone.group?.countries ?? [];
  const { shown, more } = shortened(countries, 2, style);
  const words = shown.map(({ country, ips }) => `${country || 'unknown'} ${ips}`);
  const all = more > 0 ? [...words, `${more} more`] : words;
  return { ...row, words: [...row.words, ...apart(commaWords(all).map(style.paint.dim))] };
}

function zoneRows(zone: ZoneOverview, widest: number, style: Style): TextRow[] {
  const { bold, red } = style.paint;
  const { group } = zone;
  const name = bold(shorten(zone.zone, style.width - 16));
  if (group === undefined) return [{ cells: [name, '?'.padStart(widest)], words: [red('could not be read')] }];
  const { shown, more } = shortened(group.countries, fewCountries, style);
  const isUniform = Object.keys(group.states).length <= 1 && group.protected === 0;
  return [
    {
      cells: [name, String(group.ips).padStart(widest)],
      words: commaWords([...stateWords(group, gapIn([group]), style), ...remarksOn(zone, group, style)]),
    },
    ...shown.map((country) => countryRow(country, isUniform, widest, style)),
    ...(more > 0 ? [moreRow(group.countries.slice(shown.length), widest, style)] : []),
  ];
}

function remarksOn(
  { found, role, keepAtLeast, remarks = [], cost }: ZoneOverview,
  { ips, wanted }: IpGroup,
  { paint }: Style,
): string[] {
  const { dim, yellow } = paint;
  return [
    ...(role === undefined ? [dim('not declared')] : []),
    ...(role === 'ignored' ? [dim('declared, but ignored')] : []),
    ...((role === 'source' || role === 'spare') && ips === 0 ? [dim(role)] : []),
    ...(keepAtLeast === undefined ? [] : [dim(`keeps at least ${keepAtLeast}`)]),
    ...remarks.map((remark) => yellow(remark)),
    ...(cost === undefined ? [] : [`${cost.cost.toFixed(2)} for ${bytesWords(cost.bandwidth)} this month`]),
    ...(ips === 0 && wanted === 0 ? [dim('empty, as declared')] : []),
    ...(ips === 0 && wanted !== 0 && found === 'named' ? [yellow('no static IPs: check the name')] : []),
  ];
}

/** `1.5 GB`, in units of a thousand. */
function bytesWords(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'] as const;
  const power = Math.min(units.length - 1, bytes < 1 ? 0 : Math.floor(Math.log10(bytes) / 3));
  return `${(bytes / 1000 ** power).toFixed(power === 0 ? 0 : 1)} ${units[power]}`;
}

function countryRow(group: CountryGroup, isUniform: boolean, widest: number, style: Style): TextRow {
  const { country, ips, wanted, addresses = [] } = group;
  const hasStates = !isUniform || wanted !== undefined;
  const states = hasStates ? commaWords(stateWords(group, gapIn([group]), style)) : [];
  const each = listed(addresses, style);
  return {
    cells: [`  ${country || 'unknown'}`, String(ips).padStart(widest)],
    words: [...states, ...(states.length > 0 ? apart(each) : each)],
  };
}

function moreRow(countries: readonly CountryGroup[], widest: number, { paint }: Style): TextRow {
  const { ips } = sumOf(countries);
  return { cells: [paint.dim(`  … ${countries.length} more`), String(ips).padStart(widest)], words: [] };
}

/** The difference between the declared and the live IPs. */
interface Gap {
  missing: number;
  surplus: number;
}

/** A zone that is counted by country wants IPs of each country. */
function gapIn(groups: readonly (IpGroup & Partial<ZoneGroup>)[]): Gap {
  const counts = groups.flatMap((group): readonly IpGroup[] =>
    group.wanted === undefined ? (group.countries ?? []) : [group],
  );
  const differences = counts.map(({ wanted, states: { declared = 0 } }) => (wanted ?? declared) - declared);
  const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
  return {
    missing: sum(differences.filter((difference) => difference > 0)),
    surplus: sum(differences.filter((difference) => difference < 0).map(Math.abs)),
  };
}

/** Describes the IPs of a group: `10 declared`, `2 too many`, `3 unmanaged`. */
function stateWords(group: IpGroup, { missing, surplus }: Gap, { paint }: Style): string[] {
  const counts = { ...group.states, declared: (group.states.declared ?? 0) - surplus };
  const words = ipStates.flatMap((state) => {
    const text = `${counts[state]} ${state === 'elsewhere' ? 'declared elsewhere' : state}`;
    const isOdd = state === 'unmanaged' || state === 'elsewhere';
    return counts[state] ? [isOdd ? paint.yellow(text) : text] : [];
  });
  return [
    ...words,
    ...(surplus > 0 ? [paint.yellow(`${surplus} too many`)] : []),
    ...(missing > 0 ? [paint.yellow(`${missing} missing`)] : []),
    ...(group.protected > 0 ? [`${group.protected} protected`] : []),
  ];
}

const plain = styleOf({ color: false });

/** Longer phrases, such as lists of addresses, may break between their own words. */
const longestWord = 32;

/** Returns words between which a line may break. */
function commaWords(phrases: readonly string[]): string[] {
  return withCommas(phrases).flatMap((word) => (word.length <= longestWord ? [word] : word.split(' ')));
}

function objectRow({ name, isDeclared, facts }: ObjectOverview, { paint, width }: Style): TextRow {
  const phrases = Object.entries(facts ?? {}).map(([field, value]) => `${paint.dim(field)} ${valueWords(value)}`);
  if (!isDeclared) phrases.unshift(paint.dim('not declared'));
  if (facts === undefined) phrases.push(paint.red('could not be read'));
  return { cells: [shorten(name, width - 2)], words: commaWords(phrases) };
}

function valueWords(value: unknown): string {
  if (value === null) return 'unknown';
  if (Array.isArray(value)) return value.length === 0 ? 'none' : listed(value.map(String), plain).join(' ');
  return typeof value === 'string' ? utcTime(value) : JSON.stringify(value);
}

/** Says how the zones were found: many services list only zones that were used recently. */
function foundWords({ zones, recentZones, isFiltered }: Overview): string[] {
  if (recentZones === 'not-asked') return [];
  if (recentZones === 'failed') return ['Only declared zones are shown: the recently used ones could not be read.'];
  const declared = zones.filter(({ found }) => found === 'declared').length;
  const recent = zones.length - declared;
  if (recentZones === 'all') return isFiltered ? [] : [`Zones: ${declared} declared, ${recent} more.`];
  const found = `Zones: ${declared} declared, ${recent}${declared > 0 ? ' more' : ''} used recently.`;
  const searched = 'Only declared and recently used zones were searched.';
  return [`${isFiltered ? searched : found} The service does not list other zones: name them with --zone.`];
}
