/**
 * Prints the closing line of `.ci/run`: the sum of all result files, each named after its part, and a failure for each part that failed
 * without a failed test. `node .ci/closingLine.mjs FOLDER [FAILED PART…]`
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const [folder = '', ...failedParts] = process.argv.slice(2);

function resultsIn(file) {
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests } = JSON.parse(readFileSync(file, 'utf8'));
  return { passed: numPassedTests, failed: numFailedTests, skipped: numPendingTests + numTodoTests };
}

/** A part may fail by a crash, or in a file of which no test ran. */
function crashes(part) {
  const file = join(folder, `${part}.json`);
  return existsSync(file) && resultsIn(file).failed > 0 ? 0 : 1;
}

const results = readdirSync(folder).map((name) => resultsIn(join(folder, name)));
const sum = (what) => results.reduce((total, result) => total + result[what], 0);
const failed = failedParts.reduce((total, part) => total + crashes(part), sum('failed'));
console.log(`${sum('passed')} passed, ${failed} failed, ${sum('skipped')} skipped`);
