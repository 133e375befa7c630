/** Short ids of runs, as people type them. */
import { describe, expect, it } from 'vitest';
import { runWithPrefix, shortRunId } from '../../../src/engine/run/runId.ts';
import { run } from '../../report/samples.ts';

const problemOf = (action: () => unknown) => {
  try {
    action();
  } catch (error) {
    return (error as { problems: { code: string; found: string; allowed: string; fix: string }[] }).problems[0];
  }
  return undefined;
};

describe('the id of a run', () => {
  const runs = [run('abcd1111-x', []), run('abcd2222-x', []), run('ffff3333-x', [])];

  it('is shown by its first 8 characters, except for damaged lines of no known run', () => {
    expect(shortRunId({ id: '0123456789abc' })).toBe('01234567');
    expect(shortRunId({ id: 'line-12345' })).toBe('line-12345');
  });

  it('needs 4 characters, and the case does not matter', () => {
    expect(runWithPrefix(runs, 'FFFF').id).toBe('ffff3333-x');
    expect(runWithPrefix(runs, 'abcd2').id).toBe('abcd2222-x');
    expect(runWithPrefix(runs, 'ffff').id).toBe('ffff3333-x');
    expect(problemOf(() => runWithPrefix(runs, 'fff'))).toEqual({
      code: 'run-id-too-short',
      found: 'run id `fff` is too short',
      allowed: 'at least the first 4 characters of a run id',
      fix: '`webdata history` lists the runs; leave the id out to undo the last one',
    });
    expect(problemOf(() => runWithPrefix(runs, ''))?.found).toBe('the run id is empty');
    expect(problemOf(() => runWithPrefix(runs, 'eeee'))).toEqual({
      code: 'run-not-found',
      found: 'run `eeee` does not exist in the journal of this service',
      allowed: 'the id of a run, or its first characters',
      fix: '`webdata history` lists the runs',
    });
    // The characters are those at the beginning of the id.
    expect(problemOf(() => runWithPrefix(runs, '1111'))?.code).toBe('run-not-found');
  });

  it('that begins several names them all', () => {
    expect(problemOf(() => runWithPrefix(runs, 'abcd'))).toMatchObject({
      code: 'ambiguous-run-id',
      found: '2 runs have an id that begins with `abcd`',
      allowed: 'abcd1111-x (apply, 2026-07-01T10:00:00Z), abcd2222-x (apply, 2026-07-01T10:00:00Z)',
      fix: 'give more characters of the id',
    });
  });

  it('that begins many names the last 10', () => {
    const many = (count: number) => Array.from({ length: count }, (_, index) => run(`aaaa-${index}`, []));
    const eleven = problemOf(() => runWithPrefix(many(12), 'aaaa'))?.allowed;
    expect(eleven).toMatch(/^aaaa-2 .*aaaa-11 \([^)]*\), and 2 older ones$/);
    expect(problemOf(() => runWithPrefix(many(10), 'aaaa'))?.allowed).toMatch(/^aaaa-0 .*aaaa-9 \([^)]*\)$/);
  });
});
