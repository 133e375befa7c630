/** Which old runs `webdata history --prune` removes. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { chooseRuns, cutoffOf } from '../../../src/engine/history/prune.ts';
import { type Run, removeRuns } from '../../../src/engine/run/journal.ts';
import {
  allocationId,
  journaled,
  migrate,
  portsCall,
  run,
  seen,
  settingsCall,
  settingsId,
} from '../../report/samples.ts';
import { temporaryFolder } from '../../temporary.ts';
import { journalAt } from '../journalAt.ts';

const old = '2025-01-01T10:00:00.000Z';
const cutoff = '2026-01-01T00:00:00.000Z';
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
  const { removed, kept } = chooseRuns(runs, cutoff);
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

it('removes no run because a clock was wrong', () => {
  // The clock of the second run was behind.
  expect(chosen(moved('new-1', later), moved('behind', old), moved('new-2', later)).removed).toEqual([]);
  const day = 86_400_000;
  const ages = { olderThanMs: 30 * day, ageMs: 2 * day };
  const cutoffAt = (now: number, ...runs: Run[]) => cutoffOf(runs, { ...ages, now });
  expect(cutoffAt(Date.parse(later) + 2 * day, moved('last', later))).toBe('2026-01-04T10:00:00.000Z');
  expect(cutoffAt(Date.parse(later) + 365 * day, moved('last', later))).toBe('2026-01-04T10:00:00.000Z');
  expect(cutoffAt(Date.parse(old), moved('last', later))).toBe('2024-12-02T10:00:00.000Z');
  expect(cutoffAt(Date.parse(old))).toBe('2024-12-02T10:00:00.000Z');
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

it('compares times to the moment: a run of the cutoff is kept, and one before it is removed', () => {
  const before = '2025-12-31T23:59:59.999Z';
  const runs = [moved('before', before), moved('at', cutoff), moved('new-1', later)];
  expect(chosen(...runs)).toEqual({ removed: ['before'], kept: [] });
  const endedAt = moved('ended-at', before, { ended: { at: cutoff, result: 'done' } });
  expect(chosen(endedAt, moved('new-1', later)).kept).toEqual(['ended-at ended later']);
});

it('keeps old runs with a call that was sent or seen later, and one without an end only if its calls are later', () => {
  const sentLater = run('sent', [{ ...journaled(settingsId, settingsCall), sentAt: later }], at(old));
  const seenLater = run(
    'seen',
    [{ ...journaled(settingsId, settingsCall, { seen: { at: later, took: true } }), sentAt: old }],
    at(old),
  );
  const interrupted = run('cut-off', [], { startedAt: old });
  expect(chosen(sentLater, seenLater, interrupted, moved('new-1', later))).toEqual({
    removed: ['cut-off'],
    kept: ['sent ended later', 'seen ended later'],
  });
});

it('keeps chains of undos, and no undo whose run was removed before', () => {
  const runs = [
    moved('first', old),
    moved('undo-1', old, { command: 'undo', undoes: 'first' }),
    moved('undo-3', old, { command: 'undo', undoes: 'removed-1' }),
    moved('undo-2', later, { command: 'undo', undoes: 'undo-1' }),
    moved('new-1', later),
  ];
  expect(chosen(...runs)).toEqual({
    removed: ['undo-3'],
    kept: ['first belongs to an undo that is kept', 'undo-1 belongs to an undo that is kept'],
  });
});

it('removes all lines of a run from the journal, and no others', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'journal.jsonl');
  const line = (id: string, type: 'run' | 'end') =>
    JSON.stringify(
      type === 'run'
        ? { type, run: id, at: old, command: 'apply', origin: 'http://127.0.0.1:1', version: '1' }
        : { type, run: id, at: old, result: 'done' },
    );
  const lines = [line('a', 'run'), line('b', 'run'), 'garbage', line('a', 'end'), line('b', 'end')];
  await writeFile(file, lines.map((text) => `${text}\n`).join(''));
  const backend = journalAt(file);
  await removeRuns(backend, []);
  expect(await readFile(file, 'utf8')).toBe(lines.map((text) => `${text}\n`).join(''));
  await removeRuns(backend, [run('a', [])]);
  expect(await readFile(file, 'utf8')).toBe(`${line('b', 'run')}\ngarbage\n${line('b', 'end')}\n`);
});
