/** The file of a journal is closed after a write that fails, too. */
import { expect, it } from 'vitest';
import { beginRun } from '../../../src/engine/run/journal.ts';

it('closes the journal even if the end of the run cannot be written', async () => {
  let closed = 0;
  const backend = {
    appendToLog: async () => ({
      append: async ([line = '']: readonly string[]) => {
        if (line.includes('"type":"end"')) throw new Error('the disk is full');
      },
      close: async () => {
        closed += 1;
      },
    }),
  } as unknown as Parameters<typeof beginRun>[0];
  const run = await beginRun(backend, { command: 'apply' } as Parameters<typeof beginRun>[1]);
  await expect(run.end('done')).rejects.toThrow('the disk is full');
  expect(closed).toBe(1);
});
