/** `webdata triggers …`: the trigger service, its schedules and their scheduled runs. A new subcommand is one entry here. */
import type { Command } from 'commander';
import { addExport } from '../../../features/export/command.ts';
import { addExamples } from '../../options/values.ts';
import type { Shell } from '../../output/io.ts';
import { addFireTick } from './fireTick.ts';
import { addPause, addResume, addRunNow } from './pause.ts';
import { addRotateKey } from './rotateKey.ts';
import { addResolve, addRuns, addSchedules, addShowRun } from './runs.ts';
import { addServe } from './serve.ts';

const subcommands: Readonly<Record<string, (command: Command, shell: Shell) => void>> = {
  serve: addServe,
  schedules: addSchedules,
  runs: addRuns,
  show: addShowRun,
  resolve: addResolve,
  pause: addPause,
  resume: addResume,
  'run-now': addRunNow,
  'fire-tick': addFireTick,
  export: addExport,
  'rotate-key': addRotateKey,
};

export function addTriggers(command: Command, shell: Shell): void {
  addExamples(command, {
    'webdata triggers serve': 'run the trigger service on this machine',
    'webdata triggers schedules': 'registered schedules with their next tick',
    'webdata triggers runs --state unknown': 'runs that need a decision',
  });
  for (const [name, add] of Object.entries(subcommands)) add(command.command(name), shell);
}
