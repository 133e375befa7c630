/** `webdata servers`: a feature that exists only here. It needs no line in `src/` beside the one in the list of commands. */
import type { Command } from 'commander';
import { withContext } from '../../../src/cli/execution/commandContext.ts';
import { type ConnectionFlags, withConnection } from '../../../src/cli/options/options.ts';
import { exitCodes, type Shell } from '../../../src/cli/output/io.ts';
import { readServers } from './servers.ts';

export function addServers(command: Command, { io, end }: Shell): void {
  withConnection(command).action(async (flags: ConnectionFlags) => {
    await withContext(flags, io, async ({ config, session }) => {
      for (const { resource, server, held } of await readServers(config, session)) {
        io.stdout.write(`${resource}  ${server}  ${held}\n`);
      }
    });
    end(exitCodes.done);
  });
}
