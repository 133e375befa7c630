/** The results of the long forms, stored next to the code, one file for each campaign. The page is generated from all of them. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Campaign, Outcome } from './campaign.ts';

export interface Result extends Outcome, Pick<Campaign, 'name' | 'about' | 'repeat'> {}

const folder = join(import.meta.dirname, '../results');

export function keepResult({ name, about, repeat }: Campaign, outcome: Outcome): void {
  const result: Result = { name, about, repeat, ...outcome };
  mkdirSync(folder, { recursive: true });
  // A row takes one line.
  const text = JSON.stringify(result, null, 1).replaceAll(
    /\[\s+([^[\]{}]*?)\s+\]/g,
    (_, row: string) => `[${row.replaceAll(/,\n\s+/g, ', ')}]`,
  );
  writeFileSync(fileOf(name), `${text}\n`);
}

/** Returns the stored results of these campaigns. */
export function keptResults(names: readonly string[]): Result[] {
  return names
    .map(fileOf)
    .filter((file) => existsSync(file))
    .map((file) => JSON.parse(readFileSync(file, 'utf8')) as Result);
}

function fileOf(name: string): string {
  return join(folder, `${name}.json`);
}
