/** The everyday tasks: every command of docs/everyday.md prints what the page shows. */
import { expect, it } from 'vitest';
import { describeDifference, play } from '../../docs/session/play.ts';

it('does what it says', { timeout: 900_000 }, async () => {
  const differences = await play(['docs/everyday.md']);
  expect(differences.map(describeDifference).join('\n\n')).toBe('');
});
