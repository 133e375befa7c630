/** Calls as rows: what a plan says of them before, and what a result and the history say of them afterwards. */
import type { Move } from '../allocation/model.ts';
import { formatPath } from '../input/path.ts';
import { counted } from '../input/values.ts';
import { type Call, isRegistration, type RegistrationCall, type UpdateSettingsCall } from '../resources/call.ts';
import { type PropertyChange, propertyChanges } from '../resources/changes.ts';
import { asProperties } from '../resources/settingsDiff.ts';
import type { ResourceId, ResourcePlan } from '../sync/plan.ts';
import type { Row } from './layout.ts';
import { reasonsOf } from './pairs.ts';
import { type RegistrationChange, registrationChanges } from './registrationRows.ts';
import type { Paint, Style } from './style.ts';
import { apart, consecutive, ipWords, listed } from './words.ts';

/** `managerSettings.local  http://127.0.0.1:22999`. */
export function heading({ collection, name }: ResourceId, calls: readonly Call[], { paint }: Style): string {
  const place = placeOfCalls(calls);
  const title = paint.bold(formatPath([collection, name]));
  return place === undefined ? title : `${title}  ${paint.dim(place)}`;
}

/** The manager or the trigger service that is called; undefined for calls of the service. */
export function placeOfCalls(calls: readonly Call[]): string | undefined {
  const call = calls.find(({ type }) => type !== 'migrate');
  if (call === undefined || call.type === 'migrate') return undefined;
  return isRegistration(call) ? `${call.triggers} (${call.owner})` : call.manager;
}

/** Calls that are to be made, property by property. */
export function plannedRows({ calls, changes }: Pick<ResourcePlan, 'calls' | 'changes'>, style: Style): Row[] {
  const registrations = registrationChanges({ calls, changes }).map((change) => registrationRow(change, style));
  const others = groupsOf(calls, style).flatMap(([call, ...more]) => {
    if (call === undefined || isRegistration(call)) return [];
    if (call.type === 'updateSettings') return settingChanges(call).map((change) => changeRow(change, style));
    if (call.type === 'deletePorts') return call.ports.map((port) => signed('-', 'port', [String(port)], style));
    const moves = movesOf([call, ...more]);
    return [
      { cells: callCells([call, ...more], style), words: [...ipWords(moves, style), ...reasonWords(moves, style)] },
    ];
  });
  return [...others, ...registrations];
}

function registrationRow({ kind, name, before, after }: RegistrationChange, style: Style): Row {
  const words = [before, after].filter((side) => side !== undefined).join(' -> ');
  return signed(signs[kind], name, words.split(' '), style);
}

/** Neighbours of one pair of zones are one row, unless each is asked for: a batch limit can cut one move of IPs into hundreds of calls. */
export function groupsOf(calls: readonly Call[], { full }: Style): Call[][] {
  return consecutive(calls, (a, b) => !full && isSamePair(a, b));
}

export function isSamePair(a: Call, b: Call): boolean {
  return a.type === 'migrate' && b.type === 'migrate' && a.from === b.from && a.to === b.to;
}

/** What is called: `checkout`, `<- pricing`, `2 IPs`. */
export function callCells(calls: readonly Call[], { paint }: Style): string[] {
  const [call] = calls;
  if (call?.type === 'updateSettings') return ['settings'];
  if (call !== undefined && isRegistration(call)) return [call.record];
  if (call?.type !== 'migrate') return ['ports'];
  const inCalls = calls.length > 1 ? ` in ${counted(calls.length, 'call')}` : '';
  return [call.to, `${paint.cyan('<-')} ${call.from}`, counted(movesOf(calls).length, 'IP') + inCalls];
}

/** What it is called with, in short. */
export function contentWords(calls: readonly Call[], style: Style): string[] {
  const [call] = calls;
  if (call?.type === 'updateSettings') return listed(settingChanges(call).map(inShort), style);
  if (call?.type === 'deletePorts') return listed(call.ports.map(String), style);
  if (call !== undefined && isRegistration(call)) return [registrationWords(call)];
  return ipWords(movesOf(calls), style);
}

/** `registers nightly`, `changes nightly`, `removes nightly`. */
function registrationWords(call: RegistrationCall): string {
  if (call.type === 'unregister') return `removes ${call.name}`;
  return `${call.before === null ? 'registers' : 'changes'} ${call.name}`;
}

/** The settings that a call changes, each entry of an allow list by itself. */
export function settingChanges({ before, settings }: UpdateSettingsCall): PropertyChange[] {
  return propertyChanges(asProperties(before), asProperties(settings));
}

function movesOf(calls: readonly Call[]): Move[] {
  return calls.flatMap((call) => (call.type === 'migrate' ? call.moves : []));
}

/** Only what the declaration does not make plain by itself. */
function reasonWords(moves: readonly Move[], { paint }: Style): string[] {
  const counts = reasonsOf(moves);
  if (!counts.has('surplus') && !counts.has('released')) return [];
  const reasons = [...counts].map(([reason, count]) => (counts.size === 1 ? reason : `${count} ${reason}`));
  return apart([paint.yellow(`(${reasons.join(', ')})`)]);
}

const signs = { add: '+', remove: '-', change: '~' } as const;

function changeRow(change: PropertyChange, style: Style): Row {
  return signed(signs[change.kind], String(change.path[0]), [told(change)], style);
}

function signed(sign: '+' | '-' | '~', name: string, words: string[], { paint }: Style): Row {
  const paints: Record<typeof sign, Paint> = { '+': paint.green, '-': paint.red, '~': paint.yellow };
  return { cells: [`${paints[sign](sign)} ${name}`], words };
}

/** `logs 1000 -> 500`, `whitelistIps +10.0.0.0/8`. */
function inShort(change: PropertyChange): string {
  return `${String(change.path[0])} ${change.kind === 'change' ? '' : signs[change.kind]}${told(change)}`;
}

/** `1000 -> 500`, or the entry of a list that is added or removed. */
function told({ path: [, entry], kind, before, after }: PropertyChange): string {
  if (kind === 'change') return `${shown(before)} -> ${shown(after)}`;
  return entry === undefined ? shown(kind === 'add' ? after : before) : String(entry);
}

/** Lists were made sets, to be compared. Text that could be read as something else is quoted. */
function shown(value: unknown): string {
  if (typeof value === 'object' && value !== null) return Object.keys(value).join(', ') || '[]';
  return typeof value === 'string' && /^\S+$/.test(value) ? value : JSON.stringify(value);
}
