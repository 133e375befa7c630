/** The port of the local proxy manager, where nobody names another. */
import { expect, it } from 'vitest';
import { loadedProgram } from '../../../scripts/docs/program.ts';

it('the emulator has its manager on the port of the specification', async () => {
  const emulator = (await loadedProgram()).program.commands.find((command) => command.name() === 'emulator');
  const option = emulator?.options.find(({ long }) => long === '--manager-port');
  expect(option?.defaultValue).toBe(22_999);
});
