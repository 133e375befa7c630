/** The everyday tasks: every command of docs/everyday.md prints what the page shows, and no task takes two minutes. */
import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { describeDifference, play } from '../../docs/session/play.ts';

const page = 'docs/everyday.md';

it('does what it says, each task within two minutes', { timeout: 600_000 }, async () => {
  const lines = (await readFile(page, 'utf8')).split('\n');
  const times = new Map<string, number>();
  const differences = await play([page], {
    onPlayed({ line }, ms) {
      const task = lines.slice(0, line).findLast((each) => each.startsWith('## ')) ?? '';
      times.set(task, (times.get(task) ?? 0) + ms);
    },
  });
  expect(differences.map(describeDifference).join('\n\n')).toBe('');
  expect(times.size).toBe(10);
  for (const [task, ms] of times) expect(ms, task).toBeLessThan(120_000);
});
