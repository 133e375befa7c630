/**
 * Writes the generated parts of the documentation: the tables of docs/declaration.md, docs/emulator.md and docs/terraform.md, all of
 * docs/commands.md, docs/evidence/reliability.md from the saved results of the campaigns, and the address of the repository wherever it is shown. `--check` writes nothing, and fails if a file is out of date.
 */
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { campaigns } from '../reliability/campaigns.ts';
import { reliabilityPage } from '../reliability/frame/page.ts';
import { keptResults } from '../reliability/frame/results.ts';
import { withAddress } from './docs/address.ts';
import { commandsPage } from './docs/commands.ts';
import { withTables } from './docs/declaration.ts';
import { withDialectTable } from './docs/dialect.ts';
import { loadedProgram } from './docs/program.ts';
import { withTerraformReference } from './docs/terraform.ts';

/** Returns the text that each generated file should have. */
export async function generated(): Promise<Map<string, string>> {
  const declaration = 'docs/declaration.md';
  const emulator = 'docs/emulator.md';
  const terraform = 'docs/terraform.md';
  const pages = new Map([
    [declaration, withTables(textOf(declaration))],
    [emulator, withDialectTable(textOf(emulator))],
    ['docs/commands.md', commandsPage(await loadedProgram())],
    [terraform, withTerraformReference(textOf(terraform))],
    ['docs/evidence/reliability.md', reliabilityPage(keptResults(Object.keys(campaigns)))],
  ]);
  for (const file of ['README.md', ...globSync(['docs/**/*.md', 'ci/github/*.yml', 'site/pages/index.js'])])
    pages.set(file, withAddress(pages.get(file) ?? textOf(file)));
  return pages;
}

export function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

async function main(): Promise<void> {
  const outdated = [...(await generated())].filter(([file, text]) => textOf(file) !== text);
  if (!process.argv.includes('--check')) {
    for (const [file, text] of outdated) {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
      console.log(`${file} is updated`);
    }
    return;
  }
  for (const [file] of outdated) console.log(`${file} is out of date`);
  if (outdated.length === 0) return;
  console.log('Run `npm run docs`.');
  process.exitCode = 1;
}

if (import.meta.main) await main();
