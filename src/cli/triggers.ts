/** `webdata triggers …`: the trigger service, and what it has made of its schedules. */
import type { Command } from 'commander';
import { examples } from './examples.ts';
import type { Shell } from './io.ts';
import { addTriggersExport } from './triggersExport.ts';
import { addPauses } from './triggersPause.ts';
import { addRotate } from './triggersRotate.ts';
import { addTick } from './triggersRun.ts';
import { addRuns } from './triggersRuns.ts';
import { addServe } from './triggersServe.ts';

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
