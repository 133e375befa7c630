/** What makes calls: a command, a handler of the Pulumi provider, or the worker of the trigger service. */
import type { AccountInput } from '../../src/emulator/index.ts';
import type { Ended, World } from './world.ts';

export interface Scenario {
  name: string;
  front: 'command' | 'client' | 'Pulumi handler' | 'trigger';
  account(): Promise<AccountInput>;
  /** Whether it changes anything: then each cell has a backend of its own, and a second run must converge. */
  writes: boolean;
  /** What comes before, with no fault yet. */
  prepare?(world: World): Promise<void>;
  run(world: World, options: RunOptions): Promise<Ended>;
  /** How a user goes on after a failure; as before where it is left out, never where it is `never`. */
  again?: 'never' | ((world: World) => Promise<Ended>);
  /** Exit codes of success. */
  success?: readonly number[];
  /** Of these calls, a lost answer is made up for by reading. */
  readsBack?: readonly string[];
  /** These refusals of a call are no failure: there is another way, or nothing to be told. */
  copesWith?: Readonly<Record<string, readonly number[]>>;
  /** What is wrong with these is a part of the answer, not of the run: what a page says is the page's own. */
  handsOn?: readonly string[];
  /** These are answered with something other than JSON: half of it is as good as any, and so is JSON. */
  noJson?: readonly string[];
  /** By call, the faults whose answers are read as they are: in a listing, for example, null means an empty one. */
  takes?: Readonly<Record<string, readonly string[]>>;
  /** The same where only one request is hit. */
  takesOnce?: Readonly<Record<string, readonly string[]>>;
  /** Whether it polls for a result, and whether it triggered the job itself. */
  waits?: 'after a trigger' | 'for a job of before';
  /** These refusals are believed, and nobody asks again. */
  believes?: Readonly<Record<string, readonly number[]>>;
  /** What it says of every failure, where it has words of its own. */
  told?: RegExp;
  /** Whether it sends what is charged again after any 5xx, as schedules do by default. */
  repeatsAfter5xx?: true;
  /** Nothing is sent again in the same run. */
  neverRepeats?: true;
  /** Calls that it makes before any other: what costs much is shown to these. */
  home?: readonly string[];
  /** Another form of one that is shown more: it is shown each fault once. */
  brief?: true;
  /** It waits for as long as a user of the defaults would: of the long waits it is shown the shortest. */
  isPatient?: true;
  /** Of these, any JSON is handed on. */
  anyJson?: readonly string[];
  /** What can't be read is left to what comes after it. */
  leavesIt?: true;
  /** Shows what it was answered, and so that there was no answer. */
  showsAnswer?: true;
  /** These are asked again in the same run, whatever was answered. */
  asksAgain?: readonly string[];
}

/** What is read back, whatever a write was answered. */
export const readBackCalls = [
  'migrate',
  'update settings',
  'delete ports',
  'put delivery',
  'put schedule',
  'delete delivery',
  'delete schedule',
] as const;

/** Managers may lack these calls. */
export const optionalCalls = {
  'settings by get': [400, 404, 405, 406, 410, 501],
  'recent stats': [404, 405, 501],
} as const;

export interface RunOptions {
  timeoutSeconds: number;
  retries: number;
}

/** Of a command. */
export function optionsOf({ timeoutSeconds, retries }: RunOptions): string[] {
  return ['--timeout', `${timeoutSeconds}`, '--retries', `${retries}`];
}
