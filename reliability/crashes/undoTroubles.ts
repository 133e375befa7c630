/** Troubles of an undo that is killed: a lost request or answer, listings that lag, a change by another user. */
import type { Emulator, FaultInput } from '../../src/emulator/index.ts';
import { before, range } from './moves.ts';

export interface Troubles {
  fault?: FaultInput;
  /** The time for which listings lag behind every migrate. */
  lagMs?: number;
  foreign?: ForeignChange;
}

/** A change by another user, some time after the undo's first request. */
export interface ForeignChange {
  afterMs: number;
  /** Undefined for a setting. */
  ip?: string;
  /** The zone that the IP is moved to. */
  zone: string;
}

export const foreignLogs = 55;

const migrateFaults: readonly FaultInput['fault'][] = [
  { kind: 'drop-before' },
  { kind: 'drop-after' },
  { kind: 'reset-after' },
  { kind: 'truncated' },
  { kind: 'malformed' },
  { kind: 'html', when: 'after' },
  { kind: 'status', status: 429, when: 'before' },
  { kind: 'status', status: 500, when: 'after' },
  { kind: 'status', status: 502, when: 'after' },
  { kind: 'status', status: 503, when: 'before' },
  { kind: 'status', status: 503, when: 'after' },
  { kind: 'status', status: 200, body: {}, when: 'after' },
  { kind: 'short-report', count: 1 },
  { kind: 'short-move', moves: 1 },
];
const settingsFaults: readonly FaultInput['fault'][] = [
  { kind: 'drop-before' },
  { kind: 'drop-after' },
  { kind: 'status', status: 503, when: 'after' },
];

/**
 * Draws the troubles: a fault for every second undo, a lag for every third, another user for every fourth; some undos meet all of them,
 * some none.
 */
export function drawnTroubles(random: () => number): Troubles {
  return {
    ...(random() < 1 / 2 && { fault: drawnFault(random) }),
    ...(random() < 1 / 3 && { lagMs: Math.ceil(random() * longestLagMs) }),
    ...(random() < 1 / 4 && { foreign: drawnChange(random) }),
  };
}

/** Shorter than the `settleSeconds` of the declaration. */
const longestLagMs = 700;

function drawnFault(random: () => number): FaultInput {
  if (random() < 1 / 5) return { route: 'settings/put', occurrence: 1, fault: any(settingsFaults, random) };
  const occurrence = random() < 1 / 4 ? 'all' : 1 + Math.floor(random() * range.length);
  return { route: 'zone/ips/migrate', occurrence, fault: any(migrateFaults, random) };
}

function drawnChange(random: () => number): ForeignChange {
  const afterMs = Math.floor(random() * 250);
  if (random() < 1 / 4) return { afterMs, zone: '' };
  const zones = [...range.flatMap((pair) => [`source${pair}`, `target${pair}`])];
  return { afterMs, ip: any(before, random).split(' ')[0] ?? '', zone: any(zones, random) };
}

function any<T>(all: readonly T[], random: () => number): T {
  return all[Math.floor(random() * all.length)] as T;
}

export function trouble({ fault, lagMs }: Troubles, { addFault }: Pick<Emulator, 'addFault'>): void {
  if (fault !== undefined) addFault(fault);
  if (lagMs !== undefined) addFault({ route: 'zone/ips/migrate', fault: { kind: 'lag', lag: { ms: lagMs } } });
}

export function change(
  { ip, zone }: ForeignChange,
  { move, setSettings }: Pick<Emulator, 'move' | 'setSettings'>,
): void {
  if (ip === undefined) setSettings({ logs: foreignLogs });
  else move([ip], zone);
}

export function troublesInWords({ fault, lagMs, foreign }: Troubles): string {
  const words = [
    ...(fault === undefined ? [] : [`${JSON.stringify(fault.fault)} at ${fault.route} ${fault.occurrence}`]),
    ...(lagMs === undefined ? [] : [`listings ${lagMs} ms late`]),
    ...(foreign === undefined
      ? []
      : [
          `${foreign.ip === undefined ? 'logs set' : `${foreign.ip} moved to ${foreign.zone}`} after ${foreign.afterMs} ms`,
        ]),
  ];
  return words.join(', ') || 'no trouble';
}
