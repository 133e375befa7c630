/** A scenario that sends calls: a command, a handler of the Pulumi provider, or the worker of the trigger service. */

import type { AccountInput } from '../../src/emulator/index.ts';
import type { Peer } from './calls.ts';
import type { CellWorld, Ended } from './world.ts';

export interface Scenario {
  name: string;
  front: 'command' | 'client' | 'Pulumi handler' | 'trigger';
  account(): Promise<AccountInput>;
  /** True if it changes anything. Then each cell has its own backend, and a second run must converge. */
  writes: boolean;
  /** Runs before the fault is armed. */
  prepare?(world: CellWorld): Promise<void>;
  run(world: CellWorld, options: RunOptions): Promise<Ended>;
  /** The next step of a user after a failure: by default the same again; `never` for none. */
  again?: 'never' | ((world: CellWorld) => Promise<Ended>);
  /** The exit codes of success. */
  success?: readonly number[];
  /** Calls whose lost answer is recovered by reading back. */
  readsBack?: readonly string[];
  /** Refusals, by call, that do not fail the scenario: it has a fallback, or nothing to report. */
  copesWith?: Readonly<Record<string, readonly number[]>>;
  /** Calls whose answer is content, such as a fetched page, so that a wrong answer is not a failure. */
  handsOn?: readonly string[];
  /** Calls whose answers are not JSON: a truncated answer or a JSON answer is valid too. */
  noJson?: readonly string[];
  /** Faults, by call, whose answers are valid: null, for example, means an empty listing. */
  takes?: Readonly<Record<string, readonly string[]>>;
  /** Like `takes`, if the fault hits only one request. */
  takesOnce?: Readonly<Record<string, readonly string[]>>;
  /** The job whose result the scenario polls for: the one that it triggered, or an earlier one. */
  waits?: 'after a trigger' | 'for a job of before';
  /** The message of every failure, if the scenario has its own. */
  message?: RegExp;
  /** True if it sends billed calls again after any 5xx, as schedules do by default. */
  repeatsAfter5xx?: true;
  /** It sends nothing again in the same run. */
  neverRepeats?: true;
  /** The calls for which it is the home scenario, which gets the expensive faults. */
  home?: readonly string[];
  /** A variant of another scenario. It gets each fault once. */
  brief?: true;
  /** It waits as long as the defaults say, so it gets only the shortest of the long waits. */
  isPatient?: true;
  /** Calls for which any JSON is passed on. */
  anyJson?: readonly string[];
  /** It leaves unreadable answers to a later step. */
  leavesIt?: true;
  /** It shows the answer, or that there was none. */
  showsAnswer?: true;
  /** Calls that it sends again in the same run after any answer. */
  asksAgain?: readonly string[];
  /** Peers that it asks only for notes: it succeeds without them, and says why. */
  notesOf?: readonly Peer[];
}

/** Calls that read back after every answer to a write. */
export const readBackCalls = [
  'migrate',
  'update settings',
  'delete ports',
  'put delivery',
  'put schedule',
  'delete delivery',
  'delete schedule',
] as const;

/** Calls that a manager may not support. */
export const optionalCalls = {
  'settings by get': [400, 404, 405, 406, 410, 501],
  'recent stats': [404, 405, 501],
} as const;

export interface RunOptions {
  timeoutSeconds: number;
  retries: number;
}

/** Returns the options of a command. */
export function optionsOf({ timeoutSeconds, retries }: RunOptions): string[] {
  return ['--timeout', `${timeoutSeconds}`, '--retries', `${retries}`];
}
