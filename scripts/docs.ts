/**
 * Writes what is generated: tables of docs/declaration.md and docs/emulator.md, docs/commands.md, and the completion table.
 * `--check` writes nothing, and fails where something is not current.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { commandsPage } from './docs/commands.ts';
import { completionTable } from './docs/completionTable.ts';
import { withTables } from './docs/declaration.ts';
import { withDialectTable } from './docs/dialect.ts';
import { loadedProgram } from './docs/program.ts';

/** From file to what it should hold. */
export async function generated(): Promise<Map<string, string>> {
  const program = await loadedProgram();
  const declaration = 'docs/declaration.md';
  const emulator = 'docs/emulator.md';
  const table = 'src/cli/completion/table.ts';
  return new Map([
    [declaration, withTables(textOf(declaration))],
    [emulator, withDialectTable(textOf(emulator))],
    ['docs/commands.md', commandsPage(program)],
    [table, formatted(completionTable(program), table)],
  ]);
}

export function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function formatted(text: string, file: string): string {
  const { stdout, stderr, status } = spawnSync('node_modules/.bin/biome', ['format', `--stdin-file-path=${file}`], {
    input: text,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
  return stdout;
}

async function main(): Promise<void> {
  const outdated = [...(await generated())].filter(([file, text]) => textOf(file) !== text);
  if (!process.argv.includes('--check')) for (const [file, text] of outdated) writeFileSync(file, text);
  for (const [file] of outdated) console.log(`${file} was not current`);
  if (process.argv.includes('--check') && outdated.length > 0) {
    console.log('Run `node scripts/docs.ts`.');
    process.exitCode = 1;
  }
}

if (import.meta.main) await main();
