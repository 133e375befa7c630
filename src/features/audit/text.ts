/** The callers of zones as text: each zone with its callers, then the entries of allow lists that admitted no caller. */
import { isIP } from 'node:net';
import { formatPath } from '../../base/diagnostics/path.ts';
import { counted, shorten } from '../../base/diagnostics/valueWords.ts';
import { printable } from '../../base/values/printable.ts';
import { type Paint, type Style, shortened, styleOf, type TextOptions, withCommas } from '../../report/model/style.ts';
import { blocksText, prose, type TextRow, table } from '../../report/text/layout.ts';
import type { Audit, AuditedCaller, AuditedEntry, AuditedList, AuditedZone } from './audit.ts';

/** Facts about callers that the service does not show. */
export const auditLimits: readonly string[] = [
  'The service lists addresses that recently used or tried a zone. It does not say when, how often, or whether they were let in.',
  'The service does not show the allow list of a zone: `service.zones.NAME.allowedCallers` in the declaration is a copy of it.',
  'A request through a manager reaches the service from the address of the manager. The clients of the manager are not seen.',
];

/** Formats an audit. Problems are not part of the text. */
export function auditText(audit: Audit, options: TextOptions): string {
  const style = styleOf(options);
  const { service, zones, lists } = printable(audit);
  const callers = zones.filter((zone) => zone.callers.length > 0).flatMap((zone) => zoneRows(zone, style));
  const notSeen = lists.filter((list) => list.entries.some(({ status }) => status !== 'seen'));
  const entries = notSeen.flatMap((list) => listRows(list, style));
  return blocksText([
    table(
      [{ cells: [style.paint.bold(shorten(service, style.width))], words: totalWords(zones, style) }],
      0,
      style.width,
    ),
    table(callers, 0, style.width),
    notSeen.length === 0 ? [] : [style.paint.bold('Allowed, not seen recently'), ...table(entries, 2, style.width)],
    [
      style.paint.bold('What the service does not show'),
      ...auditLimits.map((sentence) => prose(`  - ${sentence}`, style.width, 4)),
    ],
    nextSteps(zones).map((sentence) => prose(sentence, style.width)),
  ]);
}

/** Returns the number of callers of each status, counted once for each zone. */
export function callersByStatus(zones: readonly AuditedZone[]): Record<AuditedCaller['status'], number> {
  const counts = { allowed: 0, 'not-allowed': 0, unknown: 0 };
  for (const { callers } of zones) for (const { status } of callers) counts[status] += 1;
  return counts;
}

function totalWords(zones: readonly AuditedZone[], { paint }: Style): string[] {
  const counts = callersByStatus(zones);
  const called = zones.filter(({ callers }) => callers.length > 0).length;
  const total = counts.allowed + counts['not-allowed'] + counts.unknown;
  return withCommas([
    `${counted(total, 'caller')} of ${counted(called, 'zone')}`,
    ...(counts['not-allowed'] > 0 ? [paint.red(`${counts['not-allowed']} not allowed`)] : []),
    ...(counts.allowed > 0 ? [`${counts.allowed} allowed`] : []),
    ...(counts.unknown > 0 ? [paint.yellow(`${counts.unknown} not compared`)] : []),
    ...(called < zones.length ? [`${counted(zones.length - called, 'zone')} without callers`] : []),
  ]);
}

function nextSteps(zones: readonly AuditedZone[]): string[] {
  const { 'not-allowed': notAllowed, unknown } = callersByStatus(zones);
  if (notAllowed === 0 && unknown === 0) return [];
  const zone = zones.find(({ callers }) => callers.some(({ status }) => status !== 'allowed'))?.zone ?? '';
  const list = formatPath(['service', 'zones', zone, 'allowedCallers']);
  return [`Next: add callers that you know to ${list}; stop the others, or change the password of the zone.`];
}

const fewCallers = 20;

/** Callers that are not allowed come first, and are never left out. */
function zoneRows({ zone, callers }: AuditedZone, style: Style): TextRow[] {
  const found = callers.filter(({ status }) => status !== 'allowed');
  const allowed = callers.filter(({ status }) => status === 'allowed');
  const { shown, more } = shortened(allowed, fewCallers, style);
  return [
    { cells: [style.paint.bold(shorten(zone, style.width - 16))], words: [counted(callers.length, 'caller')] },
    ...[...found, ...shown].map((caller) => callerRow(caller, style)),
    ...(more > 0 ? [{ cells: [style.paint.dim(`  … ${more} more`)], words: ['allowed'] }] : []),
  ];
}

function callerRow({ ip, status, allowedBy }: AuditedCaller, { paint, width }: Style): TextRow {
  const cells = [`  ${shorten(ip, width - 4)}`];
  if (status === 'not-allowed') return { cells, words: [paint.red('not allowed:'), 'in no allow list'] };
  if (status === 'unknown') {
    const why = isIP(ip) === 0 ? 'not an address' : 'no allow list for this zone is known';
    return { cells, words: [paint.yellow('not compared:'), ...why.split(' ')] };
  }
  const words = allowedBy.flatMap(({ list, entry, ...state }, index) => {
    const where = [...(entry === ip ? [] : ['by', entry]), 'in', list, ...differenceWords(state, paint.yellow)];
    return index < allowedBy.length - 1 ? [...where.slice(0, -1), `${where.at(-1)},`] : where;
  });
  return { cells, words: ['allowed', ...words] };
}

function listRows({ list, manager, entries }: AuditedList, style: Style): TextRow[] {
  const notSeen = entries.filter(({ status }) => status !== 'seen');
  const { shown, more } = shortened(notSeen, fewCallers, style);
  const isNamed = manager !== undefined && !list.endsWith(manager);
  return [
    { cells: [shorten(list, style.width - 2)], words: isNamed ? [style.paint.dim(manager)] : [] },
    ...shown.map((entry) => ({
      cells: [`  ${shorten(entry.entry, style.width - 6)}`],
      words: entryWords(entry, style),
    })),
    ...(more > 0 ? [{ cells: [style.paint.dim(`  … ${more} more`)], words: [] }] : []),
  ];
}

function entryWords({ status, ...state }: AuditedEntry, { paint }: Style): string[] {
  const why = status === 'not-visible' ? 'internal: the service never sees it'.split(' ').map(paint.dim) : [];
  return [...why, ...differenceWords(state, paint.dim)];
}

/** Says where the declaration and the manager differ. */
function differenceWords({ declared, live }: Pick<AuditedEntry, 'declared' | 'live'>, paint: Paint): string[] {
  if (declared === true && live === false) return ['(declared,', 'not', 'live)'].map(paint);
  return declared === false && live === true ? ['(live,', 'not', 'declared)'].map(paint) : [];
}
