/** What the long forms found, kept beside the code, one file a campaign: the page is made of all of them. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Campaign, Outcome } from './campaign.ts';

export interface Result extends Outcome, Pick<Campaign, 'name' | 'about' | 'repeat'> {}

const folder = join(import.meta.dirname, '../results');

export function keepResult({ name, about, repeat }: Campaign, outcome: Outcome): void {
  const result: Result = { name, about, repeat, ...outcome };
  mkdirSync(folder, { recursive: true });
  writeFileSync(fileOf(name), `${JSON.stringify(result, null, 2)}\n`);
}

/** Of these campaigns, those that have one. */
export function keptResults(names: readonly string[]): Result[] {
  return names
    .map(fileOf)
    .filter((file) => existsSync(file))
    .map((file) => JSON.parse(readFileSync(file, 'utf8')) as Result);
}

function fileOf(name: string): string {
  return join(folder, `${name}.json`);
}
