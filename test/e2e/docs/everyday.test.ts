/** The everyday tasks: every command of docs/everyday.md prints what the page shows, and no task takes two minutes. */
import { expect, it } from 'vitest';
import { describeDifference, play } from '../../docs/session/play.ts';

it('docs/everyday.md does what it says, all of it within two minutes', { timeout: 180_000 }, async () => {
  const begin = performance.now();
  const differences = await play(['docs/everyday.md']);
  expect(differences.map(describeDifference).join('\n\n')).toBe('');
  expect(performance.now() - begin).toBeLessThan(120_000);
});
