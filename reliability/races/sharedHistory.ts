/** The history of a shared backend as a machine reads it, compared with what really happened. */
import type { Emulator } from '../../src/emulator/index.ts';
import { expected, movedBy } from '../crashes/checks.ts';
import { type ShownRun, shownRuns } from '../frame/shownRuns.ts';
import type { Machine } from './machine.ts';

export type History = ShownRun[];

/** @throws Error if it cannot be read without a warning */
export async function readHistory(machine: Machine): Promise<History> {
  const finished = await machine.run('history', '--format', 'json');
  if (finished.code !== 0 || finished.stderr !== '') throw new Error(`history: ${JSON.stringify(finished)}`);
  return shownRuns(finished.stdout);
}

/** Checks that every move is in the history, and that it claims no other. */
export function historyFaults({ requests }: Pick<Emulator, 'requests'>, history: History): string[] {
  const moved = requests().flatMap(movedBy);
  const calls = history.flatMap((run) => run.calls);
  const accepted = calls.flatMap((call) => (call.answered?.count === ipsOf(call).length ? ipsOf(call) : []));
  const damaged = history.filter(({ damage }) => damage !== undefined);
  return [
    ...expected('moved, and not in the history', [], without(moved, calls.flatMap(ipsOf))),
    ...expected('accepted by the history, and not moved', [], without(accepted, moved)),
    ...expected('damaged runs', [], damaged),
    ...expected(
      'runs in the history without an ID of their own',
      history.length,
      new Set(history.map(({ id }) => id)).size,
    ),
  ];
}

export function ipsOf({ call }: History[number]['calls'][number]): string[] {
  return 'ips' in call && Array.isArray(call.ips) ? call.ips.map(({ ip }) => ip) : [];
}

export function without(some: readonly string[], others: readonly string[]): string[] {
  return some.filter((one) => !others.includes(one));
}
