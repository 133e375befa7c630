/**
 * `npm run recipes -- NAME…`: plays the recipes of docs/recipes, or docs/everyday.md, and writes the output of commands that print something else than their page
 * shows. Read the changes: identifiers and times are replaced by `…`, and omitted lines come back.
 */

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import { join } from 'node:path';
import { type Difference, play } from '../test/docs/session/play.ts';
import { folder, setUp, stageOf } from '../test/docs/session/recipes.ts';

const names = process.argv.slice(2);
const all = readdirSync(folder).filter((name) => name.endsWith('.md'));
for (const name of names.length > 0 ? names.map((each) => `${each}.md`) : [...all, 'everyday.md']) {
  const isRecipe = name !== 'everyday.md';
  const page = isRecipe ? join(folder, name) : 'docs/everyday.md';
  await using stage = await stageOf(page);
  const differences = await play(isRecipe ? [setUp, page] : [page], stage);
  writeFileSync(page, withOutput(readFileSync(page, 'utf8'), differences));
  for (const { line, command, exitCode } of differences) console.log(`${page}:${line}  ${command}  (${exitCode})`);
}

function withOutput(page: string, differences: readonly Difference[]): string {
  const lines = page.split('\n');
  for (const { line, output, shown, exitCode } of differences.toReversed()) {
    const indent = /^ */.exec(lines[line - 1] ?? '')?.[0] ?? '';
    const shownLines = output.map((each) => (indent + masked(each)).trimEnd());
    if (shown.output !== undefined) lines.splice(line, shown.output.length, ...shownLines);
    else console.log(output.join('\n'));
    if (exitCode !== shown.exitCode) console.log(`${line}: exit code ${exitCode}, not ${shown.exitCode}`);
  }
  return lines.join('\n');
}

function masked(line: string): string {
  return line
    .replaceAll(/\b20\d\d-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?( ?(Z|UTC))?/g, '…')
    .replaceAll(`${userInfo().username}@${hostname()}`, '…@…')
    .replaceAll(/, commit [0-9a-f]{7}( with uncommitted changes)?/g, '')
    .replaceAll(/\b(r_|j_|s_)?[0-9a-f]{8,}\b/g, '…')
    .trimEnd();
}
