/** `webdata manager settings|stats`. */
import type { Command } from 'commander';
import type { Manager } from '../../../client/areas/manager/manager.ts';
import { redactor } from '../../../client/redact.ts';
import { withContext } from '../../execution/commandContext.ts';
import { addExamples } from '../../options/values.ts';
import { sinkFor } from '../../output/dataOutput.ts';
import { type ExitCode, exitCodes, type Io, type Shell } from '../../output/io.ts';
import { itemText, listStyle, type TableFlags, withFacts } from '../../output/listOutput.ts';

const usages = {
  settings: {
    'webdata manager settings': 'without the password',
    'webdata manager settings --manager-url http://127.0.0.1:22999': 'of another manager',
  },
  stats: {
    'webdata manager stats': 'recent statistics',
    'webdata manager stats --output stats.json': 'in a file',
  },
};

export function addManager(command: Command, { io, end }: Shell): void {
  addExamples(command, { ...usages.settings, ...usages.stats });
  const read = (name: string, summary: string) => withFacts(command.command(name).description(summary));
  const settings = read('settings', 'Show the settings, without the password').action(async (flags: TableFlags) =>
    end(await show(flags, io, async (manager) => (await manager.readSettings()).settings)),
  );
  addExamples(settings, usages.settings);
  const stats = read('stats', 'Show recent statistics').action(async (flags: TableFlags) =>
    end(await show(flags, io, (manager) => manager.recentStats())),
  );
  addExamples(stats, usages.stats);
}

async function show(flags: TableFlags, io: Io, read: (manager: Manager) => Promise<unknown>): Promise<ExitCode> {
  const write = await sinkFor(flags, io);
  return withContext(flags, io, async ({ config: { manager }, session }) => {
    const redact = redactor(manager.token === undefined ? [] : [manager.token]);
    // Managers differ in shape, so every field whose name suggests a secret is hidden, at any depth.
    const shown = JSON.parse(redact(JSON.stringify(await read(session.manager(undefined)))));
    await write([itemText(shown, listStyle(flags, io))]);
    return exitCodes.done;
  });
}
