/** The results of the long forms, stored next to the code, one file for each campaign. The page is generated from all of them. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Campaign, Outcome } from './campaign.ts';

export interface Result extends Outcome, Pick<Campaign, 'name' | 'about' | 'repeat'> {}

const folder = join(import.meta.dirname, '../results');

export function keepResult({ name, about, repeat }: Campaign, outcome: Outcome): void {
  const result: Result = { name, about, repeat, ...outcome };
  mkdirSync(folder, { recursive: true });
  writeFileSync(fileOf(name), `${JSON.stringify(result)}\n`);
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
