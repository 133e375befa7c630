import { describe, expect, it } from 'vitest';
import { type Problem, ProblemError } from '../../../src/base/diagnostics/problem.ts';
import type { Run } from '../../../src/engine/run/journal.ts';
import { refuseDamaged, runToUndo } from '../../../src/engine/undo/target.ts';
import {
  allocationId,
  journaled,
  migrate,
  portsCall,
  refusal,
  run,
  seen,
  settingsCall,
  settingsId,
} from '../../report/samples.ts';

const at = '2026-07-01T10:00:00.000Z';
const move = migrate('pricing', 'checkout', ['192.0.2.10']);
const done: Partial<Run> = { ended: { at, result: 'done' } };
const failed: Partial<Run> = { ended: { at, result: 'failed' } };

function moved(id: string, more: Partial<Run> = done): Run {
  return run(id, [journaled(allocationId, move, { answered: { at }, seen: seen(move) })], more);
}

const refused = run('refused-1', [journaled(allocationId, move, { failed: refusal })], failed);
const deletedPorts = run(
  'ports-01',
  [journaled(settingsId, portsCall, { answered: { at }, seen: { at, took: true } })],
  done,
);
const lostSettings = run('settings', [journaled(settingsId, settingsCall)], failed);
const refusedSettings = run('settings', [journaled(settingsId, settingsCall, { failed: refusal })], failed);
const damage = [{ line: 7, found: 'is not JSON' }];

function problemsOf(action: () => unknown): readonly Problem[] {
  try {
    action();
  } catch (error) {
    if (error instanceof ProblemError) return error.problems;
    throw error;
  }
  return [];
}

function errorOf(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    return (error as Error).message;
  }
  return '';
}

describe('without an id, the run to undo', () => {
  it.each<[string, Run[], string]>([
    ['is the last one that made a change', [moved('first-01'), moved('second-1'), refused], 'second-1'],
    ['is not one that only deleted ports, which cannot be undone', [moved('first-01'), deletedPorts], 'first-01'],
    ['is not one that was undone', [moved('first-01'), moved('second-1'), undoOf('second-1', done)], 'undo-001'],
    ['is the one whose undo failed', [moved('first-01'), moved('second-1'), undoOf('second-1', failed)], 'second-1'],
    ['is the one whose undo was interrupted', [moved('second-1'), undoOf('second-1', {})], 'second-1'],
    ['may have changed settings by a call whose answer was lost', [moved('first-01'), lostSettings], 'settings'],
    ['is not one whose change of settings was refused', [moved('first-01'), refusedSettings], 'first-01'],
    ['may have been interrupted itself', [moved('first-01'), moved('second-1', {})], 'second-1'],
  ])('%s', (_, runs, id) => {
    expect(runToUndo(runs).id).toBe(id);
  });

  it('is missing if no run made a change that can be undone', () => {
    for (const runs of [[], [refused], [deletedPorts]]) {
      expect(problemsOf(() => runToUndo(runs))).toEqual([
        {
          code: 'nothing-to-undo',
          found: 'no run in the journal made a change that can be undone',
          allowed: 'a run that made changes and was not undone yet',
          fix: '`webdata history` lists the runs',
        },
      ]);
    }
  });
});

function undoOf(undoes: string, more: Partial<Run>): Run {
  return moved('undo-001', { command: 'undo', undoes, ...more });
}

it('the run of an id is allowed again if its undo failed', () => {
  expect(runToUndo([moved('bbbb2222-x'), undoOf('bbbb2222-x', failed)], 'bbbb').id).toBe('bbbb2222-x');
});

describe('a damaged run', () => {
  const before = moved('aaaa1111');
  const damaged = moved('bbbb2222', { ...done, damage });
  const after = moved('cccc3333');

  it('is refused by id, and does not stop the undo of another run by id', () => {
    expect(errorOf(() => refuseDamaged([before, damaged, after], 'BBBB'))).toMatch(
      /^run bbbb2222 is damaged in the journal, so its calls are not fully known: line 7 is not JSON$/,
    );
    expect(() => refuseDamaged([before, damaged, after], 'aaaa')).not.toThrow();
  });

  const refusal = (id: string, lines: string, other = '') => ({
    code: 'damaged-run',
    found: `run ${id} is damaged in the journal, so its calls are not fully known: ${lines}`,
    allowed: 'undoing a run whose calls are all known',
    fix: `restore the lines, or declare the wanted state and apply${other}`,
  });

  it('whose calls are lost is not skipped without an id: the error names the run before it', () => {
    const lines = [...damage, { line: 9, found: 'repeats call 0 of its run' }];
    const unknownCalls = run('bbbb2222-1', [], { ...done, damage: lines });
    expect(problemsOf(() => refuseDamaged([before, unknownCalls], undefined))).toEqual([
      refusal(
        'bbbb2222',
        'line 7 is not JSON; line 9 repeats call 0 of its run',
        '; `webdata undo aaaa1111` undoes the run before it',
      ),
    ]);
    expect(problemsOf(() => refuseDamaged([before, unknownCalls], 'bbbb'))).toEqual([
      refusal('bbbb2222', 'line 7 is not JSON; line 9 repeats call 0 of its run'),
    ]);
  });

  it('names no other run if there is none to undo', () => {
    for (const runs of [[damaged], [refused, moved('bbbb2222', { ...done, damage })], [before, damaged]]) {
      expect(problemsOf(() => refuseDamaged(runs, undefined))).toEqual([refusal('bbbb2222', 'line 7 is not JSON')]);
    }
  });

  it('is the latest one', () => {
    const earlier = moved('dddd4444', { ...done, damage });
    expect(problemsOf(() => refuseDamaged([earlier, damaged], undefined))).toMatchObject([
      { found: expect.stringContaining('run bbbb2222') },
    ]);
    expect(problemsOf(() => refuseDamaged([], undefined))).toEqual([]);
    expect(problemsOf(() => refuseDamaged([before], undefined))).toEqual([]);
  });

  it('does not matter if a later run is the one to undo', () => {
    expect(() => refuseDamaged([before, damaged, after], undefined)).not.toThrow();
  });
});
