/** `webdata triggers …`: the trigger service, its schedules and their scheduled runs. A new subcommand is one entry here. */
import type { Command } from 'commander';
import { addExamples } from '../../options/values.ts';
import type { Shell } from '../../output/io.ts';
import { addFetch } from './fetch.ts';
import { addPause, addResume, addRunNow } from './pause.ts';
import { addRotateKey } from './rotateKey.ts';
import { addRound } from './round.ts';
import { addResolve, addRuns, addSchedules, addShowRun } from './runs.ts';
import { addServe } from './serve.ts';

type Subcommands = Readonly<Record<string, (command: Command, shell: Shell) => void>>;

const ownSubcommands: Subcommands = {
  serve: addServe,
  round: addRound,
  schedules: addSchedules,
  runs: addRuns,
  show: addShowRun,
  resolve: addResolve,
  fetch: addFetch,
  pause: addPause,
  resume: addResume,
  'run-now': addRunNow,
  'rotate-key': addRotateKey,
};

/** `subcommands` are those of features. */
export const addTriggersWith =
  (subcommands: Subcommands) =>
  (command: Command, shell: Shell): void => {
    addExamples(command, {
      'webdata triggers round': 'fire what is due, then end; for a crontab',
      'webdata triggers serve': 'run the trigger service on this machine',
      'webdata triggers schedules': 'registered schedules with their next tick',
      'webdata triggers runs --state unknown': 'runs that need a decision',
    });
    for (const [name, add] of Object.entries({ ...ownSubcommands, ...subcommands })) add(command.command(name), shell);
  };
