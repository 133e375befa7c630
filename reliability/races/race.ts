/** A race between two or more processes, and the invariant for every order. */
import type { CampaignStage } from '../frame/campaign.ts';

export interface Race {
  name: string;
  /** The invariant for every outcome. */
  holds: string;
  /** The requirement that this machine does not meet, if any. */
  lacks?: string | undefined;
  /** The number of runs, in the long and in the short form. */
  times: number;
  short: number;
  /** It needs the whole machine, and runs alone. */
  isLarge?: boolean;
  /** Wraps all its runs, for example in a server that they share. */
  around?<T>(runs: () => Promise<T>, stage: CampaignStage): Promise<T>;
  run(stage: CampaignStage, random: () => number): Promise<Raced>;
}

export interface Raced {
  /** The outcome in a word or two. The page counts each outcome. */
  cameTo: string;
  /** Counts of what happened, which the page adds up. */
  figures?: Readonly<Record<string, number>>;
  /** The violations. */
  faults: string[];
}
