/** How declarations and errors become checks. */
import { describe, expect, it } from 'vitest';
import { ProblemError } from '../../../src/base/diagnostics/problem.ts';
import { attempt, declarationCheck, failedCheck, groupedByCause } from '../../../src/features/doctor/check.ts';
import { isHealthy } from '../../../src/features/doctor/diagnose.ts';

describe('the declaration', () => {
  it.each([
    [undefined, { result: 'skipped', text: 'no declaration found; flags and environment are used' }],
    [0, { result: 'ok', text: 'valid, declares 0 resources' }],
    [1, { result: 'ok', text: 'valid, declares 1 resource' }],
  ])('that declares %s', (declared, check) => {
    expect(declarationCheck(declared)).toEqual({ name: 'declaration', ...check });
  });
});

describe('a failed check', () => {
  const problem = { code: 'a', found: 'first', fix: 'mend it' };
  const located = { ...problem, place: { file: 'w.yaml', line: 3, column: 5 } };

  it.each([
    [[problem], 'first', 'mend it'],
    [[located], 'w.yaml:3:5: first', 'mend it'],
    [[located, problem], 'w.yaml:3:5: first (and 1 more problem)', 'mend it'],
    [[problem, located, located], 'first (and 2 more problems)', 'mend it'],
    [[{ code: 'a', found: 'first' }, problem], 'first (and 1 more problem)', undefined],
    [[], 'failed', undefined],
  ])('shows the first of %j', (problems, text, fix) => {
    expect(failedCheck('lock', problems)).toEqual({ name: 'lock', result: 'failed', text, fix });
  });

  it('comes from an expected error, and not from a bug', async () => {
    const failing = (error: Error) => attempt('lock', () => Promise.reject(error));
    expect(await failing(new ProblemError([problem]))).toEqual([failedCheck('lock', [problem])]);
    await expect(failing(new TypeError('a bug'))).rejects.toThrow('a bug');
  });
});

it('an account is healthy unless a check failed', () => {
  const healthy = (...results: ('ok' | 'note' | 'skipped' | 'failed')[]) =>
    isHealthy({ checks: results.map((result) => ({ name: '', result, text: '' })), profile: {} });
  expect(healthy()).toBe(true);
  expect(healthy('ok', 'note', 'skipped')).toBe(true);
  expect(healthy('ok', 'failed', 'ok')).toBe(false);
});

describe('checks that failed', () => {
  const failed = (name: string, text: string) => ({ name, result: 'failed' as const, text });

  it('of one server for one reason are one, which names the others', () => {
    const checks = [
      failed('service', 'GET http://127.0.0.1:9/zone/recent_ips?zones=* could not be sent (connection refused)'),
      { name: 'lock', result: 'ok' as const, text: 'free' },
      failed('zone a', 'GET http://127.0.0.1:9/zone/ips?zone=a could not be sent (connection refused)'),
      failed('manager', 'GET http://127.0.0.1:8/api/settings could not be sent (connection refused)'),
      failed('zone b', 'GET http://127.0.0.1:9/zone/ips?zone=b was answered 500'),
    ];
    expect(groupedByCause(checks).map(({ name, text }) => [name, /; (.*)/.exec(text)?.[1]])).toEqual([
      ['service', '1 more check failed for the same reason: zone a'],
      ['lock', undefined],
      ['manager', undefined],
      ['zone b', undefined],
    ]);
  });
});
