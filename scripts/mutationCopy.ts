/** The last stage of `npm run mutation`: applies one mutation at a time to a copy of the code, so that the processes that tests start run it. */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';

interface Mutation {
  readonly id: string;
  readonly fileName: string;
  readonly replacement?: string;
  readonly location: { readonly start: Position; readonly end: Position };
}
/** Counted from 1. */
interface Position {
  readonly line: number;
  readonly column: number;
}

/** Only an endless loop takes longer. */
const timeout = 60 * 60_000;

/** Returns the ids of the mutations with which a test fails. */
export function killedInCopy(mutations: readonly Mutation[], tests: readonly string[]): Set<string> {
  // Node strips no types below node_modules, where the other stages run.
  const copy = mkdtempSync(join(tmpdir(), 'webdata-mutation-'));
  const vitest = [resolve('node_modules/vitest/vitest.mjs'), 'run', '--bail=1', '--reporter=dot', ...tests];
  const pass = () => spawnSync(process.execPath, vitest, { cwd: copy, timeout, stdio: 'ignore' }).status === 0;
  try {
    for (const file of repositoryFiles()) cpSync(file, join(copy, file));
    symlinkSync(resolve('node_modules'), join(copy, 'node_modules'));
    if (!pass()) throw new Error(`${tests.join(' ')}: tests fail without a mutation`);
    const killed = mutations.filter((mutation) => {
      const file = join(copy, relative('', mutation.fileName));
      const code = readFileSync(file, 'utf8');
      writeFileSync(file, mutated(code, mutation));
      const isKilled = !pass();
      writeFileSync(file, code);
      return isKilled;
    });
    return new Set(killed.map(({ id }) => id));
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

function repositoryFiles(): string[] {
  const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  return execFileSync('git', list, { encoding: 'utf8' }).split('\0').filter(Boolean);
}

function mutated(code: string, { location: { start, end }, replacement = '' }: Mutation): string {
  const lines = code.split('\n');
  const offset = ({ line, column }: Position) =>
    lines.slice(0, line - 1).reduce((sum, { length }) => sum + length + 1, column - 1);
  return code.slice(0, offset(start)) + replacement + code.slice(offset(end));
}
