/** `webdata triggers …`: the trigger service, and what it has made of its schedules. */
import type { Command } from 'commander';
import type { Shell } from './io.ts';
import { addTriggersExport } from './triggersExport.ts';
import { addPauses } from './triggersPause.ts';
import { addTick } from './triggersRun.ts';
import { addRuns } from './triggersRuns.ts';
import { addServe } from './triggersServe.ts';

export function addTriggers(command: Command, shell: Shell): void {
  addServe(command.command('serve'), shell);
  addRuns(command, shell);
  addPauses(command, shell);
  addTick(command.command('run'), shell);
  addTriggersExport(command.command('export'), shell);
}
