/** A campaign: a name, and a run that tries to break the tool and counts its attempts and failures. */
import type { Ground } from '../../bench/frame/benchmark.ts';

export interface Campaign {
  /** The argument of `npm run reliability -- NAME`. */
  name: string;
  /** A paragraph for the page: the attempts and the invariants. */
  about: string;
  /** The command that repeats the long form. */
  repeat: string;
  run(stage: CampaignStage): Promise<Outcome>;
}

/** The resources of a running campaign. Its processes end with it. */
export interface CampaignStage extends Ground {
  /** True for the form that the tests run, which takes seconds instead of minutes. */
  short: boolean;
  /** Prints progress to stderr. */
  say(text: string): void;
}

export interface Outcome {
  /** In the order of the page: `['cells run', 4210]`. */
  counts: readonly Count[];
  /** Each failure has the action, the expected and the actual result, and the seed, so that it can be repeated. */
  failures: readonly string[];
  /** The parts that this machine does not allow, and why. */
  skipped?: readonly string[];
  tables?: readonly Table[];
}

export type Count = readonly [what: string, figure: string | number];

export interface Table {
  title: string;
  heads: readonly string[];
  rows: readonly (readonly (string | number)[])[];
}
