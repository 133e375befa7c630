/** `webdata triggers pause|resume|now`: what a person does to a schedule without changing its declaration. */
import type { Command } from 'commander';
import { printableLines } from '../../../report/model/printable.ts';
import type { TriggersClient } from '../../../triggers/client.ts';
import { asked } from '../../execution/consent.ts';
import { configIfAny } from '../../execution/declaration.ts';
import { examples } from '../../options/examples.ts';
import { type ConnectionFlags, withConnection } from '../../options/options.ts';
import { exitCodes, type Io, type Shell } from '../../output/io.ts';
import { type OwnerFlags, ownerFrom, withOwner } from './owner.ts';
import { withTriggers } from './runs.ts';

interface Flags extends ConnectionFlags, OwnerFlags {
  yes?: boolean;
}

export function addPauses(command: Command, { io, end }: Shell): void {
  add(
    command.command('pause'),
    'fires a schedule no more, until it is resumed; a drift, if it is declared otherwise',
    {
      'webdata triggers pause nightly': 'of the owner that the declaration names',
      'webdata triggers pause nightly --owner acme': 'of another, or without a declaration',
    },
    pause(true),
  );
  add(
    command.command('resume'),
    'fires a schedule again, from its next tick on',
    {
      'webdata triggers resume nightly': 'and says when it runs next',
      'webdata triggers resume nightly --owner acme': 'of another owner, or without a declaration',
    },
    pause(false),
  );
  add(
    command.command('now').option('-y, --yes', 'does not ask'),
    'runs a schedule at this moment; the run is billed',
    {
      'webdata triggers now nightly': 'asks first',
      'webdata triggers now nightly --yes': 'from a script',
    },
    runNow,
  );

  function add(
    subcommand: Command,
    description: string,
    usage: Readonly<Record<string, string>>,
    action: Action,
  ): void {
    withOwner(withConnection(subcommand.description(description)).argument('<schedule>', 'its name'))
      .addHelpText('after', examples(usage))
      .action(async (name: string, flags: Flags) => {
        const owner = ownerFrom(flags, await configIfAny(flags, io));
        const done = await withTriggers(flags, io, (triggers) => action(triggers, owner, name, flags, io));
        io.stdout.write(printableLines(`${done}\n`));
        end(exitCodes.done);
      });
  }
}

type Action = (triggers: TriggersClient, owner: string, name: string, flags: Flags, io: Io) => Promise<string>;

function pause(paused: boolean): Action {
  return async (triggers, owner, name) => {
    const { nextTickAt } = await triggers.setPaused(owner, name, paused);
    if (paused) return `${name} is paused`;
    return nextTickAt === null
      ? `${name} has no tick left`
      : `${name} runs next at ${new Date(nextTickAt).toISOString()}`;
  };
}

async function runNow(triggers: TriggersClient, owner: string, name: string, { yes }: Flags, io: Io): Promise<string> {
  if (!yes && !(await asked(`Run ${name} now? The run is billed.`, io))) return 'Nothing was triggered.';
  const { id } = await triggers.runNow(owner, name);
  return `${id} waits for its turn`;
}
