/** Each recipe does what it says: its files, edits and commands are taken out of the page, and every output is compared with the page. */
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { describeDifference, play } from '../../docs/session/play.ts';
import { recipes, setUp, stageOf } from '../../docs/session/recipes.ts';

const sections = ['Steps', 'Check', 'Go back'];

describe.each(recipes)('%s', (page) => {
  it('does what it says', async () => {
    await using stage = await stageOf(page);
    const differences = await play([setUp, page], stage);
    expect(differences.map(describeDifference).join('\n\n')).toBe('');
  });

  it('says what you get, when to use it, how to check and how to go back', async () => {
    const text = await readFile(page, 'utf8');
    expect(text).toMatch(/^# .+\n\n\*\*What you get\.\*\* [\s\S]+\n\n\*\*When to use it\.\*\* /);
    expect(sections.filter((section) => !text.includes(`\n## ${section}\n`))).toEqual([]);
  });
});
