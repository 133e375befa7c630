/** Which old runs `webdata history --prune` removes. */
import { expect, it } from 'vitest';
import { chooseRuns } from '../../../src/sync/history/prune.ts';
import type { Run } from '../../../src/sync/run/journal.ts';
import { allocationId, journaled, migrate, portsCall, run, seen, settingsId } from '../../report/samples.ts';

const old = '2025-01-01T10:00:00.000Z';
const cutoff = '2026-01-01T00:00:00.000Z';
const now = '2026-03-10T10:00:00.000Z';
const later = '2026-02-01T10:00:00.000Z';
const move = migrate('pricing', 'checkout', ['192.0.2.10']);

function at(time: string, more: Partial<Run> = {}): Partial<Run> {
  return { startedAt: time, ended: { at: time, result: 'done' }, ...more };
}

function moved(id: string, time: string, more: Partial<Run> = {}): Run {
  const call = { ...journaled(allocationId, move, { answered: { at: time }, seen: seen(move) }), sentAt: time };
  const readBack = call.seen && { ...call.seen, at: time };
  return run(id, [{ ...call, ...(readBack && { seen: readBack }) }], at(time, more));
}

function chosen(...runs: Run[]): { removed: string[]; kept: string[] } {
  const { removed, kept } = chooseRuns(runs, { cutoff, now });
  return { removed: removed.map(({ id }) => id), kept: kept.map(({ run: { id }, why }) => `${id} ${why}`) };
}

it('removes old runs that ended, and no later ones', () => {
  expect(chosen(moved('old-1', old), moved('old-2', old), moved('new-1', later))).toEqual({
    removed: ['old-1', 'old-2'],
    kept: [],
  });
  expect(chosen(moved('long', old, { ended: { at: later, result: 'done' } }), moved('new-1', later))).toEqual({
    removed: [],
    kept: ['long ended later'],
  });
});

it('keeps the run that undo undoes next, for each account', () => {
  expect(chosen(moved('old-1', old), moved('old-2', old))).toEqual({
    removed: ['old-1'],
    kept: ['old-2 is the run that `webdata undo` undoes next'],
  });
  const other = { account: 'eu' };
  expect(chosen(moved('eu-1', old, other), moved('us-1', old), moved('us-2', later)).kept).toEqual([
    'eu-1 is the run that `webdata undo` undoes next',
  ]);
});

it('keeps an undo as long as the run that it undid, and the other way round', () => {
  const undo = moved('undo-1', later, { command: 'undo', undoes: 'old-1' });
  expect(chosen(moved('old-1', old), undo).kept).toEqual(['old-1 belongs to an undo that is kept']);
});

it('keeps runs with open calls, with facts for later plans, and damaged ones', () => {
  const open = run('open', [{ ...journaled(allocationId, move, {}), sentAt: old }], { startedAt: old });
  const ports = run(
    'ports',
    [{ ...journaled(settingsId, portsCall, { answered: { at: old }, seen: { at: old, took: true } }), sentAt: old }],
    at(old),
  );
  const damaged = moved('damaged', old, { damage: [{ line: 7, found: 'is not JSON' }] });
  expect(chosen(open, ports, damaged, moved('new-1', later))).toEqual({
    removed: [],
    kept: [
      'open has calls whose outcome is open',
      'ports has calls that plans take into account',
      'damaged is damaged, so its calls are not fully known',
    ],
  });
});

it('keeps runs that moved IPs in the current month, because budgets count them', () => {
  const [cutoff, now] = ['2026-03-09T10:00:00.000Z', '2026-03-10T10:00:00.000Z'];
  const before = moved('before', '2026-02-28T23:59:59.000Z');
  const within = moved('within', '2026-03-01T00:00:00.000Z');
  const settings = run('settings', [], at('2026-03-01T00:00:00.000Z'));
  const { removed, kept } = chooseRuns([before, within, settings, moved('last', now)], { cutoff, now });
  expect(removed.map(({ id }) => id)).toEqual(['before', 'settings']);
  expect(kept).toMatchObject([{ run: { id: 'within' }, why: 'moved IPs in this month (UTC), which budgets count' }]);
});
