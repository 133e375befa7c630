import { describe, expect, it } from 'vitest';
import { ProblemError } from '../../src/base/diagnostics/problem.ts';
import { explainedProblems } from '../../src/engine/explainedProblems.ts';

const running = new AbortController().signal;
const interrupted = AbortSignal.abort();

function systemError(code: string, message: string, more: { path?: string; syscall?: string } = {}): Error {
  return Object.assign(new Error(message), { code, ...more });
}

describe('an error of the system', () => {
  it('names its file and the reason', () => {
    const error = systemError('EACCES', "EACCES, open 'a.yaml'", { path: 'a.yaml', syscall: 'open' });
    expect(explainedProblems(error, running)).toEqual([
      {
        code: 'system-error',
        found: 'a.yaml cannot be used: permission denied',
        fix: 'fix the cause and run the command again',
      },
    ]);
  });

  it('says how to go on where that is known', () => {
    const [full] = explainedProblems(systemError('ENOSPC', 'no space', { path: 'a', syscall: 'write' }), running);
    expect(full?.fix).toBe('free disk space and run the command again');
    const [taken] = explainedProblems(systemError('EADDRINUSE', 'address in use', { syscall: 'listen' }), running);
    expect(taken).toMatchObject({ found: 'address in use', fix: expect.stringContaining('--port') });
  });

  it('keeps the words of a program that cannot be started, whose path is no file of the user', () => {
    const error = systemError('ENOENT', 'spawn git ENOENT', { path: 'git', syscall: 'spawn git' });
    expect(explainedProblems(error, running)).toMatchObject([{ found: 'spawn git ENOENT' }]);
  });
});

it('asks for a report of an error that nobody expects', () => {
  expect(explainedProblems(new TypeError('x is not a function'), running)).toEqual([
    {
      code: 'internal-error',
      found: 'internal error: x is not a function',
      fix: 'report it, with the command that you ran',
    },
  ]);
});

describe('after an interrupt', () => {
  it('is only the interrupt, whatever it broke', () => {
    const aborted = new ProblemError([{ code: 'aborted', found: 'the request was aborted' }]);
    for (const error of [aborted, new Error('socket hang up'), systemError('ECONNRESET', 'reset')])
      expect(explainedProblems(error, interrupted)).toEqual([{ code: 'interrupted', found: 'interrupted' }]);
  });

  it('is a problem that has another cause, too', () => {
    const problems = [
      { code: 'aborted', found: 'the request was aborted' },
      { code: 'unknown-zone', found: 'zone nowhere does not exist' },
    ];
    expect(explainedProblems(new ProblemError(problems), interrupted)).toEqual(problems);
  });
});
