/** What the recipes of docs/recipes are played on. */
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Stage } from './play.ts';

export const folder = 'docs/recipes';

/** The page with the emulated account on which every recipe runs. */
export const setUp = join(folder, 'README.md');

export const recipes: readonly string[] = readdirSync(folder)
  .filter((name) => name.endsWith('.md') && name !== 'README.md')
  .map((name) => join(folder, name));

/** Returns the programs and servers that a recipe needs besides `webdata`. */
export async function stageOf(page: string): Promise<Stage & AsyncDisposable> {
  const none = { async [Symbol.asyncDispose]() {} };
  switch (basename(page, '.md')) {
    default:
      return none;
  }
}
