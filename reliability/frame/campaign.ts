/** What a campaign is: a name, and a run that tries to break the tool and counts how often it held. */
import type { Ground } from '../../bench/frame/benchmark.ts';

export interface Campaign {
  /** What `npm run reliability -- NAME` calls it. */
  name: string;
  /** For the page, in a paragraph: what is done, and what must hold. */
  about: string;
  /** The command that repeats the long form. */
  repeat: string;
  run(stage: Stage): Promise<Outcome>;
}

/** What a campaign stands on while it runs; the processes that it keeps end with it. */
export interface Stage extends Ground {
  /** The form that the tests run: seconds, not minutes. */
  short: boolean;
  /** Says how far it is, on stderr. */
  say(text: string): void;
}

export interface Outcome {
  /** In the order of the page: `['cells run', 4210]`. */
  counts: readonly Count[];
  /** Each says what was done, what was expected and what was found: enough to repeat it, the seed included. */
  failures: readonly string[];
  /** What this machine does not allow, and why. */
  skipped?: readonly string[];
  tables?: readonly Table[];
}

export type Count = readonly [what: string, figure: string | number];

export interface Table {
  title: string;
  heads: readonly string[];
  rows: readonly (readonly (string | number)[])[];
}
