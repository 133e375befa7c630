/** The last line of `.ci/run`. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../temporary.ts';

function closingLine(results: Readonly<Record<string, object>>, failedParts: readonly string[] = []): string {
  const folder = temporaryFolder();
  for (const [part, result] of Object.entries(results))
    writeFileSync(join(folder, `${part}.json`), JSON.stringify(result));
  const args = ['.ci/closingLine.mjs', folder, ...failedParts];
  return execFileSync(process.execPath, args, { encoding: 'utf8' });
}

const result = (numPassedTests: number, numFailedTests = 0, numPendingTests = 0) => ({
  numPassedTests,
  numFailedTests,
  numPendingTests,
  numTodoTests: 0,
});

it.each([
  [
    'the sum of all parts',
    { 'npm test': result(5, 0, 1), 'npm run test:rest': result(3) },
    [],
    '8 passed, 0 failed, 1 skipped',
  ],
  ['failed tests once', { 'npm test': result(5, 2), rest: result(3) }, ['npm test'], '8 passed, 2 failed, 0 skipped'],
  [
    'a part that failed without a failed test',
    { 'npm test': result(5) },
    ['npm test', 'demo'],
    '5 passed, 2 failed, 0 skipped',
  ],
  ['a part that failed before any test', {}, ['npm ci'], '0 passed, 1 failed, 0 skipped'],
])('counts %s', (_, results, failedParts, line) => {
  expect(closingLine(results, failedParts)).toBe(`${line}\n`);
});
