/** `webdata triggers …`: the trigger service, and what it has made of its schedules. */
import type { Command } from 'commander';
import { examples } from '../../options/examples.ts';
import type { Shell } from '../../output/io.ts';
import { addTriggersExport } from './export.ts';
import { addTick } from './fireTick.ts';
import { addPauses } from './pause.ts';
import { addRotate } from './rotateKey.ts';
import { addRuns } from './runs.ts';
import { addServe } from './serve.ts';

export function addTriggers(command: Command, shell: Shell): void {
  command.addHelpText(
    'after',
    examples({
      'webdata triggers serve': 'starts the trigger service on this machine',
      'webdata triggers schedules': 'what is registered, and when it is due',
      'webdata triggers runs --state unknown': 'the runs that wait for a person',
    }),
  );
  addServe(command.command('serve'), shell);
  addRuns(command, shell);
  addPauses(command, shell);
  addTick(command.command('run'), shell);
  addTriggersExport(command.command('export'), shell);
  addRotate(command.command('rotate-key'), shell);
}
